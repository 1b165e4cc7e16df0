import { accountKey } from '../../core/account-name.js';
import type { RequestContext } from '../../core/context.js';
import { DomainError, refuse } from '../../core/errors.js';
import { fold } from '../../core/folding.js';
import { globalId } from '../../core/node.js';
import { tooMany } from '../../core/quota.js';
import { Role } from '../../core/roles.js';
import { hold, transact } from '../../core/transact.js';
import { Prisma } from '../../generated/prisma/client.js';
import { recordAudit, recordAudits } from '../audit/audit.service.js';
import type { MemberLookupArgs } from './member-lookup.inputs.js';
import { FoundMember } from './member-lookup.types.js';

const { sql } = Prisma;
const HOUR = 60 * 60 * 1000;
/** So many lookups an account may do within an hour, and within a day. */
const LIMITS = [
  { within: HOUR, most: 20 },
  { within: 24 * HOUR, most: 60 },
] as const;
const HIGHEST = Math.max(...LIMITS.map(({ most }) => most));
const LONGEST = Math.max(...LIMITS.map(({ within }) => within));
/** So many members one name finds. */
const MOST_FOUND = 5;
const LOOKED_UP = 'care.lookup';

/**
 * Returns the members of an exact e-mail address, or of an exact name for a reason, so that their
 * glass can be broken: at most 5, the oldest accounts first. Each lookup is audited, also one that is
 * refused, and each member finds it in the own audit. Throws LOOKUP_INVALID, and TOO_MANY_REQUESTS
 * above 20 an hour or 60 a day, whatever they found.
 */
export async function lookUpMembers(
  context: RequestContext,
  { email, name, reason }: MemberLookupArgs,
): Promise<FoundMember[]> {
  const named = name?.trim();
  if (email ? named : !(named && reason))
    throw refuse('LOOKUP_INVALID', 'Give an e-mail address, or a name and a reason.', {
      param: email || named ? 'reason' : 'email',
    });
  const condition = email
    ? sql`email_key = ${accountKey(email)}`
    : sql`folded(name) = ${fold(named ?? '')}`;
  return transact(context.as(context.viewer), async (inner) => {
    await hold(inner, `lookup:${inner.viewer.id}`); // so that simultaneous lookups are counted
    await refuseTooMany(inner);
    const found = await inner.rows<{ id: number; name: string; email: string | null }>(sql`
      SELECT id, name, email FROM account
      WHERE ${condition} AND roles && ${[Role.SUBSCRIBER, Role.GUEST]}::text[]
        AND id <> ${inner.viewer.id}::int
      ORDER BY id LIMIT ${MOST_FOUND}::int`);
    const by = email ? 'email' : 'name';
    const detail = { by, ...(reason && { reason }) };
    // The reason may tell about health: it is kept under the keys of the members alone.
    await recordAudits(inner, [
      { action: LOOKED_UP, subjectId: null, detail: { by, found: found.length } },
      ...found.map(({ id }) => ({ action: 'care.found', subjectId: id, detail })),
    ]);
    return found.map(({ id, name, email }) =>
      Object.assign(new FoundMember(), {
        memberId: globalId('Account', id),
        name,
        emailHint: email && hintOf(email),
      }),
    );
  }).catch(async (error: unknown) => {
    // The refusal rolled its transaction back, so it is audited in a separate one.
    if (error instanceof TooOften)
      await transact(context.as(context.viewer), (inner) =>
        recordAudit(inner, { action: 'care.lookup_refused', subjectId: null }),
      );
    throw error;
  });
}

class TooOften extends DomainError {}

/** Returns the first letter and the domain of an address. */
const hintOf = (email: string) => `${[...email][0]}…${email.slice(email.lastIndexOf('@'))}`;

async function refuseTooMany({ db, viewer, deps }: RequestContext): Promise<void> {
  const at = { gt: new Date(deps.clock() - LONGEST) };
  const rows = await db.auditEvent.findMany({
    where: { actorId: viewer.id, action: LOOKED_UP, at },
    select: { at: true },
    orderBy: { at: 'desc' },
    take: HIGHEST,
  });
  const waits = LIMITS.map(
    ({ within, most }) => (rows[most - 1]?.at.getTime() ?? 0) + within - deps.clock(),
  );
  const wait = Math.max(...waits);
  if (wait <= 0) return;
  deps.log.warn({ account: viewer.id }, 'an account looks up unusually many members');
  throw new TooOften(tooMany('member lookups', wait, 'You looked up too many members.'));
}
