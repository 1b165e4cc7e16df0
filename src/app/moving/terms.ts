import { Taxonomy } from '../../domains/content/content.enums.js';
import { sortKey } from '../../domains/content/rendering/slug.js';
import { identified } from './batches.js';
import { type ImportedKind, parentsFirst, text } from './kind.js';

const FILED = Object.values(Taxonomy);

/** The terms of the original, with their ids. */
export const TERMS: ImportedKind = identified({
  name: 'term',
  from: 'terms',
  table: 'term',
  columns: ['taxonomy', 'name', 'name_key', 'slug', 'description', 'parent_id'],
  unused: `i.id IS NULL AND t.id = 1 AND t.slug = 'uncategorized'
    AND NOT EXISTS (SELECT 1 FROM content_term WHERE term_id = 1)`,

  async ids({ source, report, vocabularies }) {
    const rows = await source.rows(
      'SELECT term_id AS id, parent, taxonomy FROM {term_taxonomy} WHERE taxonomy IN (?) ' +
        'ORDER BY term_id, count DESC, term_taxonomy_id',
      [FILED],
    );
    const terms = new Map<number, number>();
    for (const { id, parent, taxonomy } of rows) {
      const reason = 'its number is that of a term of another vocabulary, as before version 4.3';
      const at = `terms ${id} (${taxonomy})`;
      if (terms.has(Number(id))) report.leave({ kind: 'term', at, outcome: 'refused', reason });
      else {
        terms.set(Number(id), Number(parent));
        vocabularies.set(Number(id), text(taxonomy));
      }
    }
    return parentsFirst([...terms].map(([id, parent]) => ({ id, parent }))).ids;
  },

  read: ({ source }, ids) =>
    source.rows(
      `SELECT t.term_id AS id, t.name, t.slug, x.taxonomy, x.description, p.term_id AS parent
      FROM {terms} t JOIN {term_taxonomy} x ON x.term_taxonomy_id = (
        SELECT term_taxonomy_id FROM {term_taxonomy} WHERE term_id = t.term_id AND taxonomy IN (?)
        ORDER BY count DESC, term_taxonomy_id LIMIT 1)
      LEFT JOIN {term_taxonomy} p ON p.term_id = x.parent AND p.taxonomy = x.taxonomy
      WHERE t.term_id IN (?) ORDER BY FIELD(t.term_id, ?)`,
      [FILED, ids, ids],
    ),

  map: async (_run, rows) =>
    rows.map((row) => {
      const name = text(row.name);
      const parent = Number(row.parent ?? 0);
      return {
        own: {
          id: Number(row.id),
          taxonomy: text(row.taxonomy),
          name,
          name_key: sortKey(name),
          slug: text(row.slug),
          description: text(row.description),
          parent_id: parent > 0 && parent !== Number(row.id) ? parent : null,
        },
      };
    }),
});
