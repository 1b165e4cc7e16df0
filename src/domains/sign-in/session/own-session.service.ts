import type { RequestContext } from '../../../core/context.js';
import { type OrderKey, orderOf, within } from '../../../core/keyset.js';
import { type Page, type PageArgs, pageOf, windowOf } from '../../../core/paging.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { isUuid } from '../../../platform/uuid.js';
import { ABSOLUTE_LIFETIME, IDLE_LIFETIME } from './refresh.js';
import { Session } from './session.types.js';

const { sql } = Prisma;

type SessionRow = ConstructorParameters<typeof Session>[0];

const COLUMNS = sql`id::text AS id, user_agent AS "userAgent", created_at AS "createdAt",
  used_at AS "usedAt"`;

const ORDER = [
  { value: sql`used_at`, type: 'timestamptz', descending: true },
  { value: sql`id::text`, type: 'text', descending: false },
] as const satisfies readonly OrderKey[];

/**
 * Returns a page of the viewer's active sessions, last used first. Throws CURSOR_INVALID,
 * PAGE_SIZES_BOTH.
 */
export async function listSessions(
  context: RequestContext,
  page: PageArgs,
): Promise<Page<Session>> {
  const window = windowOf(page, 'sessions', ORDER, 100);
  const rows = await context.rows<SessionRow>(sql`
    SELECT ${COLUMNS} FROM session WHERE ${own(context)} AND ${within(ORDER, window)}
    ${orderOf(ORDER, window)} LIMIT ${window.size + 1}::int`);
  const sessions = rows.map((row) => new Session(row, context.viewer.sessionId));
  return pageOf(
    sessions,
    window,
    ({ lastUsedAt, id }) => [lastUsedAt, id],
    () => countSessions(context),
  );
}

async function countSessions(context: RequestContext): Promise<number> {
  const [row] = await context.rows<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM session WHERE ${own(context)}`,
  );
  return row?.count ?? 0;
}

/** Returns the active sessions of these ids that are the viewer's. */
export async function sessionsById(
  context: RequestContext,
  ids: readonly string[],
): Promise<Session[]> {
  const rows = await context.rows<SessionRow>(sql`
    SELECT ${COLUMNS} FROM session
    WHERE ${own(context)} AND id = ANY(${ids.filter(isUuid)}::text[]::uuid[])`);
  return rows.map((row) => new Session(row, context.viewer.sessionId));
}

/** Condition for the viewer's sessions that have neither ended nor expired. */
const own = ({ viewer, deps }: RequestContext) => sql`account_id = ${viewer.id}::int
  AND ended_at IS NULL
  AND used_at >= ${new Date(deps.clock() - IDLE_LIFETIME)}::timestamptz
  AND created_at >= ${new Date(deps.clock() - ABSOLUTE_LIFETIME)}::timestamptz`;
