import { Prisma } from '../../generated/prisma/client.js';
import type { Import } from './kind.js';

const { sql, raw } = Prisma;

/** A slug, and what it is unique within: a vocabulary, or all media. */
export interface ScopedSlug {
  readonly id: number;
  readonly scope: string;
  readonly slug: string;
}

/** SQL of what a slug is unique within, by the tables. */
const SCOPES = { media: "'media'", term: 'taxonomy' } as const;

const numberedSlug = ({ id, scope, slug }: ScopedSlug) => `${slug || scope}-${id}`;

/**
 * Notes which of the slugs that rows have in the original are those of rows here that the original has no more, or
 * never had: these keep them.
 */
export async function noteSlugs(
  { context: { db }, slugs, numbered }: Import,
  table: keyof typeof SCOPES,
  rows: readonly ScopedSlug[],
): Promise<void> {
  const scopes = [...new Set(rows.map(({ scope }) => scope))];
  const asked = rows.flatMap((row) => [row.slug, numberedSlug(row)]);
  const scopeOf = raw(SCOPES[table]);
  const here = await db.$queryRaw<ScopedSlug[]>(sql`
    SELECT id, ${scopeOf} AS scope, slug FROM ${raw(table)}
    WHERE ${scopeOf} = ANY(${scopes}::text[]) AND slug = ANY(${asked}::text[])`);
  for (const { id, scope, slug } of here)
    if (!numbered.get(table)?.has(id)) slugs.set(`${scope} ${slug}`, id);
}

/**
 * Returns the slug of a row, with its number behind it where a row before it has the slug: it is unique within
 * `scope` here. Remarks say so.
 */
export function ownSlug(
  { slugs }: Pick<Import, 'slugs'>,
  { id, scope, slug }: ScopedSlug,
): { readonly slug: string; readonly remarks: readonly string[] } {
  let own = slug;
  while ((slugs.get(`${scope} ${own}`) ?? id) !== id) own = numberedSlug({ id, scope, slug: own });
  slugs.set(`${scope} ${own}`, id);
  return {
    slug: own,
    remarks: own === slug ? [] : ['another one has its slug: it has its number behind it'],
  };
}
