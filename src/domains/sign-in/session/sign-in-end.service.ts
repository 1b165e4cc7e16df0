import type { Deps } from '../../../core/deps.js';
import type { WatchedSignIn } from '../../../core/live.js';
import type { Viewer } from '../../../core/viewer.js';
import { Prisma } from '../../../generated/prisma/client.js';

const SESSION = 'session:';
const PASSWORD = 'application_password:';

/** Returns the sign-in of a viewer, for those who watch; undefined for the anonymous. */
export function signInOf({ sessionId, applicationPasswordId }: Viewer): WatchedSignIn | undefined {
  if (sessionId) {
    const message = 'The access token is not valid. Sign in again.';
    return { name: `${SESSION}${sessionId}`, refusal: { reason: 'TOKEN_INVALID', message } };
  }
  if (!applicationPasswordId) return undefined;
  const message = 'Sorry, you are not allowed to do that.';
  const refusal = { reason: 'UNAUTHENTICATED', message } as const;
  return { name: `${PASSWORD}${applicationPasswordId}`, refusal };
}

/**
 * Returns version 1 for each sign-in among watched names that has ended, was revoked, or whose
 * account is suspended or gone, for the hub. Uses one statement, and none without sign-ins.
 */
export async function endedSignIns(
  { database }: Pick<Deps, 'database'>,
  names: readonly string[],
): Promise<Map<string, number>> {
  const idsOf = (prefix: string) =>
    names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  const [sessions, passwords] = [idsOf(SESSION), idsOf(PASSWORD)];
  if (sessions.length + passwords.length === 0) return new Map();
  const { text, values } = Prisma.sql`
    SELECT ${SESSION}::text || w.id AS name FROM unnest(${sessions}::uuid[]) AS w(id)
      WHERE NOT EXISTS (SELECT FROM session s JOIN account a ON a.id = s.account_id
        WHERE s.id = w.id AND s.ended_at IS NULL AND a.suspended_at IS NULL)
    UNION ALL SELECT ${PASSWORD}::text || w.id FROM unnest(${passwords}::uuid[]) AS w(id)
      WHERE NOT EXISTS (SELECT FROM application_password p JOIN account a ON a.id = p.account_id
        WHERE p.id = w.id AND a.suspended_at IS NULL)`;
  const rows = await database.query<{ name: string }>(text, values);
  return new Map(rows.map(({ name }) => [name, 1]));
}
