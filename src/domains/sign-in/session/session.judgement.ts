import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { Judge, refusalsOf } from '../../../core/judgement.js';
import { Role } from '../../../core/roles.js';
import { refuseUnknownLanguage } from '../../accounts/account.service.js';
import { refusePassword } from '../../accounts/password.js';
import type { CreateGuestSessionInput, SignUpInput } from './session.inputs.js';

/** Throws EMAIL_REQUIRED when a caller who is not a guest signs up without an e-mail address. */
export function refuseWithoutEmail(
  { viewer }: RequestContext,
  { email }: Pick<SignUpInput, 'email'>,
): void {
  if (email || viewer.roles.includes(Role.GUEST)) return;
  throw refuse('EMAIL_REQUIRED', 'An e-mail address is needed to sign up.', { param: 'email' });
}

const language = (context: RequestContext, id: unknown) =>
  typeof id === 'number' && refuseUnknownLanguage(context, id);

/** Judgement of the language: LANGUAGE_UNKNOWN. */
export const JudgeLanguage = () =>
  Judge((context: RequestContext, { input }: { input: CreateGuestSessionInput }) =>
    refusalsOf(() => language(context, input.language)),
  );

/**
 * Judgement of signing up: EMAIL_REQUIRED, PASSWORD_INVALID, LANGUAGE_UNKNOWN. The refusal of a
 * guest's invalid token comes first.
 */
export const JudgeSignUp = () =>
  Judge((context: RequestContext, { input }: { input: SignUpInput }) =>
    refusalsOf(
      () => context.input.refusal || refuseWithoutEmail(context, input),
      () => input.password && refusePassword(input.password),
      () => language(context, input.language),
    ),
  );
