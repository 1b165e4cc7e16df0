import { sortKey } from '../../domains/content/rendering/slug.js';
import { identified } from './batches.js';
import { type ImportedKind, parentsFirst, text } from './kind.js';

/** The terms of the original, with their ids. */
export const TERMS: ImportedKind = identified({
  name: 'term',
  from: 'terms',
  table: 'term',
  columns: ['taxonomy', 'name', 'name_key', 'slug', 'description', 'parent_id'],
  unused: `i.id IS NULL AND t.id = 1 AND t.slug = 'uncategorized'
    AND NOT EXISTS (SELECT 1 FROM content_term WHERE term_id = 1)`,

  async ids({ content, report, circularTerms }) {
    const rows = await content.terms.places();
    const terms = new Map<number, number>();
    for (const { id, parent, taxonomy } of rows) {
      const reason = 'its number is that of a term of another vocabulary, as before version 4.3';
      const at = `terms ${id} (${taxonomy})`;
      if (terms.has(Number(id))) report.leave({ kind: 'term', at, outcome: 'refused', reason });
      else terms.set(Number(id), Number(parent));
    }
    const { ids, circular } = parentsFirst([...terms].map(([id, parent]) => ({ id, parent })));
    for (const id of circular) circularTerms.add(id);
    return ids;
  },

  read: ({ content }, ids) => content.terms.read(ids),

  took: ({ vocabularies }, { id, taxonomy }) => void vocabularies.set(id, String(taxonomy)),

  map: async ({ circularTerms }, rows) =>
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
        remarks: circularTerms.has(Number(row.id)) ? ['its parents are a circle'] : [],
      };
    }),
});
