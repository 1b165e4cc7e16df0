import { Ctx, Resolver } from 'type-graphql';
import { Access, anyone, capable } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { Judge, refusalsOf } from '../../core/judgement.js';
import { InputArg } from '../../core/marks.js';
import { payloadType } from '../../core/payload.js';
import { Mutation } from '../../core/root-fields.js';
import { Account } from '../accounts/account.types.js';
import { refusePassword } from '../accounts/password.js';
import {
  CheckPasswordResetCodeInput,
  RequestPasswordResetInput,
  ResetPasswordInput,
  SendPasswordResetInput,
} from './reset.inputs.js';
import { checkResetCode, requestReset, resetPassword, sendReset } from './reset.service.js';
import {
  CheckPasswordResetCodePayload,
  RequestPasswordResetPayload,
  ResetPasswordPayload,
} from './reset.types.js';

/** Judgement of the new password: PASSWORD_INVALID. A missing email or code is reported first. */
const JudgeNewPassword = () =>
  Judge(
    (
      _context: RequestContext,
      { input: { email, code, password } }: { input: ResetPasswordInput },
    ) => refusalsOf(() => email && code && password && refusePassword(password)),
  );

const SendPasswordResetPayload = payloadType<{ account: Account }>('SendPasswordReset', {
  account: { type: () => Account, description: 'The account.' },
});

/** Root fields that reset a password. */
@Resolver()
export class PasswordResetResolver {
  @Access(anyone)
  @Mutation(() => RequestPasswordResetPayload, {
    description:
      'Mails a code to the address if an account has it: 8 digits, good once and for 10 ' +
      'minutes, in place of the one before; at most 3 in 15 minutes, silently. The payload and ' +
      'the work are the same for every address. RESET_EMAIL_REQUIRED.',
  })
  async requestPasswordReset(
    @Ctx() context: RequestContext,
    @InputArg(RequestPasswordResetInput) input: RequestPasswordResetInput,
  ): Promise<RequestPasswordResetPayload> {
    await requestReset(context, input);
    const message = 'A password reset email has been sent to your email address.';
    return new RequestPasswordResetPayload(message);
  }

  @Access(capable('manage_accounts'))
  @Mutation(() => SendPasswordResetPayload, {
    description:
      'Mails an account a code for a new password, as `requestPasswordReset` does: at most 3 in 15 ' +
      'minutes, silently. The present password stays until it is used. For administrators; ' +
      'audited. USER_NOT_FOUND, ACCOUNT_SUSPENDED, EMAIL_REQUIRED where nobody signs in by its ' +
      'address.',
  })
  async sendPasswordReset(
    @Ctx() context: RequestContext,
    @InputArg(SendPasswordResetInput) input: SendPasswordResetInput,
  ): Promise<{ account: Account }> {
    return { account: await sendReset(context, input) };
  }

  @Access(anyone)
  @Mutation(() => CheckPasswordResetCodePayload, {
    description:
      'Checks a code without using it up. Five wrong codes, here and in resetPassword ' +
      'together, end it. RESET_EMAIL_REQUIRED, CODE_REQUIRED, RESET_CODE_WRONG.',
  })
  async checkPasswordResetCode(
    @Ctx() context: RequestContext,
    @InputArg(CheckPasswordResetCodeInput) input: CheckPasswordResetCodeInput,
  ): Promise<CheckPasswordResetCodePayload> {
    const expiresAt = await checkResetCode(context, input);
    return new CheckPasswordResetCodePayload('The code supplied is valid.', expiresAt);
  }

  @Access(anyone)
  @JudgeNewPassword()
  @Mutation(() => ResetPasswordPayload, {
    description:
      'Sets a new password and uses the code up. Every session of the account ends and a ' +
      'notice is mailed; application passwords and identities stay, unless this is the first ' +
      'proof that the address is the account’s own. RESET_EMAIL_REQUIRED, CODE_REQUIRED, ' +
      'NEW_PASSWORD_REQUIRED, PASSWORD_INVALID, RESET_CODE_WRONG.',
  })
  async resetPassword(
    @Ctx() context: RequestContext,
    @InputArg(ResetPasswordInput) input: ResetPasswordInput,
  ): Promise<ResetPasswordPayload> {
    const endedSessions = await resetPassword(context, input);
    return new ResetPasswordPayload('Password reset successfully.', endedSessions);
  }
}
