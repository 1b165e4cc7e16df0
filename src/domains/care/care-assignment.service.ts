import type { RequestContext } from '../../core/context.js';
import { DomainError } from '../../core/errors.js';
import type { ListedPage } from '../../core/listing.js';
import { numberKey } from '../../core/node.js';
import { Direction, orderedList } from '../../core/ordering.js';
import { Role } from '../../core/roles.js';
import { changeRow, type RowChange } from '../../core/row-change.js';
import { deleteOnce, hold, transact } from '../../core/transact.js';
import { Prisma } from '../../generated/prisma/client.js';
import { observeAssignment } from '../../platform/metrics/metrics.js';
import { recordAudit, recordAudits } from '../audit/audit.service.js';
import { queueMails } from '../mail/mail.service.js';
import {
  countWithin,
  HIGHEST_LIMIT,
  LONGEST_SPAN,
  OPENING_LIMITS,
  tellAdministrators,
} from './care-alarm.service.js';
import type { AssignClinicianInput, CareAssignmentFilter } from './care-assignment.inputs.js';
import { assignmentKey, CareAssignment } from './care-assignment.types.js';

const { sql } = Prisma;

/**
 * Gives a clinician every right over a member. A repeated assignment is no error and tells nobody.
 * Administrators cannot assign members to themselves, because that would be breaking the glass
 * without its limits. A retry with the same Idempotency-Key assigns nobody again: it throws
 * CARE_NOT_FOUND where the assignment was ended since. Throws MEMBER_NOT_FOUND, CLINICIAN_INVALID.
 *
 * It does not require that the clinician's address is proven. An administrator creates the accounts
 * of clinicians and chooses their addresses, so a proof would not show who reads the data, and a
 * new clinic would have to wait for each clinician. Members are protected because every assignment
 * is visible. Each member is notified by mail of who assigned whom. The audit records who made the
 * assignment. Administrators are notified by mail, log and metric at the 5th and 10th assignment by
 * one account in an hour, and at the 15th and 30th in a day, which are the limits of breaking the
 * glass. No number of assignments is refused, because a new clinic assigns all of its members.
 */
export async function assignClinician(
  context: RequestContext,
  { memberId, clinicianId }: AssignClinicianInput,
): Promise<CareAssignment> {
  const assign = async (inner: RequestContext) => {
    await changeRow(inner, assignmentTo({ clinicianId }), memberId);
    return memberId;
  };
  await transact(context, assign, { replayable: true });
  const where = { memberId_clinicianId: { memberId, clinicianId } };
  const row = await context.db.careAssignment.findUnique({ where });
  if (!row) throw new DomainError(ASSIGNMENT_END.missing);
  return assignmentOf(row);
}

const ASSIGNED = 'care.assign';
const PERSON = {
  id: true,
  name: true,
  email: true,
  roles: true,
  language: { select: { code: true } },
} as const;

type Person = Prisma.AccountGetPayload<{ select: typeof PERSON }>;

/** A member who is to be assigned, to whom, and by whom. */
interface Assigned {
  readonly member: Person;
  readonly clinician: Person | undefined;
  readonly maker: Person | undefined;
}

/** How members are assigned to a clinician. Those who are already stay so, and are told nothing. */
export const assignmentTo = ({
  clinicianId,
}: Pick<AssignClinicianInput, 'clinicianId'>): RowChange<Assigned> => ({
  missing: { reason: 'MEMBER_NOT_FOUND', message: 'There is no such account.', param: 'memberId' },
  async lock(inner, memberIds: readonly number[]) {
    await hold(inner, `assign:${inner.viewer.id}`); // so that simultaneous assignments are counted
    const where = { id: { in: [...memberIds, clinicianId, inner.viewer.id] } };
    const people = await inner.db.account.findMany({ where, select: PERSON });
    const found = new Map(people.map((person) => [person.id, person]));
    const [clinician, maker] = [found.get(clinicianId), found.get(inner.viewer.id)];
    return memberIds.map((id) => {
      const member = found.get(id);
      return member && { member, clinician, maker };
    });
  },
  refuse({ viewer }, { member, clinician }) {
    const isOwn = clinicianId === member.id || clinicianId === viewer.id;
    if (clinician?.roles.includes(Role.CLINICIAN) && !isOwn) return undefined;
    const message =
      'A member is assigned to a clinician, who is neither the member nor whoever assigns.';
    return { reason: 'CLINICIAN_INVALID', message, param: 'clinicianId' };
  },
  async write(inner, rows) {
    const ids = rows.map(({ member }) => member.id);
    const made = await inner.rows<{ id: number }>(sql`
      INSERT INTO care_assignment (member_id, clinician_id, created_at)
      SELECT unnest(${ids}::int[]), ${clinicianId}::int, ${inner.now()}::timestamptz
      ON CONFLICT DO NOTHING RETURNING member_id AS id`);
    const newly = new Set(made.map(({ id }) => id));
    const told = rows.filter(({ member }) => newly.has(member.id));
    if (told.length === 0) return;
    const at = inner.now().toISOString();
    const mails = told.flatMap(({ member: { email: to, language }, clinician, maker }) =>
      to
        ? {
            to,
            template: 'care_assigned' as const,
            language: language.code,
            values: { name: clinician?.name ?? '', maker: maker?.name ?? '', at },
          }
        : [],
    );
    await queueMails(inner, mails);
    const events = told.map(({ member }) => ({
      action: ASSIGNED,
      subjectId: member.id,
      detail: { clinician: clinicianId },
    }));
    await recordAudits(inner, events);
    await noteNumber(inner, told.length);
  },
});

/**
 * Counts the viewer's audited assignments, of which so many are new, and tells administrators when
 * these make them unusually many.
 */
async function noteNumber(context: RequestContext, added: number): Promise<void> {
  const { db, viewer, deps } = context;
  const since = new Date(deps.clock() - LONGEST_SPAN);
  const where = { actorId: viewer.id, action: ASSIGNED, at: { gt: since } };
  const rows = await db.auditEvent.findMany({
    where,
    select: { at: true },
    orderBy: { at: 'desc' },
    take: HIGHEST_LIMIT + added,
  });
  const times = rows.map(({ at }) => at);
  const isUnusual = OPENING_LIMITS.some(({ within, unusual, most }) => {
    const made = countWithin(context, times, within);
    return [unusual, most].some((limit) => made >= limit && made - added < limit);
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

/** Ends an assignment and returns it as it was. Throws CARE_NOT_FOUND. */
export async function unassignClinician(
  context: RequestContext,
  input: AssignClinicianInput,
): Promise<CareAssignment> {
  const { memberId, clinicianId } = input;
  const key = assignmentKey(memberId, clinicianId);
  const row = await deleteOnce(context, (inner) => changeRow(inner, ASSIGNMENT_END, key), {
    about: (ended) => [ended.memberId, ended.clinicianId],
  });
  return assignmentOf(row);
}

/**
 * How assignments end, with an audited event for each. The rule of the mutation has let the viewer
 * through.
 */
export const ASSIGNMENT_END: RowChange<CareAssignment> = {
  missing: { reason: 'CARE_NOT_FOUND', message: 'This member is not assigned to this account.' },
  async lock(inner, keys: readonly string[]) {
    await inner.rows(sql`SELECT member_id FROM care_assignment
      WHERE member_id || '-' || clinician_id = ANY(${keys}::text[])
        AND member_id = ANY(${keys.map((key) => numberKey(key.split('-')[0] ?? '') ?? 0)}::int[])
      ORDER BY member_id, clinician_id FOR UPDATE`);
    const found = new Map((await assignmentsById(inner, keys)).map((row) => [row.id, row]));
    return keys.map((key) => found.get(key));
  },
  refuse: () => undefined,
  async write(inner, rows) {
    const pairs = rows.map(({ memberId, clinicianId }) => ({ memberId, clinicianId }));
    await inner.db.careAssignment.deleteMany({ where: { OR: pairs } });
    const events = pairs.map(({ memberId, clinicianId }) => ({
      action: 'care.unassign',
      subjectId: memberId,
      detail: { clinician: clinicianId },
    }));
    await recordAudits(inner, events);
  },
};

interface AssignmentRow {
  readonly memberId: number;
  readonly clinicianId: number;
  readonly createdAt: Date;
}

const assignmentOf = (row: AssignmentRow) => Object.assign(new CareAssignment(), row);

const MEMBER = {
  value: sql`member_id`,
  type: 'int',
  of: ({ memberId }: CareAssignment) => memberId,
} as const;
const CLINICIAN = {
  value: sql`clinician_id`,
  type: 'int',
  of: ({ clinicianId }: CareAssignment) => clinicianId,
} as const;

/** Assignments by member and clinician. See `mayListAssignments` for the access rule. */
export const assignmentList = orderedList<CareAssignment, ListedPage & CareAssignmentFilter>({
  noun: 'CareAssignment',
  what: 'assignments',
  choices: {
    MEMBER: { ...MEMBER, description: 'By the number of the member.' },
    CLINICIAN: { ...CLINICIAN, description: 'By the number of the clinician.' },
  },
  usual: { field: 'MEMBER', direction: Direction.ASC },
  ties: [MEMBER, CLINICIAN],
  size: 100,
  from: sql`care_assignment`,
  where: (_, filter) => matching(filter),
  read: readAssignments,
});

async function readAssignments(
  context: RequestContext,
  condition: Prisma.Sql,
  rest: Prisma.Sql,
): Promise<CareAssignment[]> {
  const rows = await context.rows<AssignmentRow>(sql`
    SELECT member_id AS "memberId", clinician_id AS "clinicianId", created_at AS "createdAt"
    FROM care_assignment WHERE ${condition} ${rest}`);
  return rows.map(assignmentOf);
}

/**
 * Returns the assignments of these keys that the viewer may list: the own ones, and all with
 * `assign_care`.
 */
export async function assignmentsById(
  { db, viewer }: RequestContext,
  keys: readonly string[],
): Promise<CareAssignment[]> {
  const pairs = keys.map((key) => key.split('-', 2).map(numberKey));
  const named = pairs.flatMap(([memberId, clinicianId]) =>
    memberId !== undefined && clinicianId !== undefined ? [{ memberId, clinicianId }] : [],
  );
  const own = { OR: [{ memberId: viewer.id }, { clinicianId: viewer.id }] };
  const scope = viewer.can('assign_care') ? {} : own;
  const rows = await db.careAssignment.findMany({ where: { AND: [{ OR: named }, scope] } });
  return rows.map(assignmentOf);
}

function matching({ memberId, clinicianId }: CareAssignmentFilter): Prisma.Sql {
  const ofMember = typeof memberId === 'number' ? sql`member_id = ${memberId}::int` : sql`TRUE`;
  return sql`${ofMember}
    AND ${typeof clinicianId === 'number' ? sql`clinician_id = ${clinicianId}::int` : sql`TRUE`}`;
}
