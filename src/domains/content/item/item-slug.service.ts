import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { isReservedSlug, slugify } from '../rendering/slug.js';
import { freeSlug } from '../term/term.service.js';
import type { Kind } from './item.kinds.js';
import type { ItemRow } from './item.row.js';

const TRASHED = '__trashed';

/** An item that is to have a slug, and which. */
export interface Slugged extends Pick<ItemRow, 'parentId' | 'status' | 'title'> {
  /** Undefined for a new item: it gets its id together with its slug. */
  readonly id?: number;
  readonly wanted: string;
  /** Whether the caller asks for it now. */
  readonly asked: boolean;
}

/** The id of an item, and the slug that it may have. */
interface Named {
  readonly id: number;
  readonly slug: string;
}

/**
 * Returns ids and slugs of items of a kind: the slug wanted, else one made of the title, else the
 * id. Drafts and pending items may have none. A slug is unique among siblings: it gets `-2`, `-3`,
 * … where it is taken or reserved, also by an item before it in the list. An item in the bin leaves
 * its slug free. A draft or pending item keeps its slug, even when that is taken, until somebody
 * asks for another or publishes it.
 *
 * Inside a transaction nobody else takes the slugs until it ends. Outside of one, the statement
 * that stores them needs `lockOn` them, and fails by a unique index when they were taken meanwhile.
 */
export async function slugsFor(
  context: RequestContext,
  kind: Kind,
  items: readonly Slugged[],
): Promise<Named[]> {
  const asked = items.map((item) => {
    const base = baseOf(item);
    return { ...item, base, sought: keeps(item) ? '' : base };
  });
  const found = asked.some(({ id, sought }) => id === undefined || sought)
    ? await siblingsOf(context, kind, asked)
    : [];
  const taken = new Map<number, Set<string>>();
  for (const { parent, slugs } of found)
    taken.set(parent, new Set([...(taken.get(parent) ?? []), ...slugs]));
  return asked.map(({ parentId, sought, ...item }, i) => {
    const id = item.id ?? (found[i]?.id as number);
    const base = item.base ?? String(id);
    if (sought === '') return { id, slug: base };
    const siblings = taken.get(parentId) ?? new Set();
    const slug = freeSlug(base, isReservedSlug(base) ? new Set([...siblings, base]) : siblings);
    taken.set(parentId, siblings.add(slug));
    return { id, slug };
  });
}

/** Returns the slug of one item that exists, as `slugsFor` does. */
export async function slugFor(
  context: RequestContext,
  kind: Kind,
  item: Slugged & { readonly id: number },
): Promise<string> {
  const [named] = await slugsFor(context, kind, [item]);
  return named?.slug ?? '';
}

/** Returns whether an item of a status is one that the unique index of slugs does not hold for. */
export const isDraft = ({ status }: Pick<Slugged, 'status'>) =>
  status === 'draft' || status === 'pending' || status === 'auto-draft';
const keeps = (item: Slugged) => isDraft(item) && !item.asked;

/** Returns '' for none, and undefined for the id of a new item. */
function baseOf(item: Slugged): string | undefined {
  const { id, status, title, wanted } = item;
  const bare = slugify(wanted.endsWith(TRASHED) ? wanted.slice(0, -TRASHED.length) : wanted);
  if (!bare && isDraft(item)) return '';
  const named = bare || slugify(title) || id?.toString();
  return status === 'trash' ? named + TRASHED : named;
}

/**
 * Returns the lock on slugs of a kind, as an expression. It lasts until the transaction ends, or
 * the statement outside of one. All lock in one order, so that nobody waits in a circle.
 */
export function lockOn(kind: Kind, slugs: readonly (string | undefined)[]): Prisma.Sql {
  const sorted = [...new Set(slugs.filter(Boolean))].sort();
  return Prisma.sql`(SELECT
    count(pg_advisory_xact_lock(hashtextextended('slug:' || ${kind} || ':' || slug, 0)))::int
    FROM unnest(${sorted}::text[]) slug)`;
}

const STATUSES = Prisma.raw(`'{publish,future,private,draft,pending,trash,auto-draft}'::text[]`);

interface Sought {
  readonly id?: number;
  readonly parentId: number;
  /** '' when no slug is sought, undefined when it is the new item's id. */
  readonly sought: string | undefined;
}

/**
 * Returns the ids of items, new ones where they have none, with the slugs of other items below the
 * same parent that equal the one sought, or that with a number. Locks the slugs inside a
 * transaction. All statuses are named, because the index of slugs begins with them.
 */
async function siblingsOf(
  context: RequestContext,
  kind: Kind,
  items: readonly Sought[],
): Promise<{ id: number; parent: number; slugs: string[] }[]> {
  if (context.inTransaction)
    await context.rows(
      Prisma.sql`SELECT ${lockOn(
        kind,
        items.map(({ sought }) => sought),
      )} AS locked`,
    );
  return context.rows(Prisma.sql`
    SELECT own.id, own.parent, ARRAY(SELECT p.slug FROM content_item p WHERE own.slug <> ''
      AND p.kind = ${kind} AND p.status = ANY(${STATUSES}) AND p.slug >= own.slug
        AND p.slug < own.slug || '.'
      AND coalesce(p.parent_id, 0) = own.parent AND p.id <> own.id
      AND substr(p.slug, length(own.slug) + 1) ~ '^(-[0-9]+)?$') AS slugs
    FROM (SELECT id, parent, coalesce(slug, id::text) COLLATE "C" AS slug, place FROM (
      SELECT coalesce(id, nextval('content_item_id_seq'))::int AS id, parent, slug, place
      FROM unnest(${items.map(({ id }) => id ?? null)}::int[],
        ${items.map(({ parentId }) => parentId)}::int[],
        ${items.map(({ sought }) => sought ?? null)}::text[]) WITH ORDINALITY given(id, parent, slug, place)
      OFFSET 0) numbered) own
    ORDER BY own.place`);
}
