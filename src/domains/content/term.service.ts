import { type RequestContext, transact } from '../../context.js';
import { refuse } from '../../errors.js';
import { Prisma } from '../../generated/prisma/client.js';
import { Taxonomy } from './content.enums.js';
import { slugify, sortKey } from './rendering/slug.js';
import type { CreateTermInput } from './term.inputs.js';
import { HIERARCHICAL, Term } from './term.types.js';

/** Terms by id, for `context.loader`. */
export async function termsById(context: RequestContext, ids: readonly number[]): Promise<(Term | undefined)[]> {
  const rows = await context.db.term.findMany({ where: { id: { in: [...ids] } } });
  const found = new Map(rows.map((row) => [row.id, new Term(row, context.siteUrl)]));
  return ids.map((id) => found.get(id));
}

/** The terms of each item of content, by name, for `context.loader`: one statement however many items there are. */
export async function termsByItem(context: RequestContext, itemIds: readonly number[]): Promise<Term[][]> {
  const rows = await context.rows<ConstructorParameters<typeof Term>[0] & { itemId: number }>(Prisma.sql`
    SELECT ct.item_id AS "itemId", t.id, t.name, t.slug, t.taxonomy, t.description, t.parent_id AS "parentId"
    FROM content_term ct JOIN term t ON t.id = ct.term_id
    WHERE ct.item_id = ANY(${itemIds}::int[]) ORDER BY t.name_key, t.id`);
  const terms = new Map<number, Term[]>(itemIds.map((id) => [id, []]));
  for (const { itemId, ...row } of rows) terms.get(itemId)?.push(new Term(row, context.siteUrl));
  return itemIds.map((id) => terms.get(id) ?? []);
}

/**
 * Makes a term. TERM_PARENT_INVALID when the parent is of another taxonomy or the taxonomy is flat; TERM_NAME_INVALID when neither the
 * name nor the slug gives a slug.
 */
export async function createTerm(context: RequestContext, input: CreateTermInput): Promise<Term> {
  const { taxonomy, name, parentId } = input;
  const base = slugify(input.slug || name);
  if (!base) throw refuse('TERM_NAME_INVALID', 'A term needs a name with letters or digits.', { param: 'name' });
  const id = await transact(
    context,
    async ({ db }) => {
      if (parentId) {
        const parent = await db.term.findUnique({ where: { id: parentId } });
        if (!HIERARCHICAL.has(taxonomy) || parent?.taxonomy !== taxonomy) {
          throw refuse('TERM_PARENT_INVALID', 'The term above must belong to the same, hierarchical taxonomy.', {
            param: 'parentId',
          });
        }
      }
      await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`term:${taxonomy}:${base}`}, 0))`;
      const taken = await db.term.findMany({ where: { taxonomy, slug: { startsWith: base } }, select: { slug: true } });
      const data = {
        taxonomy,
        name,
        nameKey: sortKey(name),
        slug: freeSlug(base, new Set(taken.map((term) => term.slug))),
        description: input.description ?? '',
        parentId: parentId || null,
      };
      return (await db.term.create({ data, select: { id: true } })).id;
    },
    { replayable: true },
  );
  return (await context.loader(termsById).load(id)) as Term;
}

/** The slug itself, or the first of slug-2, slug-3, … that is not taken. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug;
  for (let number = 2; ; number++) {
    const next = `${slug}-${number}`;
    if (!taken.has(next)) return next;
  }
}

export const POST_TAXONOMIES = [Taxonomy.CATEGORY, Taxonomy.TAG] as const;
