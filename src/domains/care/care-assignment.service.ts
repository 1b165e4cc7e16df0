import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { type Page, pageOf, readCursor } from '../../core/paging.js';
import { Role } from '../../core/roles.js';
import { transact } from '../../core/transact.js';
import { Prisma } from '../../generated/prisma/client.js';
import { recordAudit } from '../audit/audit.service.js';
import type { AssignClinicianInput, CareAssignmentFilter } from './care-assignment.inputs.js';
import { CareAssignment } from './care-assignment.types.js';

const { sql } = Prisma;
const MEMBER_NOT_FOUND = () => refuse('MEMBER_NOT_FOUND', 'There is no such account.', { param: 'memberId' });

/**
 * Gives a clinician every right over a member; again is no error. Nobody assigns to themselves: that would be glass broken unseen.
 * MEMBER_NOT_FOUND, CLINICIAN_INVALID.
 */
export async function assignClinician(context: RequestContext, input: AssignClinicianInput): Promise<CareAssignment> {
  const { memberId, clinicianId } = input;
  return transact(context, async (inner) => {
    const accounts = await inner.db.account.findMany({
      where: { id: { in: [memberId, clinicianId] } },
      select: { id: true, roles: true },
    });
    if (!accounts.some(({ id }) => id === memberId)) throw MEMBER_NOT_FOUND();
    const clinician = accounts.find(({ id }) => id === clinicianId);
    const isOwn = clinicianId === memberId || clinicianId === inner.viewer.id;
    if (!clinician?.roles.includes(Role.CLINICIAN) || isOwn) {
      const sentence = 'A member is assigned to a clinician, who is neither the member nor whoever assigns.';
      throw refuse('CLINICIAN_INVALID', sentence, { param: 'clinicianId' });
    }
    const data = { memberId, clinicianId, createdAt: inner.now() };
    const { count } = await inner.db.careAssignment.createMany({ data, skipDuplicates: true });
    if (count > 0) await recordAudit(inner, { action: 'care.assign', subjectId: memberId, detail: { clinician: clinicianId } });
    const where = { memberId_clinicianId: { memberId, clinicianId } };
    return assignmentOf(await inner.db.careAssignment.findUniqueOrThrow({ where }));
  });
}

/** Takes a member from a clinician and answers the assignment as it was. CARE_NOT_FOUND. */
export async function unassignClinician(context: RequestContext, input: AssignClinicianInput): Promise<CareAssignment> {
  const { memberId, clinicianId } = input;
  return transact(context, async (inner) => {
    const row = await inner.db.careAssignment.findUnique({ where: { memberId_clinicianId: { memberId, clinicianId } } });
    const { count } = await inner.db.careAssignment.deleteMany({ where: { memberId, clinicianId } });
    if (!row || count === 0) throw refuse('CARE_NOT_FOUND', 'This member is not assigned to this account.');
    await recordAudit(inner, { action: 'care.unassign', subjectId: memberId, detail: { clinician: clinicianId } });
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
  const beyond = cursor ? sql`(member_id, clinician_id) > (${cursor[0]}::text::bigint, ${cursor[1]}::text::bigint)` : sql`TRUE`;
  const rows = await context.rows<{ memberId: number; clinicianId: number; createdAt: Date }>(sql`
    SELECT member_id AS "memberId", clinician_id AS "clinicianId", created_at AS "createdAt" FROM care_assignment
    WHERE ${matching(filter)} AND ${beyond} ORDER BY member_id, clinician_id LIMIT ${first + 1}::int`);
  return pageOf(rows.map(assignmentOf), first, ({ memberId, clinicianId }) => [memberId, clinicianId]);
}

/** How many assignments match. */
export async function countAssignments(context: RequestContext, filter: CareAssignmentFilter): Promise<number> {
  const [row] = await context.rows<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM care_assignment WHERE ${matching(filter)}`,
  );
  return row?.count ?? 0;
}

function matching({ memberId, clinicianId }: CareAssignmentFilter): Prisma.Sql {
  const ofMember = typeof memberId === 'number' ? sql`member_id = ${memberId}::int` : sql`TRUE`;
  return sql`${ofMember} AND ${typeof clinicianId === 'number' ? sql`clinician_id = ${clinicianId}::int` : sql`TRUE`}`;
}
