import { sortKey } from '../../domains/content/rendering/slug.js';
import { identified } from './batches.js';
import { type ImportedKind, parentsFirst, text } from './kind.js';
import type { SourceRow } from './mysql-source.js';
import { noteSlugs, ownSlug, type ScopedSlug } from './slug.service.js';

/** The terms of the original, with their ids. */
export const TERMS: ImportedKind = identified({
  name: 'term',
  from: 'terms',
  table: 'term',
  columns: ['taxonomy', 'name', 'name_key', 'slug', 'description', 'parent_id'],
  unused: `i.id IS NULL AND t.id = 1 AND t.slug = 'uncategorized'
    AND NOT EXISTS (SELECT 1 FROM content_term WHERE term_id = 1)`,

  async ids({ content, report, circularTerms, numbered }) {
    const rows = await content.terms.places();
    const terms = new Map<number, number>();
    for (const { id, parent, taxonomy } of rows) {
      const reason = 'its number is that of a term of another vocabulary, as before version 4.3';
      const at = `terms ${id} (${taxonomy})`;
      if (terms.has(Number(id)))
        report.leaveAll({ kind: 'term', at, outcome: 'refused', reason, count: 1 });
      else terms.set(Number(id), Number(parent));
    }
    const { ids, circular } = parentsFirst([...terms].map(([id, parent]) => ({ id, parent })));
    for (const id of circular) circularTerms.add(id);
    numbered.set('term', new Set(ids));
    return ids;
  },

  read: ({ content }, ids) => content.terms.read(ids),

  took: ({ vocabularies }, { id, taxonomy }) => void vocabularies.set(id, String(taxonomy)),

  async map(run, rows) {
    await noteSlugs(run, 'term', rows.map(slugOf));
    return rows.map((row) => {
      const id = Number(row.id);
      const name = text(row.name);
      const taxonomy = text(row.taxonomy);
      const { slug, remarks: said } = ownSlug(run, slugOf(row));
      const remarks = [...said];
      const parent = Number(row.parent ?? 0);
      if (!parent && !['', '0'].includes(text(row.parentThere)))
        remarks.push('its parent is no term of its vocabulary: it has none');
      return {
        own: {
          id,
          taxonomy,
          name,
          name_key: sortKey(name),
          slug,
          description: text(row.description),
          parent_id: parent > 0 && parent !== id ? parent : null,
        },
        remarks: run.circularTerms.has(id) ? [...remarks, 'its parents are a circle'] : remarks,
      };
    });
  },
});

const slugOf = (row: SourceRow): ScopedSlug => ({
  id: Number(row.id),
  scope: text(row.taxonomy),
  slug: text(row.slug),
});
