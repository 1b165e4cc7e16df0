import { type RequestContext, transact } from '../../context.js';
import { refuse } from '../../errors.js';
import { instantOf } from '../../platform/zone.js';
import { ItemStatus, Openness, Taxonomy, View } from './content.enums.js';
import { mayDelete, mayEdit } from './item.rights.js';
import type { ItemRow, StoredStatus } from './item.row.js';
import { keepRevision } from './item-revision.service.js';
import { postRowsById } from './item-row.service.js';
import { slugFor } from './item-slug.service.js';
import type { CreatePostInput, DeletePostInput, PostInput, UpdatePostInput } from './post.inputs.js';
import { postById } from './post.service.js';
import { DeletedPost, type Post } from './post.types.js';
import { blockVersion, RENDERING, renderContent, renderExcerpt, renderTitle } from './rendering/rendering.js';
import { sanitiseHtml, sanitiseTitle } from './rendering/sanitise.js';
import { sortKey } from './rendering/slug.js';

/** B-tree entries are limited to about 2,700 bytes: longer titles sort by their beginning. */
const LONGEST_KEY = 500;

/** What the texts of an item become in its row. */
function textColumns(context: RequestContext, texts: { title: string; content: string; excerpt: string }) {
  const free = context.viewer.can('unfiltered_html');
  const title = free ? texts.title : sanitiseTitle(texts.title);
  const content = free ? texts.content : sanitiseHtml(texts.content);
  const excerpt = free ? texts.excerpt : sanitiseHtml(texts.excerpt);
  const blank = (text: string) => text.trim() === '' || text.trim() === '0';
  if (blank(title) && blank(content) && blank(excerpt)) throw refuse('CONTENT_EMPTY', 'Content, title, and excerpt are empty.');
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
 * Status and date together: a date given holds; without one, drafts float with every save until they are published. What is to be
 * published at a time to come is `future`, what is `future` with a time that has come is published.
 */
function schedule(context: RequestContext, row: Timed | undefined, { date, dateGmt, status: asked }: PostInput): Timed {
  const now = context.now();
  const status = asked ?? row?.status ?? ItemStatus.DRAFT;
  const given = date ?? dateGmt;
  const reset = date === null || (dateGmt === null && !date);
  const kept = row && !row.floating && !reset ? row.publishedAt : undefined;
  const publishedAt = given ? instantOf(given, context.site.timeZone) : (kept ?? now);
  const unpublished = status === 'draft' || status === 'pending' || status === 'auto-draft';
  const floating = !given && !kept && unpublished;
  if (status !== ItemStatus.PUBLISH && status !== ItemStatus.FUTURE) return { status, publishedAt, floating };
  return { status: publishedAt > now ? ItemStatus.FUTURE : ItemStatus.PUBLISH, publishedAt, floating: false };
}

const PUBLISHED: ReadonlySet<StoredStatus> = new Set([ItemStatus.PUBLISH, ItemStatus.FUTURE, ItemStatus.PRIVATE]);

/** What only those who publish may ask for. */
function refusePublishing({ viewer }: RequestContext, { status }: PostInput): void {
  if (!status || !PUBLISHED.has(status) || viewer.can('publish_posts')) return;
  throw status === ItemStatus.PRIVATE
    ? refuse('FORBIDDEN_PUBLISH', 'Sorry, you are not allowed to create private posts in this post type.')
    : refuse('FORBIDDEN_PUBLISH', 'Sorry, you are not allowed to publish posts in this post type.');
}

async function refuseUnknown({ db }: RequestContext, { author, template }: PostInput): Promise<void> {
  if (template) throw refuse('TEMPLATE_UNKNOWN', 'template is not one of .', { param: 'template' });
  if (author && !(await db.account.findUnique({ where: { id: author }, select: { id: true } }))) {
    throw refuse('AUTHOR_INVALID', 'Invalid author ID.');
  }
}

/** The columns that are stored as given, each only if it is given. */
function plainColumns({ commentStatus, pingStatus, sticky, format, template, password, meta }: PostInput) {
  return {
    ...(commentStatus && { commentsOpen: commentStatus === Openness.OPEN }),
    ...(pingStatus && { pingsOpen: pingStatus === Openness.OPEN }),
    ...(typeof sticky === 'boolean' && { sticky }),
    ...(format && { format }),
    ...(typeof template === 'string' && { template }),
    ...(typeof password === 'string' && { password }),
    ...(meta && meta.footnotes !== undefined && { footnotes: meta.footnotes ?? '' }),
  };
}

/** What is private needs no password, and keeps none. */
const withoutPassword = ({ status }: Timed) => (status === ItemStatus.PRIVATE ? { password: '' } : {});

/** Files an item under terms of one taxonomy in place of those it has; ids that are none of the taxonomy's are left out. */
async function file({ db }: RequestContext, itemId: number, taxonomy: Taxonomy, ids: readonly number[]): Promise<void> {
  await db.contentTerm.deleteMany({ where: { itemId, term: { taxonomy } } });
  if (ids.length === 0) return;
  const known = await db.term.findMany({ where: { taxonomy, id: { in: ids.map(Math.abs) } }, select: { id: true } });
  await db.contentTerm.createMany({ data: known.map(({ id }) => ({ itemId, termId: id })) });
}

/** Makes a post; see the mutation for its refusals. */
export async function createPost(context: RequestContext, input: CreatePostInput): Promise<Post> {
  refusePublishing(context, input);
  await refuseUnknown(context, input);
  if (input.password && input.sticky) throw refuse('FIELD_INVALID', 'A post can not be sticky and have a password.');
  const texts = textColumns(context, { title: input.title ?? '', content: input.content ?? '', excerpt: input.excerpt ?? '' });
  const id = await transact(
    context,
    async (inner) => {
      const { db } = inner;
      const [{ id } = { id: 0 }] = await db.$queryRaw<{ id: number }[]>`SELECT nextval('content_item_id_seq')::int AS id`;
      const timed = schedule(inner, undefined, input);
      const slug = await slugFor(
        inner,
        { id, kind: 'post', parentId: 0, status: timed.status, title: texts.title },
        input.slug ?? '',
      );
      await db.contentItem.create({
        data: {
          id,
          kind: 'post',
          commentsOpen: true,
          pingsOpen: true,
          ...texts,
          ...plainColumns(input),
          ...timed,
          ...withoutPassword(timed),
          slug,
          authorId: input.author || inner.viewer.id,
          createdAt: inner.now(),
          modifiedAt: timed.publishedAt,
          guid: timed.status === ItemStatus.PUBLISH ? `/${slug}/` : `/?p=${id}`,
        },
        select: { id: true },
      });
      const categories = input.categories === undefined ? [inner.site.defaultCategoryId] : (input.categories ?? []);
      await file(inner, id, Taxonomy.CATEGORY, categories);
      await file(inner, id, Taxonomy.TAG, input.tags ?? []);
      return id;
    },
    { replayable: true },
  );
  return postById(context, id, { as: View.EDIT });
}

/** Locks a post for a change, inside its transaction. */
async function lockedPost(context: RequestContext, id: number): Promise<ItemRow> {
  await context.db.$queryRaw`SELECT id FROM content_item WHERE id = ${id} FOR UPDATE`;
  const row = await context.loader(postRowsById).load(id);
  if (!row) throw refuse('POST_NOT_FOUND', 'Invalid post ID.');
  return row;
}

/** Changes a post; see the mutation for its refusals. */
export async function updatePost(context: RequestContext, input: UpdatePostInput): Promise<Post> {
  refusePublishing(context, input);
  await refuseUnknown(context, input);
  const id = await transact(
    context,
    async (inner) => {
      const row = await lockedPost(inner, input.id);
      if (!mayEdit(inner.viewer, row)) throw refuse('FORBIDDEN_EDIT', 'Sorry, you are not allowed to edit this post.');
      if (input.version && input.version !== row.version) {
        throw refuse('CONFLICT', 'The post has changed since. Fetch it and try again.', { detail: { version: row.version } });
      }
      if (input.sticky && (input.password ?? row.password)) {
        throw refuse('FIELD_INVALID', 'A password protected post can not be set to sticky.');
      }
      if (input.password && (input.sticky ?? row.sticky)) {
        throw refuse('FIELD_INVALID', 'A sticky post can not be password protected.');
      }
      await change(inner, row, input);
      return row.id;
    },
    { replayable: true },
  );
  return postById(context, id, { as: View.EDIT });
}

/** Writes a change of a locked post, with its revision. */
async function change(context: RequestContext, row: ItemRow, input: PostInput & { trash?: true }): Promise<void> {
  const timed = input.trash
    ? { status: 'trash' as const, publishedAt: row.publishedAt, floating: row.floating }
    : schedule(context, row, input);
  const texts = textColumns(context, {
    title: input.title ?? row.title,
    content: input.content ?? row.content ?? '',
    excerpt: input.excerpt ?? row.excerpt,
  });
  const plain = plainColumns(input);
  const item = { ...row, status: timed.status, title: texts.title };
  await context.db.contentItem.update({
    where: { id: row.id },
    data: {
      ...texts,
      ...plain,
      ...timed,
      ...withoutPassword(timed),
      ...(input.trash && { sticky: false }),
      slug: await slugFor(context, item, input.slug ?? row.slug),
      ...(input.author && { authorId: input.author }),
      modifiedAt: context.now(),
      version: { increment: 1 },
      ...(await keepRevision(context, row.id, { ...texts, footnotes: plain.footnotes ?? row.footnotes })),
    },
    select: { id: true },
  });
  const unfiled = input.categories === undefined && row.categoryIds?.length === 0;
  const categories = unfiled ? [context.site.defaultCategoryId] : input.categories;
  if (categories !== undefined) await file(context, row.id, Taxonomy.CATEGORY, categories ?? []);
  if (input.tags !== undefined) await file(context, row.id, Taxonomy.TAG, input.tags ?? []);
}

/** Moves a post to the bin, or deletes it for good with `force`; see the mutation for its refusals. */
export async function deletePost(context: RequestContext, { id, force }: DeletePostInput): Promise<Post | DeletedPost> {
  const previous = await postById(context, id, { as: View.EDIT });
  await transact(context, async (inner) => {
    const row = await lockedPost(inner, id);
    if (!mayDelete(inner.viewer, row)) throw refuse('FORBIDDEN_DELETE', 'Sorry, you are not allowed to delete this post.');
    if (force) {
      await inner.db.contentItem.updateMany({ where: { parentId: id }, data: { parentId: row.parentId || null } });
      await inner.db.contentItem.delete({ where: { id }, select: { id: true } });
    } else {
      if (row.status === 'trash') throw refuse('ALREADY_TRASHED', 'The post has already been deleted.');
      await change(inner, row, { trash: true });
    }
  });
  return force ? new DeletedPost(previous) : postById(context, id, { as: View.EDIT });
}
