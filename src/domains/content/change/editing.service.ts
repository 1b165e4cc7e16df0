import type { RequestContext } from '../../../core/context.js';
import { transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { ItemRow } from '../item/item.row.js';
import type { AnnounceEditingInput } from './change.inputs.js';
import { noteOf } from './change.sql.js';
import { ContentChangeKind, ContentEditor } from './change.types.js';

const { sql } = Prisma;

/** Milliseconds after which somebody who says nothing edits no more. */
const PRESENT = 2 * 60_000;

type Edited = Pick<ItemRow, 'id' | 'kind' | 'authorId'>;

/**
 * Notes that the viewer edits an item that the rules have let through, or does so no more. Others
 * are told when this begins and ends; who says nothing for two minutes is gone without a word.
 */
export async function announceEditing(
  context: RequestContext,
  item: Edited,
  { isEditing }: Pick<AnnounceEditingInput, 'isEditing'>,
): Promise<void> {
  await transact(context, async (inner) => {
    await inner.rows(sql`SELECT id FROM content_item WHERE id = ${item.id}::int FOR NO KEY UPDATE`);
    await (isEditing === false ? leave(inner, item) : noteEditing(inner, item));
  });
}

/**
 * Notes that the viewer edits an item, within a transaction that has locked the item: of two that come
 * at once the second sees what the first has noted.
 */
export async function noteEditing(inner: RequestContext, item: Edited): Promise<void> {
  const [now, gone] = [inner.now(), goneAt(inner)];
  await inner.rows(sql`
    WITH before AS (SELECT seen_at FROM content_editor
      WHERE item_id = ${item.id}::int AND account_id = ${inner.viewer.id}::int),
    told AS (${noteOf(
      inner,
      sql`${noted(item, ContentChangeKind.EDITING)}
        WHERE NOT EXISTS (SELECT FROM before WHERE seen_at >= ${gone}::timestamptz)`,
    )})
    INSERT INTO content_editor AS e (item_id, account_id, since, seen_at)
    VALUES (${item.id}::int, ${inner.viewer.id}::int, ${now}::timestamptz, ${now}::timestamptz)
    ON CONFLICT (item_id, account_id) DO UPDATE SET seen_at = excluded.seen_at,
      since = CASE WHEN e.seen_at < ${gone}::timestamptz THEN excluded.since ELSE e.since END
    RETURNING item_id`);
}

const noted = ({ id, kind, authorId }: Edited, what: ContentChangeKind) =>
  sql`SELECT ${id}::int AS id, ${kind}::text AS kind, ${authorId}::int AS author_id, ${what}::text AS what`;

async function leave(inner: RequestContext, item: Edited): Promise<void> {
  await inner.rows(sql`
    WITH gone AS (DELETE FROM content_editor
      WHERE item_id = ${item.id}::int AND account_id = ${inner.viewer.id}::int RETURNING seen_at)
    ${noteOf(
      inner,
      sql`${noted(item, ContentChangeKind.LEFT)} FROM gone
        WHERE seen_at >= ${goneAt(inner)}::timestamptz`,
    )} RETURNING id`);
}

const goneAt = (context: RequestContext) => new Date(context.now().getTime() - PRESENT);

/** Returns who edits each item now, the first first, for `context.loader`. */
export async function editorsByItem(
  context: RequestContext,
  itemIds: readonly number[],
): Promise<ContentEditor[][]> {
  const rows = await context.rows<Omit<ContentEditor, 'key'>>(sql`
    SELECT item_id AS "itemId", account_id AS "accountId", since, seen_at AS "seenAt"
    FROM content_editor WHERE item_id = ANY(${[...itemIds]}::int[])
      AND seen_at >= ${goneAt(context)}::timestamptz ORDER BY since, account_id`);
  return itemIds.map((id) =>
    rows
      .filter(({ itemId }) => itemId === id)
      .map((row) => Object.assign(new ContentEditor(), row)),
  );
}
