import type { RequestContext } from '../../../core/context.js';

interface Texts {
  readonly title: string;
  readonly content: string;
  readonly excerpt: string;
  readonly footnotes: string;
}

/**
 * Keeps the new state of an item as a revision, inside its transaction: at the first change ever,
 * and whenever a text differs from the newest revision. The revision's author is who made the
 * change. Returns the counters for the item's row.
 */
export async function keepRevision(
  context: RequestContext,
  itemId: number,
  texts: Texts,
): Promise<{ revisionCount: { increment: number }; latestRevisionId: number } | undefined> {
  const { db } = context;
  const newest = await db.revision.findFirst({
    where: { itemId, autosave: false },
    orderBy: { id: 'desc' },
    select: { title: true, content: true, excerpt: true, footnotes: true },
  });
  const { title, content, excerpt, footnotes } = texts;
  const same =
    newest && newest.title === title && newest.content === content && newest.excerpt === excerpt;
  if (same && newest.footnotes === footnotes) return undefined;
  const at = context.now();
  const data = {
    itemId,
    authorId: context.viewer.id,
    title,
    content,
    excerpt,
    footnotes,
    createdAt: at,
    modifiedAt: at,
  };
  const { id } = await db.revision.create({ data, select: { id: true } });
  return { revisionCount: { increment: 1 }, latestRevisionId: id };
}
