import type { Outcome } from '../../../platform/push/push-transport.js';
import { DeliveryState } from './delivery.state.js';

/** What is written about one delivery after its turn. */
export interface Verdict {
  readonly state: DeliveryState;
  /** When there is something to do about it again. */
  readonly nextAt: number;
  readonly code: string;
  readonly ticket: string;
  /** Whether a provider was asked; a turn that was given back does not count as an attempt. */
  readonly attempted: boolean;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** When Expo knows what became of a message. */
export const RECEIPT_AFTER = 15 * MINUTE;
const LONGEST_BACKOFF = 5 * MINUTE;
/**
 * How long after it was due a message is left to processes that have a provider for its kind, while
 * a deployment brings it or takes it away.
 */
export const ELSEWHERE = 10 * SECOND;
/** The code of deliveries that were missed because there is no provider for their kind. */
export const NOT_CONFIGURED = 'not_configured';
/** How long before a message is of no use it is tried for the last time. */
const LAST_TRY = 10 * SECOND;
/** Longest wait that a provider may ask for: after more, most of the late window would be gone. */
const LONGEST_WAIT = 10 * MINUTE;

/**
 * Returns milliseconds until the next attempt: 2 s, doubling to 5 minutes, with up to a quarter of
 * it added at random so that attempts spread; at least what the provider asked for, up to 10
 * minutes.
 */
export function backoff(attempts: number, asked = 0, random = Math.random()): number {
  const own = Math.min(2 * SECOND * 2 ** (attempts - 1), LONGEST_BACKOFF);
  return Math.max(Math.round(own * (1 + random / 4)), Math.min(asked, LONGEST_WAIT));
}

/** What counts for what becomes of a delivery. Instants are in milliseconds. */
export interface Turned {
  /** How often it was tried. */
  readonly attempts: number;
  readonly dueAt: number;
  readonly expiresAt: number;
}

/** Returns what an outcome means for a delivery. */
export function judge(
  outcome: Outcome,
  { attempts, dueAt, expiresAt }: Turned,
  now: number,
): Verdict {
  const code = ('code' in outcome && outcome.code) || '';
  const final = (state: DeliveryState): Verdict => ({
    state,
    nextAt: now,
    code,
    ticket: '',
    attempted: true,
  });
  switch (outcome.kind) {
    case 'delivered':
      return final(DeliveryState.SENT);
    case 'accepted':
      return {
        ...final(DeliveryState.ACCEPTED),
        nextAt: now + RECEIPT_AFTER,
        ticket: outcome.receipt,
      };
    case 'dead':
      return final(DeliveryState.DEAD);
    case 'refused':
      return final(DeliveryState.FAILED);
    case 'unsent':
      return released(now + outcome.after);
    case 'unserved': {
      // What was tried before is tried again by a process that has the provider.
      const nextAt = attempts > 1 ? now + ELSEWHERE : dueAt + ELSEWHERE;
      return now < nextAt && nextAt < expiresAt
        ? released(nextAt)
        : { ...missed(now), code: NOT_CONFIGURED };
    }
    case 'retry': {
      const nextAt = now + backoff(attempts, outcome.after);
      const again = (at: number): Verdict => ({ ...final(DeliveryState.PLANNED), nextAt: at });
      if (nextAt < expiresAt) return again(nextAt);
      // The pause is ours, unless the provider asked for it: the last minutes are tried once more.
      const lastAt = expiresAt - LAST_TRY;
      const isAsked = now + Math.min(outcome.after ?? 0, LONGEST_WAIT) > lastAt;
      return now < lastAt && !isAsked ? again(lastAt) : final(DeliveryState.MISSED);
    }
  }
}

/** Returns a turn given back unused, to be taken again at `nextAt`. */
export const released = (nextAt: number): Verdict => ({
  state: DeliveryState.PLANNED,
  nextAt,
  code: '',
  ticket: '',
  attempted: false,
});

/** Too late to send. */
export const missed = (now: number): Verdict => ({
  state: DeliveryState.MISSED,
  nextAt: now,
  code: '',
  ticket: '',
  attempted: false,
});
