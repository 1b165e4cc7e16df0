import { accountKey } from '../../core/account-name.js';
import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { listPage } from '../../core/listing.js';
import { byNumber, byText, byTime, Direction, type Order, ordering } from '../../core/ordering.js';
import type { Page, PageArgs } from '../../core/paging.js';
import { isMember, Role } from '../../core/roles.js';
import { refuseStale } from '../../core/row.js';
import { containing, literally } from '../../core/search.js';
import { transact } from '../../core/transact.js';
import { isGuest, type Viewer } from '../../core/viewer.js';
import { Prisma } from '../../generated/prisma/client.js';
import { recordAudit } from '../audit/audit.service.js';
import { accountsById, changedAccount } from './account.service.js';
import { Account } from './account.types.js';
import type { AccountFilter, SetRolesInput } from './account-admin.inputs.js';
import { lockAdministrators } from './administrators.service.js';
import { personNotFound } from './person.service.js';
import { holdSignIn } from './sign-in-lock.service.js';

const { sql } = Prisma;

/**
 * Sets the roles of an account. When the account becomes a member's, its application passwords are
 * deleted, because other people may have created them. An account without a role signs in, and may
 * do what no role is needed for. Of the own account, what follows in the request goes by the new roles.
 * Throws USER_NOT_FOUND, LAST_ADMINISTRATOR, CONFLICT.
 */
export async function setRoles(
  context: RequestContext,
  { userId, roles, version }: SetRolesInput,
): Promise<Account> {
  const wanted = [...new Set(roles)];
  const { viewer } = context;
  await transact(
    context,
    async (inner) => {
      if (!wanted.includes(Role.ADMINISTRATOR)) await keepAnAdministrator(inner, userId);
      const held = await inner.rows<{ id: number; roles: string[]; version: number }>(sql`
        SELECT id, roles, version FROM account WHERE id IN (${userId}::int, ${viewer.id}::int)
        ORDER BY id FOR NO KEY UPDATE`);
      refuseFormer(viewer, held);
      await holdSignIn(inner);
      const account = held.find(({ id }) => id === userId);
      if (!account) throw personNotFound();
      refuseStale('account', account, version);
      // The year of an idle guest begins when a member becomes one.
      const before = account.roles as Role[];
      const idle = isGuest({ roles: wanted }) &&
        !isGuest({ roles: before }) && { idleSince: inner.now() };
      await inner.db.account.update({
        where: { id: userId },
        data: { roles: wanted, ...idle, version: { increment: 1 } },
        select: { id: true },
      });
      if (isMember(wanted) && !isMember(account.roles))
        await inner.db.applicationPassword.deleteMany({ where: { accountId: userId } });
      const detail = { before: account.roles.join(' '), after: wanted.join(' ') };
      await recordAudit(inner, { action: 'roles.change', subjectId: userId, detail });
      return userId;
    },
    { replayable: true },
  );
  const account = await changedAccount(context, userId);
  if (userId === context.viewer.id) context.viewerHas(account.roles);
  return account;
}

/**
 * Throws FORBIDDEN for a viewer who has lost the role while the request waited or came. A command of
 * the operator has no viewer: account 0 is the unknown author of an import.
 */
function refuseFormer(
  { id }: Viewer,
  held: readonly { readonly id: number; readonly roles: readonly string[] }[],
): void {
  const self = id ? held.find((account) => account.id === id) : undefined;
  if (self && !self.roles.includes(Role.ADMINISTRATOR))
    throw refuse('FORBIDDEN', 'Sorry, you are not allowed to do that.');
}

/**
 * Throws LAST_ADMINISTRATOR when the account is the only administrator who is not suspended. Call it
 * in the transaction that takes the role away, before `holdSignIn`: who waits for this lock may hold
 * no session that the other transaction ends. It locks all administrators, so transactions that
 * demote, suspend or erase administrators at the same time run one after the other.
 */
export async function keepAnAdministrator(
  context: RequestContext,
  leavingId: number,
): Promise<void> {
  const administrators = await lockAdministrators(context);
  if (administrators.length === 1 && administrators[0] === leavingId) {
    throw refuse('LAST_ADMINISTRATOR', 'This is the last administrator: name another one first.', {
      param: 'userId',
    });
  }
}

const NUMBER = byNumber(sql`id`, ({ id }: Account) => id);

/** What accounts may be ordered by. */
export const ACCOUNT_ORDERS = ordering<Account>({
  noun: 'Account',
  what: 'accounts',
  choices: {
    ID: NUMBER,
    CREATED_AT: byTime('By when they were made.', sql`created_at`, ({ createdAt }) => createdAt),
    USERNAME: byText(
      'By the name to sign in with; case is ignored.',
      sql`username_key`,
      ({ username }) => accountKey(username),
    ),
  },
  usual: { field: 'ID', direction: Direction.ASC },
  ties: [NUMBER],
});

/**
 * Returns a page of accounts in the order of their ids. For administrators. The access is audited.
 * Throws CURSOR_INVALID, PAGE_SIZES_BOTH.
 */
export async function listAccounts(
  context: RequestContext,
  filter: AccountFilter,
  page: PageArgs,
  order?: Order | null,
): Promise<Page<Account>> {
  const accounts = await listPage(context, page, {
    ...ACCOUNT_ORDERS.of('accounts', order),
    usual: 100,
    from: sql`account`,
    where: matching(filter),
    read: readAccounts,
  });
  await auditListing(context, accounts.nodes.length);
  return accounts;
}

async function readAccounts(
  context: RequestContext,
  condition: Prisma.Sql,
  rest: Prisma.Sql,
): Promise<Account[]> {
  const ids = await context.rows<{ id: number }>(
    sql`SELECT id FROM account WHERE ${condition} ${rest}`,
  );
  const accounts = await context.loader(accountsById).loadMany(ids.map(({ id }) => id));
  return accounts.filter(
    (account): account is Account => account !== undefined && !(account instanceof Error),
  );
}

/** Audits that the viewer, an administrator, reads so many accounts. */
export async function auditListing(context: RequestContext, accounts: number): Promise<void> {
  await transact(context.as(context.viewer), (inner) =>
    recordAudit(inner, { action: 'account.list', subjectId: null, detail: { accounts } }),
  );
}

/** Returns the accounts with this user name, e-mail address or id, in the order of their ids. */
export async function accountsNamed(context: RequestContext, name: string): Promise<Account[]> {
  const key = accountKey(name);
  const named = [{ usernameKey: key }, { emailKey: key }];
  const where = { OR: /^\d{1,9}$/.test(name) ? [{ id: Number(name) }, ...named] : named };
  const rows = await context.db.account.findMany({
    where,
    omit: { passwordHash: true },
    orderBy: { id: 'asc' },
  });
  return rows.map((row) => new Account(row, context.siteUrl));
}

function matching({ search, role, suspended }: AccountFilter): Prisma.Sql {
  const text = accountKey(search ?? '');
  const pattern = `%${literally(text)}%`;
  const found = text
    ? sql`(username_key LIKE ${pattern} OR email_key LIKE ${pattern} OR folded(name) LIKE ${containing(search ?? '')})`
    : sql`TRUE`;
  const ofRole = role ? sql`${role} = ANY(roles)` : sql`TRUE`;
  const inUse =
    typeof suspended === 'boolean' ? sql`(suspended_at IS NOT NULL) = ${suspended}` : sql`TRUE`;
  return sql`${found} AND ${ofRole} AND ${inUse}`;
}
