import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { changeOnce, transact } from '../../../core/transact.js';
import { isUnavailable, isUniqueViolation } from '../../../platform/database/database.js';
import { ItemStatus, View } from '../content.enums.js';
import type { ItemChanges } from './item.inputs.js';
import { refusePublishing } from './item.judgement.js';
import { KINDS, type Kind, mapKinds } from './item.kinds.js';
import type { ItemRow } from './item.row.js';
import { schedule, type Timed } from './item.schedule.js';
import { itemById, shownTo } from './item.service.js';
import type { Item } from './item.types.js';
import {
  featuredColumn,
  plainColumns,
  textColumns,
  withoutPassword,
} from './item-columns.service.js';
import { placesOf } from './item-filing.service.js';
import { ID, insertRows, SLUG } from './item-insert.service.js';
import { ITEM_CLASSES } from './item-kinds.types.js';
import { refuseUnknownOnce } from './item-reference.service.js';
import { areEntangled, isDraft, lockSlugs, newBases } from './item-slug.service.js';

/** An item to make, after its refusals. */
interface Draft {
  readonly changes: ItemChanges;
  readonly texts: Awaited<ReturnType<typeof textColumns>>;
  readonly plain: Awaited<ReturnType<typeof plainColumns>>;
  readonly timed: Timed;
}

async function draftOf(context: RequestContext, kind: Kind, changes: ItemChanges): Promise<Draft> {
  refusePublishing(context, changes);
  await refuseUnknownOnce(context, kind, changes);
  if (changes.password && changes.isSticky)
    throw refuse('FIELD_INVALID', 'A post can not be sticky and have a password.', {
      input: 'isSticky',
    });
  const { title, content, excerpt } = changes;
  const plain = await plainColumns(context, changes);
  const texts = await textColumns(context, kind, {
    title: title ?? '',
    content: content ?? '',
    excerpt: excerpt ?? '',
    footnotes: plain.footnotes ?? '',
  });
  return { changes, texts, plain, timed: schedule(context, undefined, changes) };
}

/** Writes new items by one statement, after those of their featured media. Returns their rows. */
async function insertItems(
  context: RequestContext,
  kind: Kind,
  drafts: readonly Draft[],
): Promise<ItemRow[]> {
  const bases = newBases(drafts.map(slugAsked));
  const featured = await Promise.all(drafts.map(({ changes }) => featuredColumn(context, changes)));
  if (context.inTransaction) await lockSlugs(context, kind, bases);
  const filings = drafts.map(({ changes }, i) => ({ id: i + 1, changes }));
  const rows = drafts.map((draft, i) => ({ ...newRow(context, kind, draft), ...featured[i] }));
  return insertRows(context, { kind, rows, bases, filed: placesOf(context, kind, filings) });
}

const slugAsked = ({ changes, texts, timed }: Draft) => ({
  parentId: changes.parentId || 0,
  status: timed.status,
  title: texts.title,
  wanted: changes.slug ?? '',
  asked: Boolean(changes.slug),
});

/** Returns the columns of a new item, but for its featured medium. */
function newRow(context: RequestContext, kind: Kind, { changes, texts, plain, timed }: Draft) {
  const { discussed, path, plain: plainPath } = KINDS[kind];
  return {
    kind,
    commentsOpen: discussed,
    pingsOpen: discussed,
    ...texts,
    ...plain,
    ...timed,
    ...withoutPassword(timed),
    parentId: changes.parentId || 0,
    authorId: changes.authorId || context.viewer.id,
    createdAt: context.now(),
    modifiedAt: timed.publishedAt,
    guid: timed.status === ItemStatus.PUBLISH ? path(SLUG) : plainPath(ID),
  };
}

/**
 * Writes new items all or none, and returns their rows. The first time without a transaction, where
 * one statement is enough: not with an Idempotency-Key, and not for the slug of a draft, which no
 * unique index holds. When somebody takes a slug meanwhile, it is done again in a transaction.
 */
async function insertTogether(
  context: RequestContext,
  kind: Kind,
  drafts: readonly Draft[],
): Promise<ItemRow[]> {
  const insert = (inner: RequestContext) => insertItems(inner, kind, drafts);
  const apart = drafts.every(({ changes, timed }) => !(changes.slug && isDraft(timed)));
  if (!apart || context.inTransaction) return transact(context, insert);
  return insert(context).catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    return transact(context, insert);
  });
}

/** Makes an item. Throws the refusals of the mutation. */
export async function createItem(
  context: RequestContext,
  kind: Kind,
  changes: ItemChanges,
): Promise<Item> {
  // A copy: the loader keeps results by input, and the same input twice makes two items.
  const made = (await context.loader(creating[kind]).load({ ...changes })) as ItemRow | number;
  if (typeof made === 'number') return itemById(context, kind, made, { as: View.EDIT });
  return new ITEM_CLASSES[kind](made, shownTo(context, { as: View.EDIT }));
}

/** The row of a new item, or the id of one that was made by an earlier identical request. */
type Created = ItemRow | number | Error;

/**
 * Makes the items of one tick, as of a batch, in one transaction. Each refusal is of one item
 * alone.
 */
const creating = mapKinds(
  (_rules, kind) =>
    async (context: RequestContext, list: readonly ItemChanges[]): Promise<Created[]> => {
      // One after the other where one may be the parent of another, or each has its
      // Idempotency-Key.
      const alone =
        list.length === 1 || context.input.idempotency || list.some(({ parentId }) => parentId);
      return (
        (alone ? undefined : await createTogether(context, kind, list)) ??
        createEach(context, kind, list)
      );
    },
);

async function createEach(
  context: RequestContext,
  kind: Kind,
  list: readonly ItemChanges[],
): Promise<Created[]> {
  const created: Created[] = [];
  for (const changes of list) created.push(await orError(createAlone(context, kind, changes)));
  return created;
}

async function createAlone(
  context: RequestContext,
  kind: Kind,
  changes: ItemChanges,
): Promise<ItemRow | number> {
  const draft = await draftOf(context, kind, changes);
  let made: ItemRow | undefined;
  const id = await changeOnce(context, async (inner) => {
    [made] = await insertTogether(inner, kind, [draft]);
    return (made as ItemRow).id;
  });
  return made ?? id;
}

/**
 * Returns undefined when nothing was made. After a loss of the connection nobody knows whether it was,
 * and each gets that error.
 */
async function createTogether(
  context: RequestContext,
  kind: Kind,
  list: readonly ItemChanges[],
): Promise<Created[] | undefined> {
  const drafts = await Promise.all(list.map((changes) => orError(draftOf(context, kind, changes))));
  const good = drafts.filter((draft): draft is Draft => !(draft instanceof Error));
  if (good.length === 0) return drafts as Error[];
  if (areEntangled(newBases(good.map(slugAsked)))) return undefined;
  const rows = await orError(insertTogether(context, kind, good));
  if (rows instanceof Error)
    return isUnavailable(rows)
      ? drafts.map((draft) => (draft instanceof Error ? draft : rows))
      : undefined;
  const made = rows.values();
  return drafts.map((draft) => (draft instanceof Error ? draft : (made.next().value as ItemRow)));
}

const orError = <T>(work: Promise<T>): Promise<T | Error> => work.catch((error: Error) => error);
