import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { type Page, pageOf, readCursor } from '../../core/paging.js';
import { Role } from '../../core/roles.js';
import { hold, transact } from '../../core/transact.js';
import { Prisma } from '../../generated/prisma/client.js';
import { observeAssignment } from '../../platform/metrics/metrics.js';
import { recordAudit } from '../audit/audit.service.js';
import { queueMail } from '../mail/mail.service.js';
import { countWithin, LIMITS, LONGEST, MOST, tellAdministrators } from './care-alarm.service.js';
import type { AssignClinicianInput, CareAssignmentFilter } from './care-assignment.inputs.js';
import { CareAssignment } from './care-assignment.types.js';

const { sql } = Prisma;
const MEMBER_NOT_FOUND = () =>
  refuse('MEMBER_NOT_FOUND', 'There is no such account.', { param: 'memberId' });

/**
 * Gives a clinician every right over a member; again is no error, and tells nobody. Nobody assigns
 * to themselves: that would be glass broken unseen. MEMBER_NOT_FOUND, CLINICIAN_INVALID.
 *
 * Whether the clinician's address is proven is not asked. An administrator makes the accounts of
 * clinicians and chooses their addresses, so a proof of the address would show nothing about who
 * reads along, and who opens a clinic would have to wait for each of its people. What protects
 * members is that nothing happens unseen: each member is told by mail who assigned whom, the audit
 * holds it with its maker, and administrators are told by mail, log and metric at the 5th and 10th
 * assignment of one maker in an hour and the 15th and 30th in a day, the bounds of broken glass.
 * No number is refused, because a clinic that starts assigns all of its members.
 */
export async function assignClinician(
  context: RequestContext,
  input: AssignClinicianInput,
): Promise<CareAssignment> {
  const { memberId, clinicianId } = input;
  return transact(context, async (inner) => {
    await hold(inner, `assign:${inner.viewer.id}`); // so that those made at once are counted
    const { member, clinician, maker } = await peopleOf(inner, input);
    const data = { memberId, clinicianId, createdAt: inner.now() };
    const { count } = await inner.db.careAssignment.createMany({ data, skipDuplicates: true });
    if (count > 0) {
      const detail = { clinician: clinicianId };
      await tellMember(inner, member, { name: clinician.name, maker: maker?.name ?? '' });
      await recordAudit(inner, { action: ASSIGNED, subjectId: memberId, detail });
      await noteNumber(inner);
    }
    const where = { memberId_clinicianId: { memberId, clinicianId } };
    return assignmentOf(await inner.db.careAssignment.findUniqueOrThrow({ where }));
  });
}

const ASSIGNED = 'care.assign';
const PERSON = {
  id: true,
  name: true,
  email: true,
  roles: true,
  language: { select: { code: true } },
} as const;

/** Whom an assignment is about, and who makes it. MEMBER_NOT_FOUND, CLINICIAN_INVALID. */
async function peopleOf(
  { db, viewer }: RequestContext,
  { memberId, clinicianId }: AssignClinicianInput,
) {
  const where = { id: { in: [memberId, clinicianId, viewer.id] } };
  const people = await db.account.findMany({ where, select: PERSON });
  const [member, clinician, maker] = [memberId, clinicianId, viewer.id].map((id) =>
    people.find((person) => person.id === id),
  );
  if (!member) throw MEMBER_NOT_FOUND();
  const isOwn = clinicianId === memberId || clinicianId === viewer.id;
  if (!clinician?.roles.includes(Role.CLINICIAN) || isOwn) {
    const sentence =
      'A member is assigned to a clinician, who is neither the member nor whoever assigns.';
    throw refuse('CLINICIAN_INVALID', sentence, { param: 'clinicianId' });
  }
  return { member, clinician, maker };
}

async function tellMember(
  context: RequestContext,
  { email: to, language }: { email: string | null; language: { code: string } },
  names: { name: string; maker: string },
): Promise<void> {
  const values = { ...names, at: context.now().toISOString() };
  if (!to) return;
  await queueMail(context, { to, template: 'care_assigned', language: language.code, values });
}

/** Counts an assignment that was just audited, and alarms when its maker makes unusually many. */
async function noteNumber(context: RequestContext): Promise<void> {
  const { db, viewer, deps } = context;
  const since = new Date(deps.clock() - LONGEST);
  const where = { actorId: viewer.id, action: ASSIGNED, at: { gt: since } };
  const rows = await db.auditEvent.findMany({
    where,
    select: { at: true },
    orderBy: { at: 'desc' },
    take: MOST + 1,
  });
  const times = rows.map(({ at }) => at);
  const isUnusual = LIMITS.some(({ within, unusual, most }) => {
    const made = countWithin(context, times, within);
    return made === unusual || made === most;
  });
  if (isUnusual) {
    const count = times.length;
    await tellAdministrators(context, 'care_assignment_alarm', count);
    const detail = { count };
    await recordAudit(context, { action: 'care.assign_alarm', subjectId: null, detail });
  }
  context.afterCommit(() => observe(context, isUnusual));
}

function observe({ deps, viewer }: RequestContext, alarmed: boolean): void {
  observeAssignment(alarmed);
  if (alarmed) deps.log.warn({ account: viewer.id }, 'an account assigns unusually many members');
}

/** Takes a member from a clinician and answers the assignment as it was. CARE_NOT_FOUND. */
export async function unassignClinician(
  context: RequestContext,
  input: AssignClinicianInput,
): Promise<CareAssignment> {
  const { memberId, clinicianId } = input;
  return transact(context, async (inner) => {
    const row = await inner.db.careAssignment.findUnique({
      where: { memberId_clinicianId: { memberId, clinicianId } },
    });
    const { count } = await inner.db.careAssignment.deleteMany({
      where: { memberId, clinicianId },
    });
    if (!row || count === 0)
      throw refuse('CARE_NOT_FOUND', 'This member is not assigned to this account.');
    await recordAudit(inner, {
      action: 'care.unassign',
      subjectId: memberId,
      detail: { clinician: clinicianId },
    });
    return assignmentOf(row);
  });
}

const assignmentOf = (row: { memberId: number; clinicianId: number; createdAt: Date }) =>
  Object.assign(new CareAssignment(), row);

/** Assignments by member and clinician; see `mayListAssignments` for whose. */
export async function listAssignments(
  context: RequestContext,
  filter: CareAssignmentFilter,
  first: number,
  after?: string | null,
): Promise<Page<CareAssignment>> {
  const cursor = readCursor(after, ['id', 'id']);
  const beyond = cursor
    ? sql`(member_id, clinician_id) > (${cursor[0]}::text::bigint, ${cursor[1]}::text::bigint)`
    : sql`TRUE`;
  const rows = await context.rows<{ memberId: number; clinicianId: number; createdAt: Date }>(sql`
    SELECT member_id AS "memberId", clinician_id AS "clinicianId", created_at AS "createdAt" FROM care_assignment
    WHERE ${matching(filter)} AND ${beyond} ORDER BY member_id, clinician_id LIMIT ${first + 1}::int`);
  return pageOf(rows.map(assignmentOf), first, ({ memberId, clinicianId }) => [
    memberId,
    clinicianId,
  ]);
}

/** How many assignments match. */
export async function countAssignments(
  context: RequestContext,
  filter: CareAssignmentFilter,
): Promise<number> {
  const [row] = await context.rows<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM care_assignment WHERE ${matching(filter)}`,
  );
  return row?.count ?? 0;
}

function matching({ memberId, clinicianId }: CareAssignmentFilter): Prisma.Sql {
  const ofMember = typeof memberId === 'number' ? sql`member_id = ${memberId}::int` : sql`TRUE`;
  return sql`${ofMember} AND ${typeof clinicianId === 'number' ? sql`clinician_id = ${clinicianId}::int` : sql`TRUE`}`;
}
