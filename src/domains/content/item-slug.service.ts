import type { RequestContext } from '../../context.js';
import type { ItemRow } from './item.row.js';
import { isReservedSlug, slugify } from './rendering/slug.js';
import { freeSlug } from './term.service.js';

const TRASHED = '__trashed';
type Slugged = Pick<ItemRow, 'id' | 'kind' | 'parentId' | 'status' | 'title'>;

/**
 * The slug that an item is to have, inside its transaction: the one wanted, else one made of the title, else the id; drafts and
 * pending items may go without. Unique among siblings of its kind: `-2`, `-3`, … where it is taken or reserved. An item in the bin
 * leaves its name free.
 */
export async function slugFor(context: RequestContext, item: Slugged, wanted: string): Promise<string> {
  const bare = slugify(wanted.endsWith(TRASHED) ? wanted.slice(0, -TRASHED.length) : wanted);
  if (!bare && (item.status === 'draft' || item.status === 'pending')) return '';
  const named = bare || slugify(item.title) || String(item.id);
  const slug = item.status === 'trash' ? named + TRASHED : named;
  const { db } = context;
  await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`slug:${item.kind}:${slug}`}, 0))`;
  const siblings = await db.contentItem.findMany({
    where: { kind: item.kind, parentId: item.parentId || null, slug: { startsWith: slug }, id: { not: item.id } },
    select: { slug: true },
  });
  const taken = new Set(siblings.map((sibling) => sibling.slug));
  if (isReservedSlug(slug)) taken.add(slug);
  return freeSlug(slug, taken);
}
