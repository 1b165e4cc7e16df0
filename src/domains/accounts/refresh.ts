/** What the database knows of a session when one of its refresh tokens comes. */
export interface RefreshedSession {
  /** Of the refresh token that is current. */
  readonly counter: number;
  /** When the current token replaced the one before. */
  readonly rotatedAt: Date;
  readonly usedAt: Date;
  readonly endedAt: Date | null;
}

/**
 * What becomes of a refresh token:
 *
 * - `rotate` — it is current: the next one takes its place.
 * - `repeat` — its answer may have been lost: it is answered with the current one, and nothing moves.
 * - `reuse` — it was replaced, and its successor used: somebody holds a copy, and the session ends.
 * - `over` — the session has ended, or was idle for too long.
 */
export type RefreshJudgement = 'rotate' | 'repeat' | 'reuse' | 'over';

const DAY = 24 * 60 * 60 * 1000;

/** Milliseconds after which a session that nobody uses is over. */
export const IDLE_LIFETIME = 90 * DAY;
/** Milliseconds that a token is still answered after its successor was used. */
export const GRACE = 30_000;

/**
 * Judges the refresh token with this counter at `now` (milliseconds since 1970). The token one step behind is answered with the current
 * one for as long as that one is unused; once it is used the token is two steps behind, and has 30 seconds left. Three steps behind is
 * too old at any time. A token ahead of the database was issued before a backup was restored: it is ours, and as good as the current one.
 */
export function judgeRefresh(session: RefreshedSession, counter: number, now: number): RefreshJudgement {
  if (session.endedAt || now - session.usedAt.getTime() > IDLE_LIFETIME) return 'over';
  const behind = session.counter - counter;
  if (behind <= 0) return 'rotate';
  if (behind === 1) return 'repeat';
  return behind === 2 && now - session.rotatedAt.getTime() <= GRACE ? 'repeat' : 'reuse';
}
