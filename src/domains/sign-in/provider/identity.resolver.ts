import { Ctx, Extensions, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone, signedIn } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { InputArg } from '../../../core/marks.js';
import { payloadType } from '../../../core/payload.js';
import { Mutation } from '../../../core/root-fields.js';
import { asOwner } from '../../accounts/own-account.service.js';
import { OwnAccount } from '../../accounts/own-account.types.js';
import { JudgeLanguage } from '../session/session.judgement.js';
import { SessionPayload } from '../session/session.types.js';
import { SignInWithProviderInput, UnlinkIdentityInput } from './identity.inputs.js';
import { listIdentities, unlinkIdentity } from './identity.service.js';
import { Identity } from './identity.types.js';
import { signInWithProvider } from './provider-sign-in.service.js';

interface UnlinkIdentityPayload {
  readonly identity: Identity;
}

const UnlinkIdentityPayload = payloadType<UnlinkIdentityPayload>('UnlinkIdentity', {
  identity: { type: () => Identity, description: 'The identity, as it was.' },
});

/** Signing in at identity providers, and the viewer's identities there. */
@Resolver(() => OwnAccount)
export class IdentityResolver {
  @Access(anyone)
  @Extensions({ issuesTokens: true })
  @JudgeLanguage()
  @Mutation(() => SessionPayload, {
    description:
      "Signs in with an identity provider's token: to the account of that identity, else to the " +
      'account with the e-mail that the provider vouches for, else to a new one. With a ' +
      "guest's access token a new identity makes the guest a member and keeps its data; an " +
      'identity with an account signs in to that and leaves the guest as it is; any other ' +
      'access token is ignored. TOKEN_EXPIRED or TOKEN_INVALID for a guest whose token is no ' +
      'longer good, when the identity is new, FORBIDDEN for a guest signed in by an ' +
      'application password; PROVIDER_NOT_CONFIGURED, LANGUAGE_UNKNOWN, ' +
      'PROVIDER_TOKEN_INVALID, PROVIDER_TOKEN_USED, PROVIDER_UNAVAILABLE, EMAIL_EXISTS.',
  })
  async signInWithProvider(
    @Ctx() context: RequestContext,
    @InputArg(SignInWithProviderInput) input: SignInWithProviderInput,
  ): Promise<SessionPayload> {
    return signInWithProvider(context, input);
  }

  @Access(anyone)
  @Rows(20)
  @FieldResolver(() => [Identity], {
    nullable: true,
    description: "The viewer's identities at identity providers, oldest first; at most 20.",
  })
  async identities(
    @Ctx() context: RequestContext,
    @Root() viewer: OwnAccount,
  ): Promise<Identity[]> {
    return listIdentities(asOwner(context, viewer));
  }

  @Access(signedIn)
  @Mutation(() => UnlinkIdentityPayload, {
    description:
      'Makes one of the own identities sign in no longer. IDENTITY_NOT_FOUND; ' +
      'LAST_SIGN_IN when neither a password nor another identity is left.',
  })
  async unlinkIdentity(
    @Ctx() context: RequestContext,
    @InputArg(UnlinkIdentityInput) input: UnlinkIdentityInput,
  ): Promise<UnlinkIdentityPayload> {
    return { identity: await unlinkIdentity(context, input) };
  }
}
