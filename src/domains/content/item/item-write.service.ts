import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { transact } from '../../../core/transact.js';
import type { Viewer } from '../../../core/viewer.js';
import { instantOf } from '../../../platform/zone.js';
import { ItemStatus, Openness, Taxonomy, View } from '../content.enums.js';
import { featurable } from '../media/media.service.js';
import {
  blockVersion,
  RENDERING,
  renderContent,
  renderExcerpt,
  renderTitle,
} from '../rendering/rendering.js';
import { sanitiseFootnotes, sanitiseHtml, sanitiseTitle } from '../rendering/sanitise.js';
import { sortKey } from '../rendering/slug.js';
import { keepRevision } from '../revision/item-revision.service.js';
import { absolute } from './conditions.sql.js';
import type { DeleteItemInput, ItemChanges } from './item.inputs.js';
import { KINDS, type Kind, mapKinds } from './item.kinds.js';
import { RESULTS } from './item.results.js';
import { mayDelete, mayEdit } from './item.rights.js';
import type { ItemRow, StoredStatus } from './item.row.js';
import { itemById } from './item.service.js';
import type { Item } from './item.types.js';
import { CLAUSES } from './item-filter.service.js';
import { rowsById } from './item-row.service.js';
import { slugFor, slugsFor } from './item-slug.service.js';

/** B-tree entries are limited to about 2,700 bytes: longer titles sort by their beginning. */
const LONGEST_KEY = 500;

interface Texts {
  readonly title: string;
  readonly content: string;
  readonly excerpt: string;
}

/** Texts as they are stored: whoever may not store any HTML has it sanitised. */
export function sanitised(viewer: Viewer, { title, content, excerpt }: Texts): Texts {
  if (viewer.can('unfiltered_html')) return { title, content, excerpt };
  return {
    title: sanitiseTitle(title),
    content: sanitiseHtml(content),
    excerpt: sanitiseHtml(excerpt),
  };
}

/** What the texts of an item become in its row. */
function textColumns(context: RequestContext, kind: Kind, texts: Texts) {
  const { title, content, excerpt } = sanitised(context.viewer, texts);
  const blank = (text: string) => text.trim() === '' || text.trim() === '0';
  if (KINDS[kind].written && blank(title) && blank(content) && blank(excerpt))
    throw refuse('CONTENT_EMPTY', 'Content, title, and excerpt are empty.');
  return {
    title,
    titleKey: sortKey(title).slice(0, LONGEST_KEY),
    titleRendered: renderTitle(title),
    content,
    contentRendered: renderContent(content),
    excerpt,
    excerptRendered: renderExcerpt(excerpt, content),
    rendering: RENDERING,
    blockVersion: blockVersion(content),
  };
}

interface Timed {
  readonly status: StoredStatus;
  readonly publishedAt: Date;
  readonly floating: boolean;
}

/**
 * Status and date together: a date given holds; without one, drafts float with every save until
 * they are published. What is to be published at a time to come is `future`, what is `future` with
 * a time that has come is published.
 */
function schedule(
  context: RequestContext,
  row: Timed | undefined,
  { date, dateGmt, status: asked }: ItemChanges,
): Timed {
  const now = context.now();
  const status = asked ?? row?.status ?? ItemStatus.DRAFT;
  const given = date ?? dateGmt;
  const reset = date === null || (dateGmt === null && !date);
  const kept = row && !row.floating && !reset ? row.publishedAt : undefined;
  const publishedAt = given ? instantOf(given, context.site.timeZone) : (kept ?? now);
  const unpublished = status === 'draft' || status === 'pending' || status === 'auto-draft';
  const floating = !given && !kept && unpublished;
  if (status !== ItemStatus.PUBLISH && status !== ItemStatus.FUTURE)
    return { status, publishedAt, floating };
  return {
    status: publishedAt > now ? ItemStatus.FUTURE : ItemStatus.PUBLISH,
    publishedAt,
    floating: false,
  };
}

const PUBLISHED: ReadonlySet<StoredStatus> = new Set([
  ItemStatus.PUBLISH,
  ItemStatus.FUTURE,
  ItemStatus.PRIVATE,
]);

/** What only those who publish may ask for. */
export function refusePublishing({ viewer }: RequestContext, { status }: ItemChanges): void {
  if (!status || !PUBLISHED.has(status) || viewer.can('publish_posts')) return;
  throw status === ItemStatus.PRIVATE
    ? refuse(
        'FORBIDDEN_PUBLISH',
        'Sorry, you are not allowed to create private posts in this post type.',
      )
    : refuse('FORBIDDEN_PUBLISH', 'Sorry, you are not allowed to publish posts in this post type.');
}

/**
 * There are no templates but the default one, whose name is empty: any other name is
 * TEMPLATE_UNKNOWN.
 */
export function refuseTemplate({ template }: ItemChanges): void {
  if (template) throw refuse('TEMPLATE_UNKNOWN', 'template is not one of .', { param: 'template' });
}

/** What names something that is not there. */
export async function refuseUnknown(
  { db }: RequestContext,
  { author, template, parent }: ItemChanges,
): Promise<void> {
  refuseTemplate({ template });
  if (author && !(await db.account.findUnique({ where: { id: author }, select: { id: true } }))) {
    throw refuse('AUTHOR_INVALID', 'Invalid author ID.');
  }
  if (
    parent &&
    !(await db.contentItem.findUnique({ where: { id: parent }, select: { id: true } }))
  ) {
    throw refuse('PARENT_INVALID', 'Invalid post parent ID.');
  }
}

/** Footnotes as they are stored, if any are given: sanitised like the texts that they belong to. */
export function footnotesGiven(viewer: Viewer, { meta }: ItemChanges): string | undefined {
  if (!meta || meta.footnotes === undefined) return undefined;
  const footnotes = meta.footnotes ?? '';
  return viewer.can('unfiltered_html') || footnotes === ''
    ? footnotes
    : sanitiseFootnotes(footnotes);
}

/** The columns that are stored as given, each only if it is given. */
function plainColumns(viewer: Viewer, changes: ItemChanges) {
  const { commentStatus, pingStatus, sticky, format, template, password, menuOrder } = changes;
  const footnotes = footnotesGiven(viewer, changes);
  return {
    ...(commentStatus && { commentsOpen: commentStatus === Openness.OPEN }),
    ...(pingStatus && { pingsOpen: pingStatus === Openness.OPEN }),
    ...(typeof sticky === 'boolean' && { sticky }),
    ...(format && { format }),
    ...(typeof template === 'string' && { template }),
    ...(typeof password === 'string' && { password }),
    ...(typeof menuOrder === 'number' && { menuOrder }),
    ...(footnotes !== undefined && { footnotes }),
  };
}

/**
 * The featured medium as stored: what cannot be featured is silently none; what is featured already
 * stays.
 */
async function featuredColumn(
  context: RequestContext,
  { featuredMedia: id }: ItemChanges,
  row?: ItemRow,
) {
  if (typeof id !== 'number' || id === row?.featuredMediaId) return {};
  return { featuredMediaId: await featurable(context, id) };
}

/** What is private needs no password, and keeps none. */
const withoutPassword = ({ status }: Timed) =>
  status === ItemStatus.PRIVATE ? { password: '' } : {};

interface Filing {
  readonly id: number;
  readonly changes: ItemChanges;
  /** As it was; undefined when it is new. */
  readonly row?: ItemRow;
}

/**
 * Files items under what their changes name, taxonomy by taxonomy in place of what they had; ids
 * that are none of the taxonomy's are left out. A post left with no category at its next save gets
 * the site's default back.
 */
async function fileAll(
  { db, site }: RequestContext,
  kind: Kind,
  filings: readonly Filing[],
): Promise<void> {
  const filed = CLAUSES.filter(([taxonomy]) => KINDS[kind].taxonomies.includes(taxonomy)).flatMap(
    ([taxonomy, name]) =>
      filings.flatMap(({ id, changes, row }) => {
        const unfiled =
          taxonomy === Taxonomy.CATEGORY && (row === undefined || row[taxonomy]?.length === 0);
        const ids =
          changes[name] === undefined && unfiled ? [site.defaultCategoryId] : changes[name];
        return ids === undefined
          ? []
          : [{ id, taxonomy, ids: absolute(ids ?? []), filedBefore: row !== undefined }];
      }),
  );
  const before = filed.filter(({ filedBefore }) => filedBefore);
  if (before.length > 0) {
    const places = before.map(({ id, taxonomy }) => ({ itemId: id, term: { taxonomy } }));
    await db.contentTerm.deleteMany({ where: { OR: places } });
  }
  const pairs = filed.flatMap(({ id, taxonomy, ids }) =>
    ids.map((term) => ({ id, taxonomy, term })),
  );
  if (pairs.length === 0) return;
  await db.$executeRaw`INSERT INTO content_term (item_id, term_id) SELECT DISTINCT wanted.item, t.id FROM unnest(
      ${pairs.map(({ id }) => id)}::int[], ${pairs.map(({ taxonomy }) => taxonomy)}::text[], ${pairs.map(({ term }) => term)}::int[])
    wanted(item, taxonomy, term) JOIN term t ON t.id = wanted.term AND t.taxonomy = wanted.taxonomy`;
}

/** What is to become an item, past its refusals. */
interface Draft {
  readonly changes: ItemChanges;
  readonly texts: ReturnType<typeof textColumns>;
}

async function draftOf(context: RequestContext, kind: Kind, changes: ItemChanges): Promise<Draft> {
  refusePublishing(context, changes);
  await refuseUnknown(context, changes);
  if (changes.password && changes.sticky)
    throw refuse('FIELD_INVALID', 'A post can not be sticky and have a password.');
  const { title, content, excerpt } = changes;
  const texts = textColumns(context, kind, {
    title: title ?? '',
    content: content ?? '',
    excerpt: excerpt ?? '',
  });
  return { changes, texts };
}

/**
 * Writes new items inside their transaction, in as many statements for many as for one; answers
 * their ids.
 */
async function insertItems(
  context: RequestContext,
  kind: Kind,
  drafts: readonly Draft[],
): Promise<number[]> {
  const { db, viewer } = context;
  const { discussed, path, plain } = KINDS[kind];
  const ids = await db.$queryRaw<{ id: number }[]>`
    SELECT nextval('content_item_id_seq')::int AS id FROM generate_series(1, ${drafts.length}::int)`;
  const items = drafts.map(({ changes, texts }, i) => {
    const timed = schedule(context, undefined, changes);
    return { id: ids[i]?.id as number, parentId: changes.parent || 0, changes, texts, timed };
  });
  const slugs = await slugsFor(
    context,
    kind,
    items.map(({ id, parentId, changes, texts, timed }) => ({
      id,
      parentId,
      status: timed.status,
      title: texts.title,
      wanted: changes.slug ?? '',
      asked: Boolean(changes.slug),
    })),
  );
  const featured = await Promise.all(items.map(({ changes }) => featuredColumn(context, changes)));
  await db.contentItem.createMany({
    data: items.map(({ id, parentId, changes, texts, timed }, i) => ({
      id,
      kind,
      commentsOpen: discussed,
      pingsOpen: discussed,
      ...texts,
      ...plainColumns(viewer, changes),
      ...featured[i],
      ...timed,
      ...withoutPassword(timed),
      slug: slugs[i] as string,
      parentId: parentId || null,
      authorId: changes.author || viewer.id,
      createdAt: context.now(),
      modifiedAt: timed.publishedAt,
      guid: timed.status === ItemStatus.PUBLISH ? path(slugs[i] as string) : plain(id),
    })),
  });
  await fileAll(context, kind, items);
  return items.map(({ id }) => id);
}

/** Makes an item; see the mutation for its refusals. */
export async function createItem(
  context: RequestContext,
  kind: Kind,
  changes: ItemChanges,
): Promise<Item> {
  // A copy: the loader knows what it has made by its input, and the same input twice is two items.
  const id = await context.loader(creating[kind]).load({ ...changes });
  return itemById(context, kind, id as number, { as: View.EDIT });
}

type Created = number | Error;

/**
 * Items that are asked for within one tick, as by a batch, are made in one transaction; each that
 * is refused is refused alone.
 */
const creating = mapKinds(
  (_rules, kind) =>
    async (context: RequestContext, list: readonly ItemChanges[]): Promise<Created[]> => {
      // One after the other where they may be about each other, or are remembered each.
      const alone =
        list.length === 1 || context.input.idempotency || list.some(({ parent }) => parent);
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
): Promise<number> {
  const draft = await draftOf(context, kind, changes);
  const insert = async (inner: RequestContext) =>
    (await insertItems(inner, kind, [draft]))[0] as number;
  return transact(context, insert, { replayable: true });
}

/** Undefined when the transaction failed, and nothing was made. */
async function createTogether(
  context: RequestContext,
  kind: Kind,
  list: readonly ItemChanges[],
): Promise<Created[] | undefined> {
  const drafts = await Promise.all(list.map((changes) => orError(draftOf(context, kind, changes))));
  const good = drafts.filter((draft): draft is Draft => !(draft instanceof Error));
  if (good.length === 0) return drafts as Error[];
  const ids = await orError(transact(context, (inner) => insertItems(inner, kind, good)));
  if (ids instanceof Error) return undefined;
  const made = ids.values();
  return drafts.map((draft) => (draft instanceof Error ? draft : (made.next().value as number)));
}

const orError = <T>(work: Promise<T>): Promise<T | Error> => work.catch((error: Error) => error);

/** Locks an item for a change, inside its transaction. */
export async function lockedItem(
  context: RequestContext,
  kind: Kind,
  id: number,
): Promise<ItemRow> {
  await context.db.$queryRaw`SELECT id FROM content_item WHERE id = ${id} FOR UPDATE`;
  const row = await context.loader(rowsById[kind]).load(id);
  if (!row) throw refuse('POST_NOT_FOUND', 'Invalid post ID.');
  return row;
}

type Update = ItemChanges & { id: number; version?: number | null };

/** Changes an item; see the mutation for its refusals. */
export async function updateItem(
  context: RequestContext,
  kind: Kind,
  update: Update,
): Promise<Item> {
  refusePublishing(context, update);
  await refuseUnknown(context, update);
  const id = await transact(
    context,
    async (inner) => {
      const row = await lockedItem(inner, kind, update.id);
      if (!mayEdit(inner.viewer, row))
        throw refuse('FORBIDDEN_EDIT', 'Sorry, you are not allowed to edit this post.');
      if (typeof update.version === 'number' && update.version !== row.version) {
        throw refuse('CONFLICT', 'The post has changed since. Fetch it and try again.', {
          detail: { version: row.version },
        });
      }
      if (update.sticky && (update.password ?? row.password)) {
        throw refuse('FIELD_INVALID', 'A password protected post can not be set to sticky.');
      }
      if (update.password && (update.sticky ?? row.sticky)) {
        throw refuse('FIELD_INVALID', 'A sticky post can not be password protected.');
      }
      await change(inner, row, update);
      return row.id;
    },
    { replayable: true },
  );
  return itemById(context, kind, id, { as: View.EDIT });
}

/** Writes a change of a locked item, with its revision. */
export async function change(
  context: RequestContext,
  row: ItemRow,
  changes: ItemChanges & { trash?: true; autosave?: true },
): Promise<void> {
  const { kind } = row;
  const { publishedAt, floating } = row;
  const timed = changes.trash
    ? { status: 'trash' as const, publishedAt, floating }
    : schedule(context, row, changes);
  const texts = textColumns(context, kind, {
    title: changes.title ?? row.title,
    content: changes.content ?? row.content ?? '',
    excerpt: changes.excerpt ?? row.excerpt,
  });
  const plain = plainColumns(context.viewer, changes);
  const parentId =
    typeof changes.parent === 'number'
      ? await parentFor(context, row.id, changes.parent)
      : row.parentId;
  const { id } = row;
  const wanted = changes.slug ?? row.slug;
  const asked = Boolean(changes.slug);
  const slug = await slugFor(context, kind, {
    id,
    parentId,
    status: timed.status,
    title: texts.title,
    wanted,
    asked,
  });
  const footnotes = plain.footnotes ?? row.footnotes;
  await context.db.contentItem.update({
    where: { id: row.id },
    data: {
      ...texts,
      ...plain,
      ...(await featuredColumn(context, changes, row)),
      ...timed,
      ...withoutPassword(timed),
      ...(changes.trash && { sticky: false }),
      slug,
      parentId: parentId || null,
      ...(changes.author && { authorId: changes.author }),
      modifiedAt: context.now(),
      version: { increment: 1 },
      ...(KINDS[kind].revisions &&
        !changes.autosave &&
        (await keepRevision(context, row.id, { ...texts, footnotes }))),
    },
    select: { id: true },
  });
  await fileAll(context, kind, [{ id, changes, row }]);
}

/** The parent that an item can have: 0, the top, in place of itself or what is below it. */
async function parentFor({ db }: RequestContext, id: number, parent: number): Promise<number> {
  const [{ cycle } = { cycle: true }] = await db.$queryRaw<{ cycle: boolean }[]>`
    WITH RECURSIVE above AS (SELECT ${parent}::int AS id, 1 AS level
      UNION ALL SELECT p.parent_id, level + 1 FROM above JOIN content_item p ON p.id = above.id WHERE level < 100)
    SELECT EXISTS (SELECT FROM above WHERE id = ${id}) AS cycle`;
  return cycle ? 0 : parent;
}

/** Moves what is below an item to where the item is, under names that are free there. */
async function raiseChildren(
  context: RequestContext,
  { id, kind, parentId }: ItemRow,
): Promise<void> {
  const children = await context.db.contentItem.findMany({
    where: { parentId: id },
    select: { id: true, slug: true, status: true, title: true },
  });
  for (const child of children) {
    const status = child.status as StoredStatus;
    const slug =
      child.slug &&
      (await slugFor(context, kind, {
        ...child,
        parentId,
        status,
        wanted: child.slug,
        asked: false,
      }));
    await context.db.contentItem.update({
      where: { id: child.id },
      data: { parentId: parentId || null, slug },
      select: { id: true },
    });
  }
}

/**
 * Moves an item to the bin, or deletes it for good with `force`; see the mutation for its refusals.
 */
export async function deleteItem(
  context: RequestContext,
  kind: Kind,
  { id, force }: DeleteItemInput,
): Promise<object> {
  const previous = await itemById(context, kind, id, { as: View.EDIT });
  const work = async (inner: RequestContext) => {
    const row = await lockedItem(inner, kind, id);
    if (!mayDelete(inner.viewer, row))
      throw refuse('FORBIDDEN_DELETE', 'Sorry, you are not allowed to delete this post.');
    if (force) {
      await raiseChildren(inner, row);
      await inner.db.contentItem.delete({ where: { id }, select: { id: true } });
    } else {
      if (row.status === 'trash')
        throw refuse('ALREADY_TRASHED', 'The post has already been deleted.');
      await change(inner, row, { trash: true });
    }
    return id;
  };
  // What is deleted for good cannot be answered again.
  await transact(context, work, { replayable: !force });
  const { deleted: Deleted } = RESULTS[kind];
  return force
    ? Object.assign(new Deleted(), { deleted: true, previous })
    : itemById(context, kind, id, { as: View.EDIT });
}
