import { Ctx, Int, Resolver } from 'type-graphql';
import { Access, bySession, signedIn } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { InputArg } from '../../../core/marks.js';
import { payloadType } from '../../../core/payload.js';
import { Mutation } from '../../../core/root-fields.js';
import { OwnAccount } from '../../accounts/own-account.types.js';
import { ChangePasswordInput } from './present-password.inputs.js';
import { changePassword } from './present-password.service.js';

interface ChangePasswordPayload {
  readonly viewer: OwnAccount;
  readonly endedSessions: number;
}

const ChangePasswordPayload = payloadType<ChangePasswordPayload>('ChangePassword', {
  viewer: { type: () => OwnAccount, description: 'The viewer.' },
  endedSessions: { type: () => Int, description: 'How many other sessions ended.' },
});

/** The root field by which viewers change their password. */
@Resolver()
export class PresentPasswordResolver {
  @Access(bySession(signedIn))
  @Mutation(() => ChangePasswordPayload, {
    description:
      'Sets a new password, ends all other sessions and mails a notice. PASSWORD_WRONG, ' +
      'PASSWORD_INVALID; SIGN_IN_AGAIN for an account without a password that signed in more ' +
      'than 10 minutes ago, if it has an e-mail address or an identity to sign in by; FORBIDDEN ' +
      'by an application password. No Idempotency-Key is stored: a retry is PASSWORD_WRONG once ' +
      'the password was changed.',
  })
  async changePassword(
    @Ctx() context: RequestContext,
    @InputArg(ChangePasswordInput) input: ChangePasswordInput,
  ): Promise<ChangePasswordPayload> {
    const { account, endedSessions } = await changePassword(context, input);
    return { viewer: new OwnAccount(account), endedSessions };
  }
}
