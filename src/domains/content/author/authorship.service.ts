import type { RequestContext } from '../../../core/context.js';

/** Returns what an account has written, by id; the content itself is the site's. */
export async function exportAuthored({ db }: RequestContext, authorId: number): Promise<object> {
  const order = { where: { authorId }, orderBy: { id: 'asc' } } as const;
  const items = await db.contentItem.findMany({
    ...order,
    select: { id: true, kind: true, status: true, publishedAt: true },
  });
  const revisions = await db.revision.findMany({
    ...order,
    select: { id: true, itemId: true, autosave: true, createdAt: true },
  });
  return { items, revisions };
}

/**
 * Gives the items and media of an account to another, but not its autosaves: nobody else can continue them.
 */
export async function handOver(
  { db }: RequestContext,
  authorId: number,
  heirId: number,
): Promise<void> {
  await db.revision.deleteMany({ where: { authorId, autosave: true } });
  await db.revision.updateMany({ where: { authorId }, data: { authorId: heirId } });
  await db.contentItem.updateMany({ where: { authorId }, data: { authorId: heirId } });
  await db.media.updateMany({ where: { authorId }, data: { authorId: heirId } });
}
