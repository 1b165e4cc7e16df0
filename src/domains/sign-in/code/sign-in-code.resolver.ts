import { Ctx, Extensions, Int, Resolver } from 'type-graphql';
import { Access, anyone, signedIn } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { InputArg } from '../../../core/marks.js';
import { payloadType } from '../../../core/payload.js';
import { Mutation } from '../../../core/root-fields.js';
import { OwnAccount } from '../../accounts/own-account.types.js';
import { SessionPayload } from '../session/session.types.js';
import {
  ConfirmEmailInput,
  RequestSignInCodeInput,
  SignInWithCodeInput,
} from './sign-in-code.inputs.js';
import {
  CODE_LIFETIME,
  confirmEmail,
  requestSignInCode,
  signInWithCode,
} from './sign-in-code.service.js';

interface RequestSignInCodePayload {
  readonly expiresIn: number;
}

const RequestSignInCodePayload = payloadType<RequestSignInCodePayload>('RequestSignInCode', {
  expiresIn: { type: () => Int, description: 'Seconds for which the code is good.' },
});

interface ConfirmEmailPayload {
  readonly viewer: OwnAccount;
}

const ConfirmEmailPayload = payloadType<ConfirmEmailPayload>('ConfirmEmail', {
  viewer: { type: () => OwnAccount, description: 'The viewer, whose address is proven now.' },
});

/** Root fields of sign-in by mailed code. */
@Resolver()
export class SignInCodeResolver {
  @Access(anyone)
  @Extensions({ issuesTokens: true })
  @Mutation(() => RequestSignInCodePayload, {
    description:
      'Mails a code for signing in: 8 digits, good for 10 minutes, 5 tries and one sign-in. The ' +
      'payload is the same whether or not the address has an account. Asked again within a ' +
      'minute, it mails nothing more.',
  })
  async requestSignInCode(
    @Ctx() context: RequestContext,
    @InputArg(RequestSignInCodeInput) input: RequestSignInCodeInput,
  ): Promise<RequestSignInCodePayload> {
    await requestSignInCode(context, input);
    return { expiresIn: CODE_LIFETIME / 1000 };
  }

  @Access(anyone)
  @Extensions({ issuesTokens: true })
  @Mutation(() => SessionPayload, {
    description:
      'Signs in with a mailed code. The first proof that the address is the account’s own ends ' +
      'what was left by whoever used it before: password, sessions, identities, devices, ' +
      'carers, invitations, calendar feed and planned messages; `changePassword` sets a new ' +
      'password, `confirmEmail` proves and keeps all. SIGN_IN_CODE_INVALID, whatever is wrong ' +
      'with it.',
  })
  async signInWithCode(
    @Ctx() context: RequestContext,
    @InputArg(SignInWithCodeInput) input: SignInWithCodeInput,
  ): Promise<SessionPayload> {
    return signInWithCode(context, input);
  }

  @Access(signedIn)
  @Mutation(() => ConfirmEmailPayload, {
    description:
      'Proves that the own e-mail address is one’s own, by a mailed code and the present ' +
      'password; from then on the account may invite carers and share its calendar. Nothing ' +
      'ends. SIGN_IN_CODE_INVALID, PASSWORD_WRONG, SIGN_IN_AGAIN, TOO_MANY_REQUESTS.',
  })
  async confirmEmail(
    @Ctx() context: RequestContext,
    @InputArg(ConfirmEmailInput) input: ConfirmEmailInput,
  ): Promise<ConfirmEmailPayload> {
    return { viewer: new OwnAccount(await confirmEmail(context, input)) };
  }
}
