/** What the database knows of a session when one of its refresh tokens comes. */
export interface RefreshedSession {
  /** Of the refresh token that is current. */
  readonly counter: number;
  /**
   * When an access token that was issued with the current refresh token was first used; null until
   * then.
   */
  readonly pairUsedAt: Date | null;
  readonly createdAt: Date;
  readonly usedAt: Date;
  readonly endedAt: Date | null;
}

/**
 * What becomes of a refresh token:
 *
 * - `rotate` — it is current: the next one takes its place.
 * - `repeat` — its answer may have been lost: it is answered with the current one, and nothing
 *   moves.
 * - `reuse` — it was replaced, and what replaced it is in use: somebody holds a copy, and the
 *   session ends.
 * - `over` — the session has ended, was idle for too long, or is too old.
 */
export type RefreshJudgement = 'rotate' | 'repeat' | 'reuse' | 'over';

const DAY = 24 * 60 * 60 * 1000;

/** Milliseconds after which a session that nobody refreshes is over. */
export const IDLE_LIFETIME = 90 * DAY;
/** Milliseconds after which a session is over, however much it is used. */
export const ABSOLUTE_LIFETIME = 180 * DAY;
/**
 * Milliseconds that a token is still answered after the access token of its successor was first
 * used: time for a second tab.
 */
export const GRACE = 30_000;

/**
 * Judges the refresh token with this counter at `now` (milliseconds since 1970), by RFC 9700,
 * section 4.14.2. The token one step behind is answered with the current one until an access token
 * issued with that one is used, and for 30 s after: its answer may have been lost, or two tabs had
 * it at once. Once the current refresh token is used the token is two steps behind: nobody who
 * follows the protocol sends it any more. A token ahead of the database was issued before a backup
 * was restored: it is as good as the current one.
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
