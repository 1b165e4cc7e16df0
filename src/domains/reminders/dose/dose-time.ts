import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';

const MINUTE = 60_000;
/** How long before its time a dose may be answered, in milliseconds. */
export const EARLIEST = 24 * 60 * MINUTE;
/** How far the clocks of clients may run ahead of ours, in milliseconds. */
const AHEAD = 5 * MINUTE;
/** How long after its time a dose may be put off, in milliseconds. */
const LATEST_SNOOZE = 24 * 60 * MINUTE;

/** Throws TOO_EARLY more than 24 hours before an instant, in milliseconds. */
export function refuseEarly(context: RequestContext, at: number): void {
  if (at <= context.now().getTime() + EARLIEST) return;
  throw refuse('TOO_EARLY', 'This can be answered for from 24 hours before its time.');
}

/** Throws TOO_LATE more than 24 hours after an instant, in milliseconds. */
export function refuseLate(context: RequestContext, at: number): void {
  if (at >= context.now().getTime() - LATEST_SNOOZE) return;
  const until = 'This can be put off until 24 hours after its time.';
  throw refuse('TOO_LATE', `${until} It can still be taken or skipped.`);
}

/**
 * Returns when a dose was taken: now unless said otherwise. Throws TIME_INVALID in the future, and
 * before `earliest`, in milliseconds.
 */
export function takenAt(
  context: RequestContext,
  at: Date | null | undefined,
  earliest: number,
): Date {
  const now = context.now();
  if (!at) return now;
  const param = 'at';
  if (at.getTime() > now.getTime() + AHEAD) {
    throw refuse('TIME_INVALID', 'What was taken cannot lie in the future.', { param });
  }
  if (at.getTime() < earliest) {
    const bound = new Date(earliest).toISOString();
    throw refuse('TIME_INVALID', `This cannot have been taken before ${bound}.`, { param });
  }
  return at;
}
