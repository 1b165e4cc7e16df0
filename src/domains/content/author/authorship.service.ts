import type { RequestContext } from '../../../core/context.js';
import { transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { giveWay } from '../../../platform/jobs/give-way.js';
import { recordAudit } from '../../audit/audit.service.js';
import { notedUpdate } from '../change/change.sql.js';

/** Rows that change hands in one transaction: an item takes half a millisecond, for its words. */
const AT_ONCE = 500;
const { sql } = Prisma;
/** What changes hands. */
const AUTHORED = [
  { table: sql`content_item`, which: sql`true`, given: givenItems },
  { table: sql`revision`, which: sql`NOT autosave`, given: givenOf(sql`revision`) },
  { table: sql`media`, which: sql`true`, given: givenOf(sql`media`) },
];

function givenItems(by: RequestContext, heirId: number, which: Prisma.Sql): Prisma.Sql {
  const update = sql`UPDATE content_item SET author_id = ${heirId}::int WHERE ${which}
    RETURNING id, kind, author_id`;
  return notedUpdate(by, update);
}

function givenOf(table: Prisma.Sql) {
  return (_by: RequestContext, heirId: number, which: Prisma.Sql) =>
    sql`UPDATE ${table} SET author_id = ${heirId}::int WHERE ${which} RETURNING id`;
}

/**
 * Returns what an account has written and sent for the site, by id, since the content itself is the
 * site's; of its autosaves, which nobody else sees, the texts as well.
 */
export async function exportAuthored({ db }: RequestContext, authorId: number): Promise<object> {
  const order = { where: { authorId }, orderBy: { id: 'asc' } } as const;
  const sent = { where: { accountId: authorId } } as const;
  const items = await db.contentItem.findMany({
    ...order,
    select: { id: true, kind: true, status: true, publishedAt: true },
  });
  const revisions = await db.revision.findMany({
    ...order,
    select: { id: true, itemId: true, autosave: true, createdAt: true },
  });
  const autosaves = await db.revision.findMany({
    where: { authorId, autosave: true },
    orderBy: { id: 'asc' },
    omit: { authorId: true, autosave: true },
  });
  const media = await db.media.findMany({ ...order, select: { id: true, createdAt: true } });
  const uploads = await db.upload.findMany({
    ...sent,
    orderBy: { id: 'asc' },
    omit: { accountId: true, key: true, sha256: true },
  });
  const changes = await db.contentChange.findMany({
    where: { byId: authorId },
    orderBy: { id: 'asc' },
    select: { itemId: true, kind: true, what: true, at: true },
  });
  const editing = await db.contentEditor.findMany({ ...sent, omit: { accountId: true } });
  const modelItems = await db.modelItem.findMany({
    ...order,
    select: { id: true, definitionId: true, createdAt: true },
  });
  const modelVersions = await db.modelVersion.findMany({
    ...sent,
    select: { definitionId: true, number: true, createdAt: true },
  });
  return {
    ...{ items, revisions, autosaves, media, uploads, changes, editing, modelItems },
    modelVersions,
  };
}

/**
 * Gives the items and media of an account to another, but not its autosaves: nobody else can continue them.
 * The heir sees the changes of these items too.
 */
export async function handOver(
  inner: RequestContext,
  authorId: number,
  heirId: number,
): Promise<void> {
  const { db } = inner;
  await db.revision.deleteMany({ where: { authorId, autosave: true } });
  await db.revision.updateMany({ where: { authorId }, data: { authorId: heirId } });
  await inner.rows(givenItems(inner, heirId, sql`author_id = ${authorId}::int`));
  await db.contentChange.updateMany({ where: { authorId }, data: { authorId: heirId } });
  await db.media.updateMany({ where: { authorId }, data: { authorId: heirId } });
}

/**
 * Gives most of what `handOver` gives to another account before that, 500 rows in a transaction, if there
 * is more: an author of some ten thousand items could not be erased in one, and nobody waits long for
 * their locks. Should the account stay, because the process is killed, the next erasure goes on. `heirOf`
 * is asked only then: it returns who gets them, or throws what refuses the erasure. Audited.
 */
export async function handOverMost(
  context: RequestContext,
  authorId: number,
  heirOf: (context: RequestContext) => Promise<number>,
): Promise<void> {
  let heirId: number | undefined;
  for (const { table, which, given } of AUTHORED) {
    const authored = sql`SELECT id FROM ${table} WHERE author_id = ${authorId} AND ${which}`;
    const more = () => context.rows(sql`${authored} OFFSET ${AT_ONCE}::int LIMIT 1`);
    while ((await more()).length > 0) {
      heirId ??= await transact(context, async (inner) => {
        const heir = await heirOf(inner);
        const detail = { account: authorId, heir };
        await recordAudit(inner, { action: 'account.hand_over', subjectId: authorId, detail });
        return heir;
      });
      const heir = heirId;
      const some = sql`author_id = ${authorId}::int
        AND id IN (${authored} ORDER BY id LIMIT ${AT_ONCE}::int)`;
      await transact(context, (inner) => inner.rows(given(inner, heir, some)));
      await giveWay();
    }
  }
}
