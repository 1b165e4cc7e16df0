import { KINDS } from '../../domains/content/item/item.kinds.js';
import { identified } from './batches.js';
import { noteRevisions } from './completion.service.js';
import { countedAs, type ImportedKind, isItemHere, text } from './kind.js';
import { ownClocks, utcOf, zonedOf } from './source-time.js';
import { authorsOf, authorThere } from './stand-in.service.js';
import { DATELESS, NO_DATE } from './stand-ins.js';

const COLUMNS = [
  ...['item_id', 'author_id', 'autosave', 'title', 'content', 'excerpt', 'footnotes', 'created_at'],
  'modified_at',
];
const CLOCKS = 'clocks';

/** The revisions and autosaves of the items that are imported. */
export const REVISIONS: ImportedKind = identified({
  name: 'revision',
  from: 'posts',
  table: 'revision',
  columns: [...COLUMNS, CLOCKS],
  // Revisions of imports before this column are what they were.
  judged: COLUMNS,

  ids: ({ content }) => content.revisions.ids(),

  read: ({ content }, ids) => content.revisions.read(ids),

  async map(run, rows) {
    const { timeZone } = run.site;
    const authorOf = await authorsOf(run, rows, 'revision');
    return rows.map((row) => {
      if (!(text(row.of) in KINDS) || !isItemHere(run, Number(row.post_parent)))
        return { outcome: 'skipped', reason: 'what it is of is not imported' };
      const modified = utcOf(row.post_modified_gmt) ?? zonedOf(row.post_modified, timeZone);
      const created =
        utcOf(row.post_date_gmt) ?? zonedOf(row.post_date, timeZone) ?? modified ?? NO_DATE;
      const revision = {
        remarks: created === NO_DATE ? [DATELESS] : [],
        own: {
          id: Number(row.ID),
          item_id: Number(row.post_parent),
          author_id: authorOf(row),
          autosave: text(row.post_name).includes('-autosave-'),
          title: text(row.post_title),
          content: text(row.post_content),
          excerpt: text(row.post_excerpt),
          footnotes: text(row.footnotes),
          created_at: created,
          modified_at: modified ?? created,
          ...ownClocks(row, timeZone),
        },
      };
      return countedAs(revision, authorThere(run, row));
    });
  },
  complete: noteRevisions,
});
