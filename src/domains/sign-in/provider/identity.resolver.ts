import { Arg, Ctx, Extensions, Mutation, Query, Resolver } from 'type-graphql';
import { Access, anyone, signedIn } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { JudgeLanguage } from '../session/session.judgement.js';
import { SessionAnswer } from '../session/session.types.js';
import { SignInWithProviderInput, UnlinkIdentityInput } from './identity.inputs.js';
import { listIdentities, unlinkIdentity } from './identity.service.js';
import { Identity } from './identity.types.js';
import { signInWithProvider } from './provider-sign-in.service.js';

/** Root fields of identities at identity providers. */
@Resolver()
export class IdentityResolver {
  @Access(anyone)
  @Extensions({ issuesTokens: true })
  @JudgeLanguage()
  @Mutation(() => SessionAnswer, {
    description:
      "Signs in with an identity provider's token: to the account of that identity, else to the account with the e-mail that the provider vouches for, else to a new one. With a guest's access token a new identity makes the guest a member and keeps its data; an identity with an account signs in to that and leaves the guest as it is; any other access token is ignored. TOKEN_EXPIRED or TOKEN_INVALID for a guest whose token is no longer good, when the identity is new, FORBIDDEN for a guest signed in by an application password; PROVIDER_NOT_CONFIGURED, LANGUAGE_UNKNOWN, PROVIDER_TOKEN_INVALID, PROVIDER_TOKEN_USED, PROVIDER_UNAVAILABLE, EMAIL_EXISTS.",
  })
  async signInWithProvider(
    @Ctx() context: RequestContext,
    @Arg('input', () => SignInWithProviderInput, { description: 'The token, and whose it is.' })
    input: SignInWithProviderInput,
  ): Promise<SessionAnswer> {
    return signInWithProvider(context, input);
  }

  @Access(signedIn)
  @Rows(20)
  @Query(() => [Identity], {
    description: "The caller's identities at identity providers, oldest first.",
  })
  async identities(@Ctx() context: RequestContext): Promise<Identity[]> {
    return listIdentities(context);
  }

  @Access(signedIn)
  @Mutation(() => Identity, {
    description:
      'Makes one of the caller’s identities sign in no longer. IDENTITY_NOT_FOUND; ' +
      'LAST_SIGN_IN when neither a password nor another identity is left.',
  })
  async unlinkIdentity(
    @Ctx() context: RequestContext,
    @Arg('input', () => UnlinkIdentityInput, { description: 'Which identity.' })
    input: UnlinkIdentityInput,
  ): Promise<Identity> {
    return unlinkIdentity(context, input);
  }
}
