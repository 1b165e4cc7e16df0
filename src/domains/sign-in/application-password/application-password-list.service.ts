import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { type OrderKey, orderOf, within } from '../../../core/keyset.js';
import { type Page, type PageArgs, pageOf, windowOf } from '../../../core/paging.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { isUuid } from '../../../platform/uuid.js';
import { ApplicationPassword } from './application-password.types.js';

const { sql } = Prisma;

type Row = Pick<ApplicationPassword, 'id' | 'name' | 'appId' | 'createdAt' | 'lastUsedAt'>;

const COLUMNS = sql`id::text AS id, name, app_id::text AS "appId", created_at AS "createdAt",
  last_used_at AS "lastUsedAt"`;

const ORDER = [
  { value: sql`created_at`, type: 'timestamptz', descending: true },
  { value: sql`id::text`, type: 'text', descending: false },
] as const satisfies readonly OrderKey[];

const shown = (row: Row) => Object.assign(new ApplicationPassword(), row);

/**
 * Returns a page of the viewer's application passwords, newest first. Throws CURSOR_INVALID,
 * PAGE_SIZES_BOTH.
 */
export async function listApplicationPasswords(
  context: RequestContext,
  page: PageArgs,
): Promise<Page<ApplicationPassword>> {
  const window = windowOf(page, 'application passwords', ORDER, 100);
  const rows = await context.rows<Row>(sql`
    SELECT ${COLUMNS} FROM application_password
    WHERE account_id = ${context.viewer.id}::int AND ${within(ORDER, window)}
    ${orderOf(ORDER, window)} LIMIT ${window.size + 1}::int`);
  return pageOf(
    rows.map(shown),
    window,
    ({ createdAt, id }) => [createdAt, id],
    () => context.db.applicationPassword.count({ where: { accountId: context.viewer.id } }),
  );
}

/** Returns the application passwords of these ids that are the viewer's. */
export async function applicationPasswordsById(
  context: RequestContext,
  ids: readonly string[],
): Promise<ApplicationPassword[]> {
  const rows = await context.rows<Row>(sql`
    SELECT ${COLUMNS} FROM application_password
    WHERE account_id = ${context.viewer.id}::int
      AND id = ANY(${ids.filter(isUuid)}::text[]::uuid[])`);
  return rows.map(shown);
}

/** Returns the application password that signed the request in; undefined when none did. */
export async function usedApplicationPassword(
  context: RequestContext,
): Promise<ApplicationPassword | undefined> {
  const { applicationPasswordId: id } = context.viewer;
  const [found] = id ? await applicationPasswordsById(context, [id]) : [];
  return found;
}

/**
 * Returns the application password that signed the request in. Throws APPLICATION_PASSWORD_NOT_USED
 * when none did.
 */
export async function presentApplicationPassword(
  context: RequestContext,
): Promise<ApplicationPassword> {
  const found = await usedApplicationPassword(context);
  if (found) return found;
  const message = 'You are not signed in by an application password.';
  throw refuse('APPLICATION_PASSWORD_NOT_USED', message);
}
