import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { Taxonomy } from '../content.enums.js';
import { absolute } from './conditions.sql.js';
import type { ItemChanges } from './item.inputs.js';
import { KINDS, type Kind } from './item.kinds.js';
import type { ItemRow } from './item.row.js';
import { CLAUSES } from './item-filter.service.js';

/** An item that is to be filed under terms. */
export interface Filing {
  readonly id: number;
  readonly changes: ItemChanges;
  /** As it was; undefined when it is new. */
  readonly row?: ItemRow;
}

/**
 * Files items under the terms of their changes. In each taxonomy that a change names, they replace
 * the terms of before; ids of other taxonomies are left out. A post that has no category when it is
 * saved gets the site's default one.
 */
export async function fileAll(
  context: RequestContext,
  kind: Kind,
  filings: readonly Filing[],
): Promise<void> {
  const filed = placesOf(context, kind, filings);
  const before = filed.filter(({ filedBefore }) => filedBefore);
  if (before.length > 0) {
    const places = before.map(({ id, taxonomy }) => ({ itemId: id, term: { taxonomy } }));
    await context.db.contentTerm.deleteMany({ where: { OR: places } });
  }
  const insertion = insertFiled(filed);
  if (insertion) await context.db.$executeRaw(insertion);
}

/** An item with the ids of its terms in one taxonomy. */
export interface Place {
  readonly id: number;
  readonly taxonomy: Taxonomy;
  readonly ids: readonly number[];
  readonly filedBefore: boolean;
}

/** Returns the taxonomies in which items are to be filed, with the ids of the terms. */
export function placesOf(
  { site }: RequestContext,
  kind: Kind,
  filings: readonly Filing[],
): Place[] {
  return CLAUSES.filter(([taxonomy]) => KINDS[kind].taxonomies.includes(taxonomy)).flatMap(
    ([taxonomy, , , , name]) =>
      filings.flatMap(({ id, changes, row }) => {
        const unfiled =
          taxonomy === Taxonomy.CATEGORY && (row === undefined || row[taxonomy]?.length === 0);
        const ids =
          changes[name] === undefined && unfiled ? [site.defaultCategoryId] : changes[name];
        return ids === undefined
          ? []
          : [{ id, taxonomy, ids: absolute(ids ?? []), filedBefore: row !== undefined }];
      }),
  );
}

/**
 * Returns the statement that files items under their terms; undefined when there are none. Ids of
 * other taxonomies are left out.
 */
export function insertFiled(places: readonly Place[]): Prisma.Sql | undefined {
  const pairs = places.flatMap(({ id, taxonomy, ids }) =>
    ids.map((term) => ({ id, taxonomy, term })),
  );
  if (pairs.length === 0) return undefined;
  return Prisma.sql`INSERT INTO content_term (item_id, term_id) SELECT DISTINCT wanted.item, t.id
    FROM unnest(
      ${pairs.map(({ id }) => id)}::int[], ${pairs.map(({ taxonomy }) => taxonomy)}::text[], ${pairs.map(({ term }) => term)}::int[])
    wanted(item, taxonomy, term) JOIN term t ON t.id = wanted.term
      AND t.taxonomy = wanted.taxonomy`;
}
