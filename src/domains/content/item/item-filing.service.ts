import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { Taxonomy } from '../content.enums.js';
import { absolute } from './conditions.sql.js';
import type { ItemChanges } from './item.inputs.js';
import { KINDS, type Kind } from './item.kinds.js';
import type { ItemRow } from './item.row.js';
import { CLAUSES } from './item-clause.js';

/** An item that is to be filed under terms. */
export interface Filing {
  readonly id: number;
  readonly changes: ItemChanges;
  /** As it was; undefined when it is new. */
  readonly row?: ItemRow;
}

/** An item with the ids of its terms in one taxonomy. */
export interface Filed {
  readonly id: number;
  readonly taxonomy: Taxonomy;
  readonly ids: readonly number[];
}

/**
 * Returns the taxonomies in which items are to be filed, with the ids of the terms. In each taxonomy
 * that a change names, they replace the terms of before. A post whose categories are null, or that
 * has none when it is saved without naming any, gets the site's default one.
 */
export function placesOf(
  { site }: RequestContext,
  kind: Kind,
  filings: readonly Filing[],
): Filed[] {
  return CLAUSES.filter(([taxonomy]) => KINDS[kind].taxonomies.includes(taxonomy)).flatMap(
    ([taxonomy, , , , name]) =>
      filings.flatMap(({ id, changes, row }) => {
        const unfiled = row === undefined || row[taxonomy]?.length === 0;
        const given = changes[name];
        const isDefault =
          taxonomy === Taxonomy.CATEGORY && (given === null || (given === undefined && unfiled));
        const ids = isDefault ? [site.defaultCategoryId] : given;
        return ids === undefined ? [] : [{ id, taxonomy, ids: absolute(ids ?? []) }];
      }),
  );
}

/**
 * Returns the statement that files items `(key, id)` under their terms, and returns the new pairs.
 * The items are told by their keys. Ids of other taxonomies are left out.
 */
export function insertFiled(filed: readonly Filed[], items: Prisma.Sql): Prisma.Sql {
  const pairs = filed.flatMap(({ id, taxonomy, ids }) =>
    ids.map((term) => ({ key: id, taxonomy, term })),
  );
  if (pairs.length === 0) return Prisma.sql`SELECT 0 AS item_id, 0 AS term_id WHERE false`;
  return Prisma.sql`INSERT INTO content_term (item_id, term_id) SELECT DISTINCT item.id, t.id
    FROM jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) AS wanted(key int, taxonomy text, term int)
      JOIN ${items} item ON item.key = wanted.key
      JOIN term t ON t.id = wanted.term AND t.taxonomy = wanted.taxonomy
    ON CONFLICT DO NOTHING RETURNING item_id, term_id`;
}

/**
 * Returns the statement that takes items `(key, id)` out of the terms that they are no longer to be
 * filed under.
 */
export function deleteFiled(filed: readonly Filed[], items: Prisma.Sql): Prisma.Sql {
  const all = filed.map(({ id, taxonomy, ids }) => ({ id, taxonomy, terms: ids }));
  return Prisma.sql`DELETE FROM content_term ct USING ${items} item, term t,
      jsonb_to_recordset(${JSON.stringify(all)}::jsonb) AS wanted(id int, taxonomy text, terms int[])
    WHERE item.key = wanted.id AND ct.item_id = item.id AND t.id = ct.term_id
      AND t.taxonomy = wanted.taxonomy AND t.id <> ALL(wanted.terms)`;
}
