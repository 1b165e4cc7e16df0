import type { RequestContext } from '../../../core/context.js';
import { isGuest } from '../../../core/viewer.js';
import type { Policy } from '../../../platform/limits/limiter.js';
import { spend } from './sign-in-limits.service.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/**
 * Limits per address for actions without an account, because each of them stores data. A clinic that
 * brings its patients in has one address: new accounts are 30 at once, and grow by 180 an hour.
 */
const PER_ADDRESS = {
  signUp: { name: 'sign-up', points: 30, seconds: 10 * MINUTE },
  guest: { name: 'guest', points: 30, seconds: 10 * MINUTE },
  /** Removes a push token without being signed in. */
  pushTokenRemoval: { name: 'push-token-removal', points: 30, seconds: HOUR },
  /** A submission of a form. */
  form: { name: 'form', points: 10, seconds: HOUR },
} as const satisfies Readonly<Record<string, Policy>>;

/**
 * Counts one such action against the caller's address. Throws TOO_MANY_REQUESTS above the limit.
 */
export async function guardAddress(
  context: RequestContext,
  what: keyof typeof PER_ADDRESS,
): Promise<void> {
  await spend(context, PER_ADDRESS[what], context.input.address ?? '');
}

/**
 * Counts a submission of a form against the member who sends it, against the address for strangers
 * and guests: a ward has one address. Throws TOO_MANY_REQUESTS above the limit.
 */
export async function guardForm(context: RequestContext): Promise<void> {
  const { viewer } = context;
  if (!viewer.id || isGuest(viewer)) await guardAddress(context, 'form');
  else await spend(context, PER_ADDRESS.form, `account ${viewer.id}`);
}
