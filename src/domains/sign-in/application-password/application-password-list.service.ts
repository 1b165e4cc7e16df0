import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { ascending, descending } from '../../../core/keyset.js';
import { listPage } from '../../../core/listing.js';
import type { Page, PageArgs } from '../../../core/paging.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { isUuid } from '../../../platform/uuid.js';
import { ApplicationPassword } from './application-password.types.js';

const { sql } = Prisma;

type PasswordRow = Pick<ApplicationPassword, 'id' | 'name' | 'appId' | 'createdAt' | 'lastUsedAt'>;

const COLUMNS = sql`id::text AS id, name, app_id::text AS "appId", created_at AS "createdAt",
  last_used_at AS "lastUsedAt"`;

/**
 * Returns a page of the viewer's application passwords, newest first. Throws CURSOR_INVALID,
 * PAGE_SIZES_BOTH.
 */
export const listApplicationPasswords = (
  context: RequestContext,
  page: PageArgs,
): Promise<Page<ApplicationPassword>> =>
  listPage(context, page, {
    name: 'application passwords',
    order: [descending(sql`created_at`, 'timestamptz'), ascending(sql`id::text`, 'text')],
    usual: 100,
    from: sql`application_password`,
    where: own(context),
    read: readPasswords,
    keysOf: ({ createdAt, id }) => [createdAt, id],
  });

const own = ({ viewer }: RequestContext) => sql`account_id = ${viewer.id}::int`;

async function readPasswords(
  context: RequestContext,
  condition: Prisma.Sql,
  rest = Prisma.empty,
): Promise<ApplicationPassword[]> {
  const rows = await context.rows<PasswordRow>(
    sql`SELECT ${COLUMNS} FROM application_password WHERE ${condition} ${rest}`,
  );
  return rows.map((row) => Object.assign(new ApplicationPassword(), row));
}

/** Returns the application passwords of these ids that are the viewer's. */
export const applicationPasswordsById = (
  context: RequestContext,
  ids: readonly string[],
): Promise<ApplicationPassword[]> =>
  readPasswords(context, sql`${own(context)} AND id = ANY(${ids.filter(isUuid)}::text[]::uuid[])`);

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
