import { isAmong } from '../../../core/among.sql.js';
import type { RequestContext } from '../../../core/context.js';
import { type Refusal, refuse } from '../../../core/errors.js';
import { firstOf, refuseStale } from '../../../core/row.js';
import { changeRow, type RowChange } from '../../../core/row-change.js';
import { deleteOnce, hold, transact, wasMade } from '../../../core/transact.js';
import { lockTree, movedUp } from '../../../core/tree.sql.js';
import type { Viewer } from '../../../core/viewer.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { unfiledNote } from '../change/change.sql.js';
import type { Taxonomy } from '../content.enums.js';
import { publishedOf } from '../item/item-sum.sql.js';
import { worked } from '../rendering/rendering.service.js';
import { sanitiseName } from '../rendering/sanitise.js';
import { slugify, slugsMeantBy, sortKey } from '../rendering/slug.js';
import { emptyLargeTerms } from './emptied-term.service.js';
import type { CreateTermInput, DeleteTermInput, UpdateTermInput } from './term.inputs.js';
import { TERM_COLUMNS } from './term.sql.js';
import { HIERARCHICAL, Term, type TermRow } from './term.types.js';

const termRows = (context: RequestContext, ids: readonly number[]): Promise<TermRow[]> =>
  context.rows<TermRow>(
    Prisma.sql`SELECT ${TERM_COLUMNS} FROM term t WHERE ${isAmong(Prisma.raw('t.id'), ids)}`,
  );

/** Terms by id, for `context.loader`. */
export async function termsById(
  context: RequestContext,
  ids: readonly number[],
): Promise<(Term | undefined)[]> {
  const rows = await termRows(context, ids);
  const found = new Map(rows.map((row) => [row.id, new Term(row, context.siteUrl)]));
  return ids.map((id) => found.get(id));
}

/** Returns a term by its name in addresses; undefined when there is none. */
export async function termBySlug(
  context: RequestContext,
  taxonomy: Taxonomy,
  slug: string,
): Promise<Term | undefined> {
  const [row] = await context.rows<TermRow>(Prisma.sql`
    SELECT ${TERM_COLUMNS} FROM term t WHERE t.taxonomy = ${taxonomy} AND t.slug = ANY(${slugsMeantBy(slug)}::text[])`);
  return row && new Term(row, context.siteUrl);
}

/** Returns the terms of these ids. */
export const existingTermsById = async (
  context: RequestContext,
  ids: readonly number[],
): Promise<Term[]> => (await termsById(context, ids)).filter((term) => term !== undefined);

/** Returns the terms of each item of content, by name, for `context.loader`. One statement. */
export async function termsByItem(
  context: RequestContext,
  itemIds: readonly number[],
): Promise<Term[][]> {
  const rows = await context.rows<TermRow & { itemId: number }>(Prisma.sql`
    SELECT ct.item_id AS "itemId", ${TERM_COLUMNS}
    FROM content_term ct JOIN term t ON t.id = ct.term_id
    WHERE ${isAmong(Prisma.raw('ct.item_id'), itemIds)} ORDER BY t.name_key, t.id`);
  const terms = new Map<number, Term[]>(itemIds.map((id) => [id, []]));
  for (const { itemId, ...row } of rows) terms.get(itemId)?.push(new Term(row, context.siteUrl));
  return itemIds.map((id) => terms.get(id) ?? []);
}

/** Keeps the terms of an item that were read along with it for `termsByItem`. */
export function keepTerms(context: RequestContext, itemId: number, json: string | null): void {
  const rows = json === null ? [] : (JSON.parse(json) as TermRow[]);
  const terms = rows.map((row) => new Term(row, context.siteUrl));
  context.loader(termsByItem).prime(itemId, terms);
}

/** Returns how many published items have each term, for `context.loader`. One statement. */
export async function termCounts(
  context: RequestContext,
  ids: readonly number[],
): Promise<number[]> {
  const rows = await context.rows<{ id: number; count: number }>(Prisma.sql`
    SELECT t.id, ${publishedOf(Prisma.sql`t.id`)} AS count FROM unnest(${ids}::int[]) AS t(id)`);
  const counts = new Map(rows.map(({ id, count }) => [id, count]));
  return ids.map((id) => counts.get(id) ?? 0);
}

/**
 * Makes a term. Throws TERM_PARENT_INVALID for a parent of another taxonomy or in a flat taxonomy,
 * TERM_NAME_INVALID when neither the name nor the slug gives a slug.
 */
export async function createTerm(context: RequestContext, input: CreateTermInput): Promise<Term> {
  const { taxonomy, name, parentId } = input;
  const id = await transact(
    context,
    async (inner) => {
      await refuseParent(inner, taxonomy, parentId);
      const named = nameColumns(inner, name);
      const slug = await freeTermSlug(inner, taxonomy, input.slug || name);
      const data = {
        taxonomy,
        ...named,
        slug,
        description: await descriptionText(inner, input.description ?? ''),
        parentId: parentId ?? null,
      };
      return (await inner.db.term.create({ data, select: { id: true } })).id;
    },
    { replayable: true },
  );
  return firstOf([await context.loader(termsById).load(id)], termNotFound);
}

/**
 * Renames, moves or describes a term. Throws as `createTerm` does, and CONFLICT. A term cannot
 * stand below itself.
 */
export async function updateTerm(
  context: RequestContext,
  { id, version, name, slug, parentId, description }: UpdateTermInput,
): Promise<Term> {
  await transact(
    context,
    async (inner) => {
      await lockTree(inner, 'term', [id]);
      const term = await inner.db.term.findUnique({ where: { id } });
      if (!term) throw termNotFound();
      refuseStale('term', term, version);
      await refuseParent(inner, term.taxonomy as Taxonomy, parentId, id);
      const data = {
        ...(name && nameColumns(inner, name)),
        ...(typeof slug === 'string' && {
          slug: await freeTermSlug(
            inner,
            term.taxonomy as Taxonomy,
            slug || (name ?? term.name),
            id,
          ),
        }),
        ...(parentId !== undefined && { parentId }),
        ...(typeof description === 'string' && {
          description: await descriptionText(inner, description),
        }),
        version: { increment: 1 },
      };
      return (await inner.db.term.update({ where: { id }, data, select: { id: true } })).id;
    },
    { replayable: true },
  );
  return firstOf([await context.loader(termsById).load(id)], termNotFound);
}

/**
 * Returns the name of a term as it is stored: plain text from those who may not store any HTML.
 * Throws TERM_NAME_INVALID when nothing is left.
 */
function nameColumns({ viewer }: RequestContext, raw: string): { name: string; nameKey: string } {
  const name = viewer.can('unfiltered_html') ? raw : sanitiseName(raw);
  if (!name) throw NAME_INVALID();
  return { name, nameKey: sortKey(name) };
}

/**
 * Returns the description of a term as it is stored: sanitised from whoever may not store any HTML.
 */
const descriptionText = async (context: RequestContext, raw: string) =>
  context.viewer.can('unfiltered_html') ? raw : worked(context, 'sanitiseHtml', raw);

const NAME_INVALID = () =>
  refuse('TERM_NAME_INVALID', 'A term needs a name with letters or digits.', { param: 'name' });

/**
 * Deletes a term. Items lose it, terms below it move up. Returns the term as it was. Throws
 * TERM_NOT_FOUND, TERM_IN_USE for the default category. When more than 10,000 items have it, some have
 * lost it before.
 */
export async function deleteTerm(context: RequestContext, { id }: DeleteTermInput): Promise<Term> {
  if (!context.inTransaction) await prepareDeletion(context, [id]);
  const row = await deleteOnce(context, (inner) => changeRow(inner, TERM_DELETION, id));
  return new Term(row, context.siteUrl);
}

async function prepareDeletion(context: RequestContext, ids: readonly number[]): Promise<void> {
  const deleted = ids.filter((id) => !refusalOfDeletion(context, id));
  if (deleted.length > 0 && !(await wasMade(context))) await emptyLargeTerms(context, deleted);
}

/** How terms are deleted. Items lose them, terms below them move up. */
export const TERM_DELETION: RowChange<TermRow> = {
  get missing() {
    return termNotFound().refusal;
  },
  async lock(inner, ids: readonly number[]) {
    await lockTree(inner, 'term', ids);
    const found = new Map((await termRows(inner, ids)).map((row) => [row.id, row]));
    return ids.map((id) => found.get(id));
  },
  refuse: (context, { id }) => refusalOfDeletion(context, id),
  prepare: prepareDeletion,
  async write(inner, rows) {
    const ids = rows.map(({ id }) => id);
    await inner.rows(Prisma.sql`UPDATE term t SET parent_id = moved.parent
      FROM (${movedUp('term', ids)}) moved WHERE t.id = moved.id RETURNING t.id`);
    await inner.rows(
      unfiledNote(
        inner,
        Prisma.sql`SELECT item_id FROM content_term WHERE term_id = ANY(${ids}::int[])`,
      ),
    );
    await inner.db.term.deleteMany({ where: { id: { in: ids } } });
  },
};

const refusalOfDeletion = ({ viewer, site }: RequestContext, id: number): Refusal | undefined =>
  refusalOfTermChange(viewer) ?? (id === site.defaultCategoryId ? DEFAULT_CATEGORY : undefined);

const DEFAULT_CATEGORY: Refusal = {
  reason: 'TERM_IN_USE',
  message: 'The default category cannot be deleted.',
};

/** Returns FORBIDDEN_EDIT_TERM for who does not manage categories. */
export const refusalOfTermChange = (viewer: Viewer): Refusal | undefined =>
  viewer.can('manage_categories')
    ? undefined
    : {
        reason: 'FORBIDDEN_EDIT_TERM',
        message: 'Sorry, you are not allowed to edit this term.',
      };

/** The refusal of a term that does not exist. */
export const termNotFound = () => refuse('TERM_NOT_FOUND', 'Term does not exist.');

async function refuseParent(
  { db }: RequestContext,
  taxonomy: Taxonomy,
  parentId?: number | null,
  id?: number,
): Promise<void> {
  if (typeof parentId !== 'number') return;
  const invalid = refuse(
    'TERM_PARENT_INVALID',
    'The term above must belong to the same, hierarchical taxonomy.',
    {
      param: 'parentId',
    },
  );
  if (!HIERARCHICAL.has(taxonomy)) throw invalid;
  for (let above: number | null = parentId; above !== null; ) {
    const term: { taxonomy: string; parentId: number | null } | null = await db.term.findUnique({
      where: { id: above },
    });
    if (term?.taxonomy !== taxonomy || above === id) throw invalid;
    above = term.parentId;
  }
}

/** Returns a slug that is free in a taxonomy, inside the transaction that takes it. */
async function freeTermSlug(
  context: RequestContext,
  taxonomy: Taxonomy,
  wanted: string,
  id = 0,
): Promise<string> {
  const base = slugify(wanted);
  if (!base) throw NAME_INVALID();
  await hold(context, `term:${taxonomy}:${base}`);
  const taken = await context.db.term.findMany({
    where: { taxonomy, slug: { startsWith: base }, id: { not: id } },
    select: { slug: true },
  });
  return freeSlug(base, new Set(taken.map((term) => term.slug)));
}

/** Returns the slug itself, or the first of slug-2, slug-3, … that is not taken. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug;
  for (let number = 2; ; number++) {
    const next = `${slug}-${number}`;
    if (!taken.has(next)) return next;
  }
}
