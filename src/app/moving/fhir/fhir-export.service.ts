import { setImmediate } from 'node:timers/promises';
import type { RequestContext } from '../../../core/context.js';
import { Role } from '../../../core/roles.js';
import { amountsOf } from '../../../domains/reminders/amount/amount.service.js';
import { fhirDosagesOf } from '../../../domains/reminders/reminder/fhir-dosage.service.js';
import { MedicineReminder } from '../../../domains/reminders/reminder/medicine-reminder.types.js';
import type { ReminderRow } from '../../../domains/reminders/reminder/reminder.service.js';
import { Prisma } from '../../../generated/prisma/client.js';
import {
  administrationOf,
  appointmentOf,
  bundleOf,
  type ExportedDose,
  type ExportedMember,
  medicationRequestOf,
  patientOf,
  type Resource,
} from './care-resources.js';

/** Members that are read at a time, and doses of a Bundle. */
const MEMBERS_AT_ONCE = 100;
const DOSES_AT_ONCE = 500;

/** A Bundle, and whether it is the first of its member. */
export interface CareBundle {
  readonly bundle: object;
  readonly isFirst: boolean;
}

/**
 * Yields the Bundles of all members, by their numbers: the first of a member has the Patient, the
 * medicines and the appointments, each the Patient and at most 500 doses. `context` reads one snapshot.
 */
export async function* careBundles(context: RequestContext): AsyncGenerator<CareBundle> {
  const base = `${context.deps.config.BASE_URL ?? 'http://localhost'}/fhir`;
  for (let after = 0; ; ) {
    const members = await membersBehind(context, after);
    for (const member of members) yield* bundlesOf(context, member, base);
    const last = members.at(-1);
    if (!last) return;
    after = last.id;
  }
}

/** Returns how many members there are. */
export async function countMembers({ db }: RequestContext): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>(
    Prisma.sql`SELECT count(*)::int AS count FROM account a WHERE ${IS_MEMBER}`,
  );
  return row?.count ?? 0;
}

const IS_MEMBER = Prisma.sql`(a.roles && ${[Role.SUBSCRIBER, Role.GUEST]}::text[]
  OR EXISTS (SELECT FROM reminder r WHERE r.account_id = a.id)
  OR EXISTS (SELECT FROM dose d WHERE d.account_id = a.id))`;

const membersBehind = ({ db }: RequestContext, after: number): Promise<ExportedMember[]> =>
  db.$queryRaw<ExportedMember[]>(Prisma.sql`
    SELECT a.id, a.username, a.name, a.email, a.suspended_at AS "suspendedAt", l.code AS language
    FROM account a JOIN language l ON l.id = a.language_id
    WHERE a.id > ${after} AND ${IS_MEMBER} ORDER BY a.id LIMIT ${MEMBERS_AT_ONCE}::int`);

async function* bundlesOf(
  context: RequestContext,
  member: ExportedMember,
  base: string,
): AsyncGenerator<CareBundle> {
  const patient = patientOf(member, base);
  const madeAt = context.now().toISOString();
  let resources: readonly Resource[] = [patient, ...(await remindersOf(context, member.id))];
  for (let after = 0; ; ) {
    const doses = await dosesBehind(context, member.id, after);
    const bundle = bundleOf(base, [...resources, ...doses.map(administrationOf)], madeAt);
    yield { bundle, isFirst: after === 0 };
    const last = doses.at(-1);
    if (!last || doses.length < DOSES_AT_ONCE) return;
    after = last.id;
    resources = [patient];
  }
}

async function remindersOf(reading: RequestContext, accountId: number): Promise<Resource[]> {
  // Its loaders keep what they have read: a context of its own for each member.
  const context = reading.as(reading.viewer);
  const rows: ReminderRow[] = await context.db.reminder.findMany({
    where: { accountId },
    orderBy: [{ kind: 'desc' }, { id: 'asc' }],
  });
  await context.loader(amountsOf).loadMany(rows.map(({ id }) => id));
  const now = context.now().getTime();
  const resources: Resource[] = [];
  for (const row of rows) {
    if (row.kind !== 'medicine') {
      resources.push(appointmentOf(row));
      continue;
    }
    const dosages = await fhirDosagesOf(context, new MedicineReminder(row, now, []), 'R4');
    resources.push(medicationRequestOf(row, dosages, now));
    await setImmediate(); // wording takes a millisecond, and there may be hundreds
  }
  return resources;
}

async function dosesBehind(
  { db }: RequestContext,
  accountId: number,
  after: number,
): Promise<ExportedDose[]> {
  const doses = await db.dose.findMany({
    where: { accountId, id: { gt: after } },
    orderBy: { id: 'asc' },
    take: DOSES_AT_ONCE,
  });
  return doses.map((dose) => ({ ...dose, id: Number(dose.id) }));
}
