import type { RequestContext } from '../../../core/context.js';
import { ascending, descending } from '../../../core/keyset.js';
import { listPage } from '../../../core/listing.js';
import type { Page, PageArgs } from '../../../core/paging.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { isUuid } from '../../../platform/uuid.js';
import { ABSOLUTE_LIFETIME, IDLE_LIFETIME } from './refresh.js';
import { Session } from './session.types.js';

const { sql } = Prisma;

type SessionRow = ConstructorParameters<typeof Session>[0];

const COLUMNS = sql`id::text AS id, user_agent AS "userAgent", created_at AS "createdAt",
  used_at AS "usedAt"`;

/**
 * Returns a page of the viewer's active sessions, last used first. Throws CURSOR_INVALID,
 * PAGE_SIZES_BOTH.
 */
export const listSessions = (context: RequestContext, page: PageArgs): Promise<Page<Session>> =>
  listPage(context, page, {
    name: 'sessions',
    order: [descending(sql`used_at`, 'timestamptz'), ascending(sql`id::text`, 'text')],
    usual: 100,
    from: sql`session`,
    where: own(context),
    read: readSessions,
    keysOf: ({ lastUsedAt, id }) => [lastUsedAt, id],
  });

/** Returns the active sessions of these ids that are the viewer's. */
export const sessionsById = (context: RequestContext, ids: readonly string[]): Promise<Session[]> =>
  readSessions(context, sql`${own(context)} AND id = ANY(${ids.filter(isUuid)}::text[]::uuid[])`);

async function readSessions(
  context: RequestContext,
  condition: Prisma.Sql,
  rest = Prisma.empty,
): Promise<Session[]> {
  const rows = await context.rows<SessionRow>(
    sql`SELECT ${COLUMNS} FROM session WHERE ${condition} ${rest}`,
  );
  return rows.map((row) => new Session(row, context.viewer.sessionId));
}

/** Condition for the viewer's sessions that have neither ended nor expired. */
const own = ({ viewer, deps }: RequestContext) => sql`account_id = ${viewer.id}::int
  AND ended_at IS NULL
  AND used_at >= ${new Date(deps.clock() - IDLE_LIFETIME)}::timestamptz
  AND created_at >= ${new Date(deps.clock() - ABSOLUTE_LIFETIME)}::timestamptz`;
