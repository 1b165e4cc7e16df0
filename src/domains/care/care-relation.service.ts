import type { RequestContext } from '../../core/context.js';
import { type Refusal, refuse } from '../../core/errors.js';
import { byPart, type Filter } from '../../core/filtering.js';
import { listPage } from '../../core/listing.js';
import { Direction, type Order, ordering } from '../../core/ordering.js';
import type { Page, PageArgs } from '../../core/paging.js';
import { updateRow } from '../../core/row.js';
import { deleteOnce, transact } from '../../core/transact.js';
import { Prisma } from '../../generated/prisma/client.js';
import { recordAudit } from '../audit/audit.service.js';
import { type CareRight, grantsOf } from './care.service.js';
import type {
  ChangeCareRightInput,
  EndCareInput,
  OrderCarersInput,
} from './care-relation.inputs.js';
import { CaredForMember, CareRelation, type CareSource } from './care-relation.types.js';
import { endInvitationsTo } from './open-invitation.service.js';

const { sql } = Prisma;
const NOT_FOUND = () =>
  refuse('CARE_NOT_FOUND', 'There is no such relation of yours.', { param: 'id' });
type RelationRow = Prisma.CareRelationGetPayload<object>;
const relationOf = (row: RelationRow) =>
  Object.assign(new CareRelation(), row, { right: row.right as CareRight });

/** Returns the carers of the viewer, in the viewer's order. */
export async function listCarers(context: RequestContext): Promise<CareRelation[]> {
  const where = { memberId: context.viewer.id };
  const rows = await context.db.careRelation.findMany({
    where,
    orderBy: [{ position: 'asc' }, { id: 'asc' }],
  });
  return rows.map(relationOf);
}

/** Returns a relation by its id if the viewer is its member or carer; else undefined. */
export const ownRelation = async (
  context: RequestContext,
  id: number,
): Promise<CareRelation | undefined> => (await relationsById(context, [id]))[0];

/** Returns those of these relations whose member or carer the viewer is. */
export async function relationsById(
  { db, viewer }: RequestContext,
  ids: readonly number[],
): Promise<CareRelation[]> {
  const rows = await db.careRelation.findMany({
    where: { id: { in: [...ids] }, OR: [{ memberId: viewer.id }, { carerId: viewer.id }] },
  });
  return rows.map(relationOf);
}

/** Loads the relations by which the viewer cares for members, for `context.loader`. */
export async function relationsWith(
  { db, viewer }: RequestContext,
  memberIds: readonly number[],
): Promise<(CareRelation | undefined)[]> {
  const where = { carerId: viewer.id, memberId: { in: [...memberIds] } };
  const rows = await db.careRelation.findMany({ where });
  const found = new Map(rows.map((row) => [row.memberId, relationOf(row)]));
  return memberIds.map((id) => found.get(id));
}

/**
 * Loads the carers of each member in the member's order, for `context.loader`. They are notified of
 * a missed dose; every right lets them see it. Suspended ones are left out.
 */
export async function carersInOrder(
  { db }: RequestContext,
  memberIds: readonly number[],
): Promise<number[][]> {
  const where = { memberId: { in: [...memberIds] }, carer: { suspendedAt: null } };
  const select = { memberId: true, carerId: true };
  const rows = await db.careRelation.findMany({
    where,
    select,
    orderBy: [{ position: 'asc' }, { id: 'asc' }],
  });
  const carers = new Map<number, number[]>();
  for (const { memberId, carerId } of rows)
    carers.set(memberId, [...(carers.get(memberId) ?? []), carerId]);
  return memberIds.map((id) => carers.get(id) ?? []);
}

/**
 * Returns the relations of members whose carers were not yet notified that the member has never
 * answered a dose, and marks them as told, in one statement of the caller's transaction.
 */
export async function untoldOfSilence(
  context: RequestContext,
  memberIds: readonly number[],
): Promise<{ id: number; memberId: number; carerId: number }[]> {
  if (memberIds.length === 0) return [];
  return context.rows(sql`
    UPDATE care_relation r SET told_of_silence_at = ${context.now().toISOString()}::timestamptz
    WHERE member_id = ANY(${[...memberIds]}::int[]) AND told_of_silence_at IS NULL
      AND EXISTS (SELECT FROM account a WHERE a.id = r.carer_id AND a.suspended_at IS NULL)
    RETURNING id, member_id AS "memberId", carer_id AS "carerId"`);
}

/**
 * Sets the right of one of the viewer's carers, and ends open invitations to this carer. Throws
 * CARE_NOT_FOUND for any other relation, CONFLICT.
 */
export const changeCareRight = (
  context: RequestContext,
  { right, ...relation }: ChangeCareRightInput,
): Promise<CareRelation> =>
  updateRow(context, relation, {
    what: 'relation',
    read: relationOfMember,
    update: async (inner, where, version) => {
      const before = await relationOfMember(inner, where.id);
      const detail = {
        relation: where.id,
        carer: before.carerId,
        before: before.right,
        after: right,
      };
      await recordAudit(inner, { action: 'care.change', detail });
      await endInvitationsTo(inner, before.memberId, before.carerId);
      return inner.db.careRelation.updateMany({ where, data: { right, version } });
    },
  });

async function relationOfMember(context: RequestContext, id: number): Promise<CareRelation> {
  const relation = await ownRelation(context, id);
  if (!relation || refusalOfRightChange(context, relation)) throw NOT_FOUND();
  return relation;
}

/** Returns CARE_NOT_FOUND for a relation of which the viewer is not the member. */
export const refusalOfRightChange = (
  { viewer }: RequestContext,
  { memberId }: Pick<CareRelation, 'memberId'>,
): Refusal | undefined => (memberId === viewer.id ? undefined : NOT_FOUND().refusal);

/**
 * Ends a relation, as its member or its carer, with open invitations to this carer, and returns it as it
 * was. Throws CARE_NOT_FOUND for any other relation.
 */
export async function endCare(
  context: RequestContext,
  { id }: EndCareInput,
): Promise<CareRelation> {
  const end = async (inner: RequestContext) => {
    const relation = await ownRelation(inner, id);
    const { count } = await inner.db.careRelation.deleteMany({ where: { id: relation?.id ?? 0 } });
    if (!relation || count === 0) throw NOT_FOUND();
    const { memberId, carerId, right } = relation;
    await endInvitationsTo(inner, memberId, carerId);
    await recordAudit(inner, {
      action: 'care.end',
      subjectId: memberId,
      detail: { relation: id, carer: carerId, right },
    });
    return relation;
  };
  const about = ({ memberId, carerId }: CareRelation) => [memberId, carerId];
  return Object.assign(new CareRelation(), await deleteOnce(context, end, { about }));
}

/**
 * Sets the order of the viewer's carers. Throws CARE_ORDER_INVALID unless `ids` has each relation
 * once.
 */
export async function orderCarers(
  context: RequestContext,
  { ids }: OrderCarersInput,
): Promise<CareRelation[]> {
  const order = async ({ db, viewer }: RequestContext) => {
    const known = (
      await db.careRelation.findMany({ where: { memberId: viewer.id }, select: { id: true } })
    ).map(({ id }) => id);
    const all =
      ids.length === known.length &&
      new Set(ids).size === ids.length &&
      known.every((id) => ids.includes(id));
    if (!all)
      throw refuse('CARE_ORDER_INVALID', 'Name each of your carers once.', { param: 'ids' });
    await db.$executeRaw`
      UPDATE care_relation r SET position = o.position FROM unnest(${ids}::int[]) WITH ORDINALITY
        AS o(id, position)
      WHERE r.id = o.id AND r.member_id = ${viewer.id}`;
    return viewer.id;
  };
  await transact(context, order, { replayable: true });
  return listCarers(context);
}

const LEVELS = ['see', 'answer', 'edit'] as const;

/** What the members somebody cares for may be ordered by. */
export const CARED_FOR_ORDERS = ordering<CaredForMember>({
  noun: 'CaredForMember',
  what: 'members who are cared for',
  choices: {
    MEMBER: {
      description: 'By the number of the member.',
      value: sql`member_id`,
      type: 'int',
      of: ({ memberId }) => memberId,
    },
  },
  filters: {
    search: byPart(
      'Whose name holds this.',
      sql`(SELECT name FROM account WHERE account.id = member_id)`,
    ),
  },
  usual: { field: 'MEMBER', direction: Direction.ASC },
  ties: [],
});

/**
 * Returns a page of the members whom the viewer may care for, in the order of their ids; each once,
 * with its highest right and all sources of the right. Throws CURSOR_INVALID, PAGE_SIZES_BOTH.
 */
export const listCaredFor = (
  context: RequestContext,
  page: PageArgs,
  order: Order | null | undefined,
  filter: Filter | null | undefined,
): Promise<Page<CaredForMember>> =>
  listPage(context, page, {
    ...CARED_FOR_ORDERS.of('cared for', order),
    usual: 100,
    from: sql`(SELECT DISTINCT member_id FROM (${grantsTo(context)}) AS granted) AS members`,
    where: CARED_FOR_ORDERS.matching(context, filter),
    read: caredFor,
  });

const grantsTo = (context: RequestContext) =>
  grantsOf({ viewer: context.viewer, now: context.now() });

/** Returns those of these members whom the viewer may care for. */
export const caredForById = async (
  context: RequestContext,
  memberIds: readonly number[],
): Promise<CaredForMember[]> => caredFor(context, sql`member_id = ANY(${[...memberIds]}::int[])`);

async function caredFor(
  context: RequestContext,
  condition: Prisma.Sql,
  rest = Prisma.empty,
): Promise<CaredForMember[]> {
  const rows = await context.rows<{
    memberId: number;
    level: number;
    through: CareSource[];
    endsAt: Date | null;
  }>(sql`
    SELECT member_id AS "memberId", max(array_position(${[...LEVELS]}::text[], "right"))::int
      AS level,
      array_agg(DISTINCT through ORDER BY through) AS through,
      CASE WHEN bool_and(ends_at IS NOT NULL) THEN max(ends_at) END AS "endsAt"
    FROM (${grantsTo(context)}) AS granted WHERE ${condition} GROUP BY member_id ${rest}`);
  return rows.map(({ level, ...row }) =>
    Object.assign(new CaredForMember(), row, { right: LEVELS[level - 1] ?? 'see' }),
  );
}
