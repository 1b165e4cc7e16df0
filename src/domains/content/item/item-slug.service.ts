import type { RequestContext } from '../../../core/context.js';
import { isReservedSlug, slugify } from '../rendering/slug.js';
import { freeSlug } from '../term/term.service.js';
import type { Kind } from './item.kinds.js';
import type { ItemRow } from './item.row.js';

const TRASHED = '__trashed';

/** An item that is to have a slug, and which. */
export interface Slugged extends Pick<ItemRow, 'id' | 'parentId' | 'status' | 'title'> {
  readonly wanted: string;
  /** Whether the caller asks for it now. */
  readonly asked: boolean;
}

/**
 * Returns the slugs of items of a kind, inside their transaction: the one wanted, else one made of
 * the title, else the id. Drafts and pending items may have none. A slug is unique among siblings:
 * it gets `-2`, `-3`, … where it is taken or reserved, also by an item before it in the list. An
 * item in the bin leaves its slug free. A draft or pending item keeps its slug, even when that is
 * taken, until somebody asks for another or publishes it.
 */
export async function slugsFor(
  context: RequestContext,
  kind: Kind,
  items: readonly Slugged[],
): Promise<string[]> {
  const bases = items.map(baseOf);
  const named = items.flatMap((item, i) => {
    const { id, parentId } = item;
    return bases[i] && !keeps(item) ? [{ id, parentId, base: bases[i] }] : [];
  });
  const taken =
    named.length > 0 ? await slugsLike(context, kind, named) : new Map<number, Set<string>>();
  return items.map((item, i) => {
    const { parentId } = item;
    const base = bases[i] as string;
    if (!base || keeps(item)) return base;
    const siblings = taken.get(parentId) ?? new Set();
    const slug = freeSlug(base, isReservedSlug(base) ? new Set([...siblings, base]) : siblings);
    taken.set(parentId, siblings.add(slug));
    return slug;
  });
}

export async function slugFor(context: RequestContext, kind: Kind, item: Slugged): Promise<string> {
  const [slug = ''] = await slugsFor(context, kind, [item]);
  return slug;
}

const isDraft = ({ status }: Slugged) =>
  status === 'draft' || status === 'pending' || status === 'auto-draft';
const keeps = (item: Slugged) => isDraft(item) && !item.asked;

function baseOf(item: Slugged): string {
  const { id, status, title, wanted } = item;
  const bare = slugify(wanted.endsWith(TRASHED) ? wanted.slice(0, -TRASHED.length) : wanted);
  if (!bare && isDraft(item)) return '';
  const named = bare || slugify(title) || String(id);
  return status === 'trash' ? named + TRASHED : named;
}

/**
 * The slugs of other items below each parent that equal a base, or a base with a number. Locks the
 * bases until the transaction ends.
 */
async function slugsLike(
  { db }: RequestContext,
  kind: Kind,
  named: readonly { id: number; parentId: number; base: string }[],
): Promise<Map<number, Set<string>>> {
  // All lock in one order, so that nobody waits in a circle
  const bases = [...new Set(named.map(({ base }) => base))].sort();
  await db.$queryRaw`SELECT count(pg_advisory_xact_lock(hashtextextended('slug:' || ${kind} || ':' || base, 0)))::int
    FROM unnest(${bases}::text[]) base`;
  const rows = await db.$queryRaw<{ parent: number; slug: string }[]>`
    SELECT wanted.parent, p.slug FROM unnest(${named.map(({ id }) => id)}::int[], ${named.map(({ parentId }) => parentId)}::int[],
      ${named.map(({ base }) => base)}::text[]) wanted(id, parent, base)
    JOIN content_item p ON p.kind = ${kind} AND coalesce(p.parent_id, 0) = wanted.parent AND p.slug <> '' AND p.id <> wanted.id
      AND p.slug >= wanted.base AND p.slug < wanted.base || '.' AND substr(p.slug, length(wanted.base) + 1) ~ '^(-[0-9]+)?$'`;
  const taken = new Map<number, Set<string>>();
  for (const { parent, slug } of rows)
    taken.set(parent, (taken.get(parent) ?? new Set()).add(slug));
  return taken;
}
