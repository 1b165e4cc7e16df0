import { Arg, Ctx, Extensions, Mutation, Resolver } from 'type-graphql';
import { Access, anyone } from '../../access.js';
import type { RequestContext } from '../../context.js';
import { SessionAnswer } from './account.types.js';
import { RequestSignInCodeInput, SignInWithCodeInput } from './sign-in-code.inputs.js';
import { requestSignInCode, signInWithCode } from './sign-in-code.service.js';

@Resolver()
export class SignInCodeResolver {
  @Access(anyone)
  @Extensions({ issuesTokens: true })
  @Mutation(() => Boolean, {
    description:
      'Mails a code for signing in: 8 digits, good for 10 minutes, 5 tries and one sign-in. Always true, whether or not the address has an account. Asked again within a minute, it mails nothing more.',
  })
  async requestSignInCode(
    @Ctx() context: RequestContext,
    @Arg('input', () => RequestSignInCodeInput, { description: 'Where to mail it.' }) input: RequestSignInCodeInput,
  ): Promise<boolean> {
    return requestSignInCode(context, input);
  }

  @Access(anyone)
  @Extensions({ issuesTokens: true })
  @Mutation(() => SessionAnswer, {
    description:
      'Signs in with a mailed code. The first proof that the address is the account’s own ends its other sessions and takes away a password that was set before; `changePassword` sets a new one. SIGN_IN_CODE_INVALID, whatever is wrong with it.',
  })
  async signInWithCode(
    @Ctx() context: RequestContext,
    @Arg('input', () => SignInWithCodeInput, { description: 'Address and code.' }) input: SignInWithCodeInput,
  ): Promise<SessionAnswer> {
    return signInWithCode(context, input);
  }
}
