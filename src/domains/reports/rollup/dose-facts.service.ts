import type { RequestContext } from '../../../core/context.js';
import { share, transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { giveWay } from '../../../platform/jobs/give-way.js';
import { type Groups, isolate, type WorkBatch } from '../../../platform/jobs/isolate.js';
import { type Care, eventsOf, readCare } from '../../reminders/calendar/calendar.service.js';
import type { Span } from '../../reminders/calendar/occurrences.js';
import { type Member, membersById } from '../../reminders/setting/member.service.js';
import { type DoseFact, factsOf } from '../dose-fact.js';
import { monthOf } from '../period.js';
import { FACTS_KEPT } from './kept.js';
import { closedDoseMonths } from './month.service.js';
import { openSpans } from './open-span.js';

const DAY = 24 * 60 * 60 * 1000;
/** Few, so that requests to the embedded database do not wait long for one transaction. */
const MEMBERS_AT_ONCE = 10;
/** Milliseconds after which a member whose facts could not be made is tried again. */
const FAILED_PAUSE = 60 * 60_000;
/** Rows of `report_due` among which a process finds members that no other one works on. */
const ROWS_LOOKED_AT = 500;
/** The first key of the locks on the facts of a member; the second is the account. */
const FACTS_LOCK = 0x5f0c;

interface Due {
  readonly accountId: number;
  /** Null: from the beginning. */
  readonly from: Date | null;
}

/** A fact as it is stored. */
interface StoredFact {
  readonly accountId: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly day: string;
  readonly hour: number;
  /** Empty for none, as is the kind of the schedule. */
  readonly medicineType: string;
  readonly scheduleKind: string;
  readonly outcome: string;
  readonly lateMinutes: number | null;
  readonly reminderDays: number | null;
}

/**
 * Makes the facts of members again of whom something changed, the first who waits first. Returns
 * how many members. It reads the calendars of up to 10 members in three statements for each year.
 * Processes share the members; those that another one works on are left to it. A member whose facts
 * cannot be made, or not within the time limit, holds up no other, and is tried again after an hour.
 * Throws when three in a row meet the limit.
 */
export async function renewDoseFacts(
  context: RequestContext,
  stopping?: AbortSignal,
  show?: (done: number) => void,
): Promise<number> {
  let sum = 0;
  const run: WorkBatch['run'] = async (holds, among) => {
    const count = await transact(context, (inner) => renewSome(inner, holds, among));
    sum += count;
    return count > 0;
  };
  const passOver = (accountId: number) => passOverMember(context, accountId);
  const batch = {
    job: 'reports',
    log: context.deps.log,
    run,
    passOver,
    passesLate: true,
    stopping,
  };
  while (await isolate(batch)) {
    show?.(sum);
    if (stopping?.aborted) break;
    await giveWay();
  }
  return sum;
}

/** The condition that a mark was not passed over, or has waited since. */
export const isWaiting = (context: RequestContext) =>
  Prisma.sql`(retry_at IS NULL OR retry_at <= ${context.now()}::timestamptz)`;

async function passOverMember(context: RequestContext, accountId: number): Promise<void> {
  const retryAt = new Date(context.now().getTime() + FAILED_PAUSE);
  await context.db.$executeRaw`UPDATE report_due SET retry_at = ${retryAt}::timestamptz
    WHERE account_id = ${accountId}`;
}

async function renewSome(
  context: RequestContext,
  holds: (groups: Groups) => void,
  among?: readonly number[],
): Promise<number> {
  // Processes of the version before this one hold all members at once by this name.
  await share(context, 'report facts');
  const only = among ? Prisma.sql`AND account_id = ANY(${[...among]}::int[])` : Prisma.empty;
  // The lock comes first: what another process had taken before is seen by the second statement.
  const held = await context.rows<{ id: number }>(Prisma.sql`
    SELECT account_id AS id FROM (
      SELECT account_id, min(id) AS first FROM (
        SELECT id, account_id FROM report_due WHERE ${isWaiting(context)} ${only}
        ORDER BY id LIMIT ${ROWS_LOOKED_AT}::int) waiting
      GROUP BY account_id ORDER BY first OFFSET 0) members
    WHERE pg_try_advisory_xact_lock(${FACTS_LOCK}::int, account_id)
    LIMIT ${MEMBERS_AT_ONCE}::int`);
  const ids = held.map(({ id }) => id);
  holds(ids.map((id) => [id]));
  const due = await context.db.$queryRaw<Due[]>`
    WITH taken AS (DELETE FROM report_due WHERE account_id = ANY(${ids}::int[])
        RETURNING account_id, from_at)
    SELECT account_id AS "accountId", nullif(min(from_at), '-infinity') AS "from"
    FROM taken GROUP BY account_id`;
  if (due.length > 0) await makeFacts(context, due);
  return due.length;
}

/**
 * Makes the facts of members again, each from an instant on, but for those of closed months. A fact
 * keeps its day and hour when its member has moved since. Facts that stay as they are are not written.
 */
async function makeFacts(context: RequestContext, due: readonly Due[]): Promise<void> {
  const now = context.now().getTime();
  const oldest = now - FACTS_KEPT;
  const closed = await closedDoseMonths(context);
  const ids = due.map(({ accountId }) => accountId);
  const members = (await membersById(context, ids)).filter((member) => member !== undefined);
  const from = new Map(
    due.map((each) => [each.accountId, Math.max(each.from?.getTime() ?? oldest, oldest)]),
  );
  const old = await storedFacts(context, from);
  const days = new Map(old.map(({ accountId, at, ...rest }) => [`${accountId} ${at}`, rest]));
  const made: StoredFact[] = [];
  const begin = await firstOf(context, members, oldest);
  const least = Math.max(begin, Math.min(...from.values()));
  for (const span of openSpans(closed, { from: least, to: now + DAY })) {
    const care = await readCare(context, ids, span);
    for (const member of members) {
      const own = { ...span, from: Math.max(span.from, from.get(member.id) ?? span.from) };
      if (own.from >= own.to) continue;
      for (const fact of factsIn(care, member, own, now)) {
        const { day, hour } = days.get(`${member.id} ${fact.at}`) ?? fact;
        made.push({
          ...fact,
          accountId: member.id,
          day,
          hour,
          medicineType: fact.medicineType ?? '',
          scheduleKind: fact.scheduleKind ?? '',
        });
      }
    }
  }
  const isOpen = ({ day }: StoredFact) => !closed.has(monthOf(day));
  const { gone, come } = differences(old.filter(isOpen), made.filter(isOpen));
  await deleteFacts(context, gone);
  await insertFacts(context, come);
}

/** Returns which facts are no more, and which are new, of those that are there more or less often than before. */
function differences(old: readonly StoredFact[], made: readonly StoredFact[]) {
  const [before, after] = [grouped(old), grouped(made)];
  const isOther = ([name, facts]: readonly [string, readonly StoredFact[]]) =>
    before.get(name)?.length !== facts.length || after.get(name)?.length !== facts.length;
  const of = (groups: ReadonlyMap<string, StoredFact[]>) =>
    [...groups].filter(isOther).flatMap(([, facts]) => facts);
  return { gone: of(before), come: of(after) };
}

function grouped(facts: readonly StoredFact[]): ReadonlyMap<string, StoredFact[]> {
  const groups = new Map<string, StoredFact[]>();
  for (const fact of facts) {
    const name = JSON.stringify(COLUMNS.map(([key]) => fact[key]));
    groups.set(name, [...(groups.get(name) ?? []), fact]);
  }
  return groups;
}

/** Returns the instant of the first dose of members, or before it; when there is none, now. */
async function firstOf(
  context: RequestContext,
  members: readonly Member[],
  oldest: number,
): Promise<number> {
  const ids = members.map(({ id }) => id);
  const [row] = await context.rows<{ first: Date | null }>(Prisma.sql`
    SELECT least((SELECT min(least(planned_at, at)) FROM dose
      WHERE account_id = ANY(${ids}::int[])),
      (SELECT min(least(created_at, (left(start_local, 10) || 'T00:00:00Z')::timestamptz))
        FROM reminder WHERE account_id = ANY(${ids}::int[]))) AS first`);
  return Math.max(oldest, (row?.first?.getTime() ?? context.now().getTime()) - 2 * DAY);
}

/** Returns the facts of accounts, each from an instant on. */
async function storedFacts(
  context: RequestContext,
  from: ReadonlyMap<number, number>,
): Promise<StoredFact[]> {
  const froms = [...from.values()].map((at) => new Date(at).toISOString());
  return context.db.$queryRaw<StoredFact[]>`
    SELECT f.account_id AS "accountId", (extract(epoch FROM f.at) * 1000)::float8 AS at, f.day::text,
      f.hour::int, f.medicine_type AS "medicineType", f.schedule_kind AS "scheduleKind", f.outcome,
      f.late_minutes AS "lateMinutes", f.reminder_days AS "reminderDays"
    FROM dose_fact f JOIN unnest(${[...from.keys()]}::int[], ${froms}::timestamptz[]) AS d(account_id, from_at)
      ON f.account_id = d.account_id AND f.at >= d.from_at`;
}

function factsIn(care: Care, { id, zone }: Member, span: Span, now: number): DoseFact[] {
  const own = {
    reminders: care.reminders.filter(({ accountId }) => accountId === id),
    past: care.past,
    doses: care.doses.filter(({ accountId }) => accountId === id),
  };
  const most = Number.POSITIVE_INFINITY;
  return factsOf(eventsOf(own, span, { zone, now, most }), own);
}

/** The columns of facts: by which names they are read, and how they are given to the database. */
const COLUMNS = [
  ['accountId', 'account_id', 'int'],
  ['at', 'at', 'timestamptz'],
  ['day', 'day', 'date'],
  ['hour', 'hour', 'smallint'],
  ['medicineType', 'medicine_type', 'text'],
  ['scheduleKind', 'schedule_kind', 'text'],
  ['outcome', 'outcome', 'text'],
  ['lateMinutes', 'late_minutes', 'int'],
  ['reminderDays', 'reminder_days', 'int'],
] as const satisfies readonly (readonly [keyof StoredFact, string, string])[];

/** SQL of facts as rows `d`, with the columns of the table. */
function rowsOf(facts: readonly StoredFact[]): Prisma.Sql {
  const lists = COLUMNS.map(([key, , type]) => {
    const values = facts.map((fact) =>
      key === 'at' ? new Date(fact.at).toISOString() : fact[key],
    );
    return Prisma.sql`${values}::${Prisma.raw(type)}[]`;
  });
  const names = COLUMNS.map(([, name]) => name).join(', ');
  return Prisma.sql`unnest(${Prisma.join(lists)}) AS d(${Prisma.raw(names)})`;
}

async function deleteFacts({ db }: RequestContext, facts: readonly StoredFact[]): Promise<void> {
  if (facts.length === 0) return;
  const same = COLUMNS.map(([, name]) =>
    /^(account_id|at)$/.test(name)
      ? `f.${name} = d.${name}`
      : `f.${name} IS NOT DISTINCT FROM d.${name}`,
  );
  await db.$executeRaw`DELETE FROM dose_fact f USING ${rowsOf(facts)}
    WHERE ${Prisma.raw(same.join(' AND '))}`;
}

async function insertFacts({ db }: RequestContext, facts: readonly StoredFact[]): Promise<void> {
  if (facts.length === 0) return;
  const names = COLUMNS.map(([, name]) => name).join(', ');
  await db.$executeRaw`INSERT INTO dose_fact (${Prisma.raw(names)}) SELECT d.* FROM ${rowsOf(facts)}`;
}
