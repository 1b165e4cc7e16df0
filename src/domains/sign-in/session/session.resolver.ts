import { Ctx, Extensions, Resolver } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { InputArg } from '../../../core/marks.js';
import { POINTS, Points } from '../../../core/quota.js';
import { Mutation } from '../../../core/root-fields.js';
import { createGuestSession, signUp } from '../sign-up/sign-up.service.js';
import {
  CreateGuestSessionInput,
  LoginInput,
  RefreshTokenInput,
  SignUpInput,
} from './session.inputs.js';
import { JudgeLanguage, JudgeSignUp } from './session.judgement.js';
import { login, refreshSession } from './session.service.js';
import { SessionPayload } from './session.types.js';

/** Root fields that start a session or go on with one. */
@Resolver()
export class SessionResolver {
  @Access(anyone)
  @Extensions({ issuesTokens: true })
  @Mutation(() => SessionPayload, {
    description:
      'Signs in with a user name or e-mail address and a password. INVALID_CREDENTIALS; ' +
      'TOO_MANY_REQUESTS after too many of them.',
  })
  async login(
    @Ctx() context: RequestContext,
    @InputArg(LoginInput) input: LoginInput,
  ): Promise<SessionPayload> {
    return login(context, input);
  }

  @Access(anyone)
  @Extensions({ issuesTokens: true })
  @JudgeSignUp()
  @Mutation(() => SessionPayload, {
    description:
      'Makes an account and signs it in. With the token of a guest the guest becomes a member: ' +
      'id and data stay, the tokens are new, the old ones end. EMAIL_REQUIRED, EMAIL_EXISTS, ' +
      'PASSWORD_INVALID, LANGUAGE_UNKNOWN; the same address and password again within ten ' +
      'minutes get another session. TOKEN_EXPIRED or TOKEN_INVALID for a guest whose ' +
      'token is no longer good, FORBIDDEN for one signed in by an application password. A guest ' +
      'who gives neither address nor password has no way in but its sessions, the last of which ' +
      'ends as that of a guest does: set a password by `changePassword` before that one ends. ' +
      'A password that the guest has set stays. The same again ' +
      "with the guest's token within ten minutes gets another session.",
  })
  async signUp(
    @Ctx() context: RequestContext,
    @InputArg(SignUpInput) input: SignUpInput,
  ): Promise<SessionPayload> {
    return signUp(context, input);
  }

  @Access(anyone)
  @Extensions({ issuesTokens: true })
  @JudgeLanguage()
  @Mutation(() => SessionPayload, {
    description:
      'Makes a guest account and signs it in; `signUp` turns it into a member. Its session, ' +
      'the only way in, ends when it is not used for 90 days, and after 180 days in any case; ' +
      'the account and its data are erased when it was not used for a year. LANGUAGE_UNKNOWN.',
  })
  async createGuestSession(
    @Ctx() context: RequestContext,
    @InputArg(CreateGuestSessionInput) input: CreateGuestSessionInput,
  ): Promise<SessionPayload> {
    return createGuestSession(context, input);
  }

  @Access(anyone)
  @Points(POINTS.read)
  @Extensions({ issuesTokens: true })
  @Mutation(() => SessionPayload, {
    description:
      'The next pair of tokens. Until a token of the new pair is used, the refresh token ' +
      'before is answered with that pair, so a lost response can be asked for again; once the ' +
      'new access token is used, for 30 seconds more. Keep the newest, and read it anew before ' +
      'each try: an older one ends the session. A session ends after 90 days without a ' +
      'refresh, and after 180 days in any case. REFRESH_TOKEN_INVALID.',
  })
  async refreshToken(
    @Ctx() context: RequestContext,
    @InputArg(RefreshTokenInput) input: RefreshTokenInput,
  ): Promise<SessionPayload> {
    return refreshSession(context, input);
  }
}
