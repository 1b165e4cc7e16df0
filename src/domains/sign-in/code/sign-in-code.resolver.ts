import { Arg, Ctx, Extensions, Mutation, Resolver } from 'type-graphql';
import { Access, anyone, signedIn } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Account } from '../../accounts/account.types.js';
import { SessionAnswer } from '../session/session.types.js';
import {
  ConfirmEmailInput,
  RequestSignInCodeInput,
  SignInWithCodeInput,
} from './sign-in-code.inputs.js';
import { confirmEmail, requestSignInCode, signInWithCode } from './sign-in-code.service.js';

/** Root fields of sign-in by mailed code. */
@Resolver()
export class SignInCodeResolver {
  @Access(anyone)
  @Extensions({ issuesTokens: true })
  @Mutation(() => Boolean, {
    description:
      'Mails a code for signing in: 8 digits, good for 10 minutes, 5 tries and one sign-in. ' +
      'Always true, whether or not the address has an account. Asked again within a minute, it ' +
      'mails nothing more.',
  })
  async requestSignInCode(
    @Ctx() context: RequestContext,
    @Arg('input', () => RequestSignInCodeInput, { description: 'Where to mail it.' })
    input: RequestSignInCodeInput,
  ): Promise<boolean> {
    return requestSignInCode(context, input);
  }

  @Access(anyone)
  @Extensions({ issuesTokens: true })
  @Mutation(() => SessionAnswer, {
    description:
      'Signs in with a mailed code. The first proof that the address is the account’s own ends ' +
      'what was left by whoever used it before: password, sessions, identities, devices, ' +
      'carers, invitations, calendar feed and planned messages; `changePassword` sets a new ' +
      'password, `confirmEmail` proves and keeps all. SIGN_IN_CODE_INVALID, whatever is wrong ' +
      'with it.',
  })
  async signInWithCode(
    @Ctx() context: RequestContext,
    @Arg('input', () => SignInWithCodeInput, { description: 'Address and code.' })
    input: SignInWithCodeInput,
  ): Promise<SessionAnswer> {
    return signInWithCode(context, input);
  }

  @Access(signedIn)
  @Mutation(() => Account, {
    description:
      'Proves that the own e-mail address is one’s own, by a mailed code and the present ' +
      'password; from then on the account may invite carers and share its calendar. Nothing ' +
      'ends. SIGN_IN_CODE_INVALID, PASSWORD_WRONG, SIGN_IN_AGAIN, TOO_MANY_REQUESTS.',
  })
  async confirmEmail(
    @Ctx() context: RequestContext,
    @Arg('input', () => ConfirmEmailInput, { description: 'Code and password.' })
    input: ConfirmEmailInput,
  ): Promise<Account> {
    return confirmEmail(context, input);
  }
}
