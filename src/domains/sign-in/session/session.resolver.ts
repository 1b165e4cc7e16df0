import { Arg, Ctx, Extensions, Int, Mutation, Query, Resolver } from 'type-graphql';
import { Access, anyone, signedIn } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { guest, signup } from '../sign-up/sign-up.service.js';
import {
  EndSessionInput,
  GuestInput,
  LoginInput,
  RefreshTokenInput,
  SignupInput,
} from './session.inputs.js';
import { JudgeLanguage, JudgeSignup } from './session.judgement.js';
import {
  endSession,
  listSessions,
  login,
  refreshSession,
  signOut,
  signOutEverywhere,
} from './session.service.js';
import { Session, SessionAnswer } from './session.types.js';

/** Root fields of sessions: sign-in, sign-up, refresh and sign-out. */
@Resolver()
export class SessionResolver {
  @Access(anyone)
  @Extensions({ issuesTokens: true })
  @Mutation(() => SessionAnswer, {
    description:
      'Signs in with a user name or e-mail address and a password. INVALID_CREDENTIALS; ' +
      'TOO_MANY_REQUESTS after too many of them.',
  })
  async login(
    @Ctx() context: RequestContext,
    @Arg('input', () => LoginInput, { description: 'Credentials of the account.' })
    input: LoginInput,
  ): Promise<SessionAnswer> {
    return login(context, input);
  }

  @Access(anyone)
  @Extensions({ issuesTokens: true })
  @JudgeSignup()
  @Mutation(() => SessionAnswer, {
    description:
      'Makes an account and signs it in. With the token of a guest the guest becomes a member: ' +
      'id and data stay, the tokens are new, the old ones end. EMAIL_REQUIRED, EMAIL_EXISTS, ' +
      'PASSWORD_INVALID, LANGUAGE_UNKNOWN; TOKEN_EXPIRED or TOKEN_INVALID for a guest whose ' +
      'token is no longer good, FORBIDDEN for one signed in by an application password.',
  })
  async signup(
    @Ctx() context: RequestContext,
    @Arg('input', () => SignupInput, { description: 'The account to make.' }) input: SignupInput,
  ): Promise<SessionAnswer> {
    return signup(context, input);
  }

  @Access(anyone)
  @Extensions({ issuesTokens: true })
  @JudgeLanguage()
  @Mutation(() => SessionAnswer, {
    description:
      'Makes a guest account and signs it in; `signup` turns it into a member. Its session, ' +
      'the only way in, ends when it is not used for 90 days, and after 180 days in any case; ' +
      'the account and its data are erased when it was not used for a year. LANGUAGE_UNKNOWN.',
  })
  async guest(
    @Ctx() context: RequestContext,
    @Arg('input', () => GuestInput, { description: 'The guest.' }) input: GuestInput,
  ): Promise<SessionAnswer> {
    return guest(context, input);
  }

  @Access(anyone)
  @Extensions({ issuesTokens: true })
  @Mutation(() => SessionAnswer, {
    description:
      'The next pair of tokens. Until a token of the new pair is used, the refresh token ' +
      'before is answered with that pair, so a lost answer can be asked for again; once the ' +
      'new access token is used, for 30 seconds more. Keep the newest, and read it anew before ' +
      'each try: an older one ends the session. A session ends after 90 days without a ' +
      'refresh, and after 180 days in any case. REFRESH_TOKEN_INVALID.',
  })
  async refreshToken(
    @Ctx() context: RequestContext,
    @Arg('input', () => RefreshTokenInput, { description: 'The session to go on with.' })
    input: RefreshTokenInput,
  ): Promise<SessionAnswer> {
    return refreshSession(context, input);
  }

  @Access(signedIn)
  @Rows(100)
  @Query(() => [Session], {
    description: 'Where the caller is signed in, the last used first; at most 100.',
  })
  async sessions(@Ctx() context: RequestContext): Promise<Session[]> {
    return listSessions(context);
  }

  @Access(signedIn)
  @Mutation(() => Session, {
    description:
      'Ends one of the own sessions: its tokens are refused within a second. SESSION_NOT_FOUND.',
  })
  async endSession(
    @Ctx() context: RequestContext,
    @Arg('input', () => EndSessionInput, { description: 'Which session.' }) input: EndSessionInput,
  ): Promise<Session> {
    return endSession(context, input);
  }

  @Access(signedIn)
  @Mutation(() => Session, {
    description:
      'Ends the session that asks. SESSION_NOT_FOUND when the caller signed in without one.',
  })
  async signOut(@Ctx() context: RequestContext): Promise<Session> {
    return signOut(context);
  }

  @Access(signedIn)
  @Mutation(() => Int, {
    description:
      'Ends all own sessions, the one that asks included; answers how many. Application ' +
      'passwords stay.',
  })
  async signOutEverywhere(@Ctx() context: RequestContext): Promise<number> {
    return signOutEverywhere(context);
  }
}
