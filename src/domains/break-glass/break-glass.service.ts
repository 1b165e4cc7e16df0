import { randomUUID } from 'node:crypto';
import type { RequestContext } from '../../core/context.js';
import { DomainError, refuse } from '../../core/errors.js';
import { byRow, type Filter } from '../../core/filtering.js';
import { listPage } from '../../core/listing.js';
import { byNumber, byTime, Direction, type Order, ordering } from '../../core/ordering.js';
import type { Page, PageArgs } from '../../core/paging.js';
import { tooMany } from '../../core/quota.js';
import { firstOf } from '../../core/row.js';
import { hold, transact } from '../../core/transact.js';
import { Prisma } from '../../generated/prisma/client.js';
import { inLanguage, type Spoken } from '../../platform/language.js';
import { type BreakGlassOutcome, observeBreakGlass } from '../../platform/metrics/metrics.js';
import { auditAccess, recordAudit } from '../audit/audit.service.js';
import {
  countWithin,
  HIGHEST_LIMIT,
  LONGEST_SPAN,
  OPENING_LIMITS,
  tellAdministrators,
} from '../care/care-alarm.service.js';
import { queueMail } from '../mail/mail.service.js';
import { queueMessages } from '../notifications/delivery/delivery.service.js';
import type { BreakGlassInput, EndBreakGlassInput } from './break-glass.inputs.js';
import { BreakGlass } from './break-glass.types.js';

const { sql } = Prisma;

const HOUR = 60 * 60 * 1000;
/** How long the right lasts after breaking the glass, in milliseconds. */
const OPEN_FOR = HOUR;

/**
 * Opens the data of any member to the viewer, a clinician or an administrator, for 60 minutes. The
 * member is notified by mail and on devices, and can see the row; the reason is in the audit. Throws
 * TOO_MANY_REQUESTS above 10 times an hour or 30 a day; refusals are audited. Administrators are
 * notified by mail at the fifth time in an hour, the fifteenth in a day, and when a limit is
 * reached. Throws MEMBER_NOT_FOUND.
 */
export async function breakGlass(
  context: RequestContext,
  input: BreakGlassInput,
): Promise<BreakGlass> {
  const id = await transact(context, (inner) => open(inner, input), { replayable: true }).catch(
    async (error: unknown) => {
      // The refusal rolled its transaction back, so it is recorded in a separate one.
      if (error instanceof TooOften)
        await transact(context, (inner) => noteRefusal(inner, input.memberId));
      throw error;
    },
  );
  return openingOf(context, id);
}

/**
 * Returns those of these openings that the viewer made, or whose member the viewer is; for
 * administrators all. Those of others are audited about their members.
 */
export async function openingsById(
  context: RequestContext,
  ids: readonly number[],
): Promise<BreakGlass[]> {
  const { db, viewer } = context;
  const own = { OR: [{ memberId: viewer.id }, { clinicianId: viewer.id }] };
  const scope = viewer.can('manage_accounts') ? {} : own;
  const rows = await db.breakGlass.findMany({ where: { id: { in: [...ids] }, ...scope } });
  const others = rows.filter(({ clinicianId }) => clinicianId !== viewer.id);
  const memberIds = others.map(({ memberId }) => memberId);
  await auditAccess(context, memberIds, 'care.break_glass_read');
  return rows.map((row) => Object.assign(new BreakGlass(), row));
}

/** What openings may be ordered by. */
export const BREAK_GLASS_ORDERS = ordering<BreakGlass>({
  noun: 'BreakGlass',
  what: 'openings by a broken glass',
  choices: {
    CREATED_AT: byTime('By when they were made.', sql`created_at`, ({ createdAt }) => createdAt),
    ENDS_AT: byTime('By when they end.', sql`ends_at`, ({ endsAt }) => endsAt),
  },
  filters: {
    memberId: byRow('Account', 'Of the care of this member.', sql`member_id`),
    clinicianId: byRow('Account', 'By this clinician.', sql`clinician_id`),
  },
  usual: { field: 'CREATED_AT', direction: Direction.DESC },
  ties: [byNumber(sql`id`, ({ id }) => id)],
});

/**
 * Returns a page of the openings that have not ended, the newest first. For administrators. The
 * access is audited. Throws CURSOR_INVALID, PAGE_SIZES_BOTH.
 */
export async function listOpenings(
  context: RequestContext,
  page: PageArgs,
  order: Order | null | undefined,
  filter: Filter | null | undefined,
): Promise<Page<BreakGlass>> {
  const openings = await listPage(context, page, {
    ...BREAK_GLASS_ORDERS.of('openings', order),
    usual: 100,
    from: sql`break_glass`,
    where: sql`ends_at > ${context.now()}::timestamptz
      AND ${BREAK_GLASS_ORDERS.matching(context, filter)}`,
    read: readOpenings,
  });
  const detail = { openings: openings.nodes.length };
  await transact(context.as(context.viewer), (inner) =>
    recordAudit(inner, { action: 'care.break_glass_list', subjectId: null, detail }),
  );
  return openings;
}

async function readOpenings(
  context: RequestContext,
  condition: Prisma.Sql,
  rest: Prisma.Sql,
): Promise<BreakGlass[]> {
  const rows = await context.rows<OpeningRow>(sql`
    SELECT id, member_id AS "memberId", clinician_id AS "clinicianId", reason,
      created_at AS "createdAt", ends_at AS "endsAt"
    FROM break_glass WHERE ${condition} ${rest}`);
  return rows.map((row) => Object.assign(new BreakGlass(), row));
}

type OpeningRow = Pick<
  BreakGlass,
  'id' | 'memberId' | 'clinicianId' | 'reason' | 'createdAt' | 'endsAt'
>;

/**
 * Ends an opening now: one that the viewer made, or for administrators any. One that has ended stays
 * as it is. Throws BREAK_GLASS_NOT_FOUND.
 */
export async function endBreakGlass(
  context: RequestContext,
  { id }: EndBreakGlassInput,
): Promise<BreakGlass> {
  await transact(
    context,
    async (inner) => {
      const scope = inner.viewer.can('manage_accounts') ? {} : { clinicianId: inner.viewer.id };
      const opening = await inner.db.breakGlass.findFirst({ where: { id, ...scope } });
      if (!opening) throw noOpening();
      const now = inner.now();
      const where = { id, endsAt: { gt: now } };
      const { count } = await inner.db.breakGlass.updateMany({ where, data: { endsAt: now } });
      const detail = { breakGlass: id };
      const subjectId = opening.memberId;
      if (count > 0)
        await recordAudit(inner, { action: 'care.break_glass_end', subjectId, detail });
      return id;
    },
    { replayable: true },
  );
  return openingOf(context, id);
}

/** Returns an opening that the viewer may know of. Throws BREAK_GLASS_NOT_FOUND. */
const openingOf = async (context: RequestContext, id: number): Promise<BreakGlass> =>
  firstOf(await openingsById(context, [id]), noOpening);

const noOpening = () =>
  refuse('BREAK_GLASS_NOT_FOUND', 'There is no such opening.', { param: 'id' });

class TooOften extends DomainError {}

async function open(
  context: RequestContext,
  { memberId, reason }: BreakGlassInput,
): Promise<number> {
  const clinicianId = context.viewer.id;
  // so that the limit also holds for simultaneous calls
  await hold(context, `glass:${clinicianId}`);
  const people = await memberAndClinician(context, memberId);
  const before = await latest(context);
  refuseTooMany(context, before);
  const createdAt = context.now();
  const data = {
    memberId,
    clinicianId,
    reason,
    createdAt,
    endsAt: new Date(createdAt.getTime() + OPEN_FOR),
  };
  const created = await context.db.breakGlass.create({ data, select: { id: true } });
  await tellMember(context, people, createdAt);
  await recordAudit(context, {
    action: 'care.break_glass',
    subjectId: memberId,
    detail: { breakGlass: created.id, reason },
  });
  const all = [createdAt, ...before];
  const isUnusual = OPENING_LIMITS.some(
    ({ within, unusual }) => countWithin(context, all, within) === unusual,
  );
  if (isUnusual) await alarm(context, 'unusual', countWithin(context, all, LONGEST_SPAN));
  context.afterCommit(() => observe(context, 'opened', isUnusual));
  return created.id;
}

/** Returns the two accounts. Throws MEMBER_NOT_FOUND unless there are two. */
async function memberAndClinician({ db, viewer }: RequestContext, memberId: number) {
  const people = await db.account.findMany({
    where: { id: { in: [memberId, viewer.id] } },
    select: { id: true, name: true, email: true, language: { select: { code: true } } },
  });
  const [member, clinician] = [memberId, viewer.id].map((id) =>
    people.find((person) => person.id === id),
  );
  if (!member || !clinician || member === clinician) {
    throw refuse('MEMBER_NOT_FOUND', 'There is no such account.', { param: 'memberId' });
  }
  return { member, clinician };
}

/** What devices are told; the reason may tell about the member's health. */
const OPENED: Spoken<{ title: string; body: (name: string) => string }> = {
  en: {
    title: 'Your record was opened',
    body: (name) => `${name}, who is not assigned to you, opened your record and gave a reason.`,
  },
  de: {
    title: 'Ihre Akte wurde geöffnet',
    body: (name) =>
      `${name} ist Ihnen nicht zugeordnet, hat Ihre Akte geöffnet und einen Grund genannt.`,
  },
};

/**
 * Tells the member by a notification and by mail. Neither contains the reason, which may tell about
 * the member's health; other people may read them.
 */
async function tellMember(
  context: RequestContext,
  { member, clinician }: Awaited<ReturnType<typeof memberAndClinician>>,
  at: Date,
): Promise<void> {
  const { title, body } = inLanguage(OPENED, member.language.code);
  const message = { title, body: body(clinician.name), messageId: randomUUID(), sendAt: at };
  await queueMessages(context, { kind: 'record_opened' }, [{ accountId: member.id, ...message }]);
  if (!member.email) return;
  await queueMail(context, {
    to: member.email,
    template: 'break_glass',
    language: member.language.code,
    values: { name: clinician.name, at: at.toISOString() },
  });
}

/** Returns when the viewer last broke the glass, newest first, as far back as the limits need. */
async function latest({ db, viewer, deps }: RequestContext): Promise<Date[]> {
  const since = new Date(deps.clock() - LONGEST_SPAN);
  const where = { clinicianId: viewer.id, createdAt: { gt: since } };
  const rows = await db.breakGlass.findMany({
    where,
    select: { createdAt: true },
    orderBy: { createdAt: 'desc' },
    take: HIGHEST_LIMIT,
  });
  return rows.map(({ createdAt }) => createdAt);
}

function refuseTooMany({ deps }: RequestContext, times: readonly Date[]): void {
  const waits = OPENING_LIMITS.map(
    ({ within, most }) => (times[most - 1]?.getTime() ?? 0) + within - deps.clock(),
  );
  const wait = Math.max(...waits);
  const sentence =
    'You opened too many records of members who are not assigned to you. Ask an administrator ' +
    'to assign them.';
  if (wait > 0) throw new TooOften(tooMany('break-glass', wait, sentence));
}

/** Audits a refusal. Administrators are notified of the first within an hour. */
async function noteRefusal(context: RequestContext, memberId: number): Promise<void> {
  await hold(context, `glass:${context.viewer.id}`);
  const action = 'care.break_glass_refused';
  const where = {
    actorId: context.viewer.id,
    action,
    at: { gt: new Date(context.deps.clock() - HOUR) },
  };
  const isFirst = (await context.db.auditEvent.count({ where })) === 0;
  await recordAudit(context, { action, subjectId: memberId });
  if (isFirst) await alarm(context, 'limit', (await latest(context)).length);
  context.afterCommit(() => observe(context, 'refused', isFirst));
}

/** Tells every administrator by mail, and audits it. */
async function alarm(
  context: RequestContext,
  why: 'unusual' | 'limit',
  count: number,
): Promise<void> {
  await tellAdministrators(context, 'break_glass_alarm', count);
  await recordAudit(context, {
    action: 'care.break_glass_alarm',
    subjectId: null,
    detail: { why, count },
  });
}

function observe(
  { deps, viewer }: RequestContext,
  outcome: BreakGlassOutcome,
  alarmed: boolean,
): void {
  observeBreakGlass(outcome, alarmed);
  if (alarmed)
    deps.log.warn({ account: viewer.id, outcome }, 'an account breaks the glass unusually often');
}
