/** The columns of a session that decide about a refresh token. */
export interface RefreshedSession {
  /** The counter of the current refresh token. */
  readonly counter: number;
  /**
   * When an access token that was issued with the current refresh token was first used; null before
   * that.
   */
  readonly pairUsedAt: Date | null;
  readonly createdAt: Date;
  readonly usedAt: Date;
  readonly endedAt: Date | null;
}

/**
 * What happens with a refresh token:
 *
 * - `rotate` — it is the current one: a new pair is issued.
 * - `repeat` — its response may have been lost: the current pair is issued again.
 * - `reuse` — it was replaced, and the new one is in use, so there is a copy of it: the session
 *   ends.
 * - `over` — the session has ended, was idle for too long, or is too old.
 */
export type RefreshJudgement = 'rotate' | 'repeat' | 'reuse' | 'over';

const DAY = 24 * 60 * 60 * 1000;

/** Milliseconds without a refresh after which a session ends. */
export const IDLE_LIFETIME = 90 * DAY;
/** Milliseconds after which a session ends in any case. */
export const ABSOLUTE_LIFETIME = 180 * DAY;
/**
 * Milliseconds for which the previous refresh token is accepted after the new access token was
 * first used, for example for a second tab.
 */
export const GRACE = 30_000;

/**
 * Judges the refresh token with this counter at `now` (milliseconds since 1970), according to RFC
 * 9700, section 4.14.2. The token one step behind gets the current pair until the current access
 * token is used, and for 30 s after that: its response may have been lost, or two tabs may have
 * sent it at the same time. A token two or more steps behind ends the session: a client that
 * follows the protocol never sends one. A token ahead of the database was issued before a backup
 * was restored; it counts as the current one.
 */
export function judgeRefresh(
  session: RefreshedSession,
  counter: number,
  now: number,
): RefreshJudgement {
  const { createdAt, usedAt, endedAt, pairUsedAt } = session;
  if (
    endedAt ||
    now - usedAt.getTime() > IDLE_LIFETIME ||
    now - createdAt.getTime() > ABSOLUTE_LIFETIME
  )
    return 'over';
  const behind = session.counter - counter;
  if (behind <= 0) return 'rotate';
  return behind === 1 && (!pairUsedAt || now - pairUsedAt.getTime() <= GRACE) ? 'repeat' : 'reuse';
}
