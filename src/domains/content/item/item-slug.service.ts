import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { isReservedSlug, slugify } from '../rendering/slug.js';
import { freeSlug } from '../term/term.service.js';
import type { Kind } from './item.kinds.js';
import type { ItemRow } from './item.row.js';

const TRASHED = '__trashed';
const TRASHED_SLUG = /__trashed(-\d+)?$/;

/** An item that is to have a slug, and which. */
export interface Slugged extends Pick<ItemRow, 'parentId' | 'status' | 'title'> {
  /** Undefined for a new item: it gets its id together with its slug. */
  readonly id?: number;
  readonly wanted: string;
  /** Whether the caller asks for it now. */
  readonly asked: boolean;
}

/** An item that exists. */
type SluggedItem = Slugged & { readonly id: number };

/**
 * Returns the slug of an item that exists: the slug wanted, else one made of the title, else the
 * id. Drafts and pending items may have none. A slug is unique among siblings: it gets `-2`, `-3`,
 * … where it is taken or reserved. An item in the trash leaves its slug free. A draft or pending
 * item keeps its slug, even when that is taken, until somebody asks for another or publishes it.
 *
 * Nobody else takes the slug until the transaction ends.
 */
export async function slugFor(
  context: RequestContext,
  kind: Kind,
  item: SluggedItem,
): Promise<string> {
  const [slug] = await slugsFor(context, kind, [item]);
  return slug as string;
}

/**
 * Returns the slugs of several items of a kind, as `slugFor` would return them for one after the
 * other, in a constant number of statements.
 */
export async function slugsFor(
  context: RequestContext,
  kind: Kind,
  items: readonly SluggedItem[],
): Promise<string[]> {
  const named = items.map((item) => ({ ...item, base: baseOf(item) ?? '' }));
  const sought = named.filter((item) => item.base !== '' && !keeps(item));
  const rows = await siblingsOf(context, kind, sought);
  const given: { readonly id: number; readonly parentId: number; readonly slug: string }[] = [];
  for (const { id, parentId, base } of named) {
    const slugged = new Set(given.map((item) => item.id));
    const others = rows.filter((row) => row.own === id && !slugged.has(row.id));
    const before = given.filter((item) => item.parentId === parentId);
    const taken = new Set([...others, ...before].map(({ slug }) => slug));
    const isSought = sought.some((item) => item.id === id);
    const free = () => freeSlug(base, isReservedSlug(base) ? taken.add(base) : taken);
    given.push({ id, parentId, slug: isSought ? free() : base });
  }
  return given.map(({ slug }) => slug);
}

/** Locks the slugs of items, and returns the slugs of others that they may not have. */
async function siblingsOf(
  context: RequestContext,
  kind: Kind,
  items: readonly (SluggedItem & { readonly base: string })[],
): Promise<{ own: number; id: number; slug: string }[]> {
  if (items.length === 0) return [];
  await lockSlugs(
    context,
    kind,
    items.map(({ base }) => base),
  );
  const given = items.map(({ id, parentId, base }) => ({ id, parent: parentId, slug: base }));
  return context.rows(Prisma.sql`SELECT own.id AS own, p.id, p.slug
    FROM (SELECT id, parent, slug COLLATE "C" AS slug
      FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb) AS r(id int, parent int, slug text)) own
    JOIN content_item p ON ${siblings(kind)}`);
}

/**
 * Returns whether an item that was asked for nothing else may keep its slug: `always`, or `alone`
 * when no other item below its parent has the same; undefined when `slugFor` must find it one.
 */
export function keepsSlug(
  { slug, parentId }: Pick<ItemRow, 'slug' | 'parentId'>,
  item: SluggedItem,
): 'always' | 'alone' | undefined {
  const base = baseOf(item);
  if (base !== slug || item.parentId !== parentId) return undefined;
  if (base === '' || keeps(item)) return 'always';
  return isReservedSlug(base) ? undefined : 'alone';
}

/** Returns the SELECT of the other items below a parent that have a slug. */
export const namesakes = (
  kind: Kind,
  { parentId, slug }: Pick<ItemRow, 'parentId' | 'slug'>,
  id: number,
): Prisma.Sql => Prisma.sql`SELECT FROM content_item p WHERE p.kind = ${literal(kind)}
  AND p.status = ANY(${STATUSES}) AND p.slug = ${slug} AND coalesce(p.parent_id, 0) = ${parentId}
  AND p.id <> ${id}`;

/**
 * Returns what new items of a kind shall be called, in the order of the list: undefined for the id,
 * '' for nothing.
 */
export const newBases = (items: readonly Slugged[]): (string | undefined)[] => items.map(baseOf);

/**
 * Returns whether the slug of one of these may be that of another with a number: then which one
 * comes first decides about both.
 */
export function areEntangled(bases: readonly (string | undefined)[]): boolean {
  const known = new Set(bases);
  return bases.some((base) => {
    const [, unnumbered] = /^(.+)-\d+$/.exec(base ?? '') ?? [];
    return unnumbered !== undefined && known.has(unnumbered);
  });
}

/** What `newSlugs` reads of a new item. */
export const newSlug = (base: string | undefined) => ({
  base,
  reserved: base === undefined || isReservedSlug(base),
});

/**
 * Returns the SELECT of ids and slugs for new items of a kind: the same slugs as `slugFor` would
 * return for one after the other. The items are rows `given` of the statement around it, with
 * `place` in the list, `parentId`, and `base` and `reserved` of `newSlug`. It sees what is
 * committed when the statement begins: a slug that is taken meanwhile fails by the unique index,
 * except that of a draft. The items must not be entangled.
 */
export const newSlugs = (kind: Kind): Prisma.Sql =>
  Prisma.sql`SELECT own.place, own.id, coalesce(free.slug, '') AS slug
    FROM (SELECT place, id, parent, reserved, coalesce(base, id::text) COLLATE "C" AS slug,
        row_number() OVER (PARTITION BY parent, base ORDER BY place) AS nth
      FROM (SELECT nextval('content_item_id_seq')::int AS id, "parentId" AS parent, base, reserved,
        place FROM given OFFSET 0) numbered) own
    CROSS JOIN LATERAL (SELECT ARRAY(SELECT p.slug FROM content_item p
      WHERE own.slug <> '' AND ${siblings(kind)}) AS slugs OFFSET 0) taken
    LEFT JOIN LATERAL (SELECT slug FROM (SELECT number,
          CASE number WHEN 1 THEN own.slug ELSE own.slug || '-' || number END AS slug
        FROM generate_series(1, cardinality(taken.slugs) + own.nth + 1) number) numbered
      WHERE slug <> ALL(taken.slugs) AND (number > 1 OR NOT own.reserved)
      ORDER BY number OFFSET own.nth - 1 LIMIT 1) free ON own.slug <> ''`;

/** Returns whether an item of a status is one that the unique index of slugs does not hold for. */
export const isDraft = ({ status }: Pick<Slugged, 'status'>) =>
  status === 'draft' || status === 'pending' || status === 'auto-draft';
const keeps = (item: Slugged) => isDraft(item) && !item.asked;

/** Returns '' for none, and undefined for the id of a new item. */
function baseOf(item: Slugged): string | undefined {
  const { id, status, title, wanted } = item;
  const bare = slugify(wanted.replace(TRASHED_SLUG, ''));
  if (!bare && isDraft(item)) return '';
  const named = bare || slugify(title) || id?.toString();
  return status === 'trash' ? named + TRASHED : named;
}

/**
 * Returns the lock on slugs of a kind, as an expression: of rows with the column `base`. It lasts
 * until the transaction ends, or the statement outside of one. All lock in one order, so that
 * nobody waits in a circle.
 */
export const lockOn = (kind: Kind, bases: Prisma.Sql): Prisma.Sql => Prisma.sql`(SELECT
    count(pg_advisory_xact_lock(hashtextextended('slug:' || ${literal(kind)} || ':' || base, 0)))::int
    FROM (SELECT DISTINCT base COLLATE "C" AS base FROM ${bases} WHERE base <> '' ORDER BY 1) sorted)`;

/** Locks slugs until the transaction ends. */
export async function lockSlugs(
  context: RequestContext,
  kind: Kind,
  slugs: readonly (string | undefined)[],
): Promise<void> {
  const bases = Prisma.sql`unnest(${slugs.filter((slug) => slug !== undefined)}::text[]) base`;
  await context.rows(Prisma.sql`SELECT ${lockOn(kind, bases)} AS locked`);
}

/** In the text of a statement, so that PostgreSQL plans it once for all of the kind. */
const literal = (kind: Kind) => Prisma.raw(`'${kind}'`);
const STATUSES = Prisma.raw(`'{publish,future,private,draft,pending,trash,auto-draft}'::text[]`);

/**
 * Returns the condition of other items `p` below the same parent as `own` whose slug equals its, or
 * that with a number. All statuses are named, because the index of slugs begins with them.
 */
const siblings = (
  kind: Kind,
) => Prisma.sql`p.kind = ${literal(kind)} AND p.status = ANY(${STATUSES})
  AND p.slug >= own.slug AND p.slug < own.slug || '.'
  AND coalesce(p.parent_id, 0) = own.parent AND p.id <> own.id
  AND substr(p.slug, length(own.slug) + 1) ~ '^(-[0-9]+)?$'`;
