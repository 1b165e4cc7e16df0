import { Taxonomy } from '../../domains/content/content.enums.js';
import { KINDS } from '../../domains/content/item/item.kinds.js';
import { toldApart } from './account-twins.js';
import { type ContentSource, OTHER, type Readable } from './content-source.js';
import { embedsIn, withInsets } from './insets.js';
import { text } from './kind.js';
import type { MysqlSource, SourceRow } from './mysql-source.js';

const FILED = Object.values(Taxonomy);
const SETTINGS = [
  ...['home', 'blogname', 'blogdescription', 'timezone_string', 'gmt_offset', 'default_category'],
  ...['sticky_posts', 'show_on_front', 'page_on_front', 'page_for_posts', 'WPLANG'],
  ...['siteurl', 'upload_path', 'upload_url_path', 'permalink_structure'],
  ...['category_base', 'tag_base'],
];

/** The bytes of a title, and these as UTF-8: with `?`, or null, in place of what is none. */
const BYTES = 'CONVERT(post_title USING binary)';
const AS_UTF8 = `CONVERT(${BYTES} USING utf8mb4)`;

/**
 * SQL of how many titles are UTF-8 in a column that says otherwise, and are read as that says: all of the title is
 * UTF-8, and some of its characters have several bytes.
 */
const MISREAD = `SELECT count(*) AS count FROM {posts} WHERE @@character_set_results LIKE 'utf8%'
  AND CHARSET(post_title) NOT LIKE 'utf8%' AND CHAR_LENGTH(${AS_UTF8}) < LENGTH(${BYTES})
  AND CONVERT(${AS_UTF8} USING binary) = ${BYTES}`;

/** The types of `posts` that are taken over, besides those of models. */
const TAKEN = [
  ...Object.keys(KINDS),
  ...['attachment', 'revision', '_pods_pod', '_pods_group', '_pods_field'],
];

/** SQL of whether the author of a row `p` of `posts` exists. */
const HAS_AUTHOR = 'EXISTS (SELECT 1 FROM {users} u WHERE u.ID = p.post_author) AS hasAuthor';

/** Returns SQL for a value of the meta of a row `p` of `posts`: the first, as the original takes it. */
const meta = (key: string) =>
  `(SELECT m.meta_value FROM {postmeta} m WHERE m.post_id = p.ID AND m.meta_key = '${key}' ORDER BY m.meta_id LIMIT 1)`;

/** Returns SQL for an option of a model `d`. */
const option = (key: string) =>
  `(SELECT m.meta_value FROM {postmeta} m WHERE m.post_id = d.ID AND m.meta_key = '${key}' ORDER BY m.meta_id LIMIT 1)`;

/**
 * SQL of the path of the page that an attachment `p` is below: empty where that is of no model, null
 * where it is not published or its model has no pages.
 */
const PATH_ABOVE = `COALESCE((SELECT IF(q.post_status = 'publish' AND COALESCE(${option('rewrite')}, '1') <> '0',
    CONCAT('/', COALESCE(NULLIF(${option('rewrite_custom_slug')}, ''), REPLACE(d.post_name, '_', '-')), '/', q.post_name),
    '?')
  FROM {posts} q JOIN {posts} d ON d.post_type = '_pods_pod' AND d.post_name = q.post_type AND d.post_status = 'publish'
  WHERE q.ID = p.post_parent ORDER BY d.ID LIMIT 1), '')`;

const CONTENT = Object.keys(KINDS)
  .map((kind) => `'${kind}'`)
  .join(', ');
/** Types of the original and of Pods that are in its REST interface, and may have attachments. */
const READABLE = "'wp_block', 'wp_navigation', 'attachment'";
/** Those that are not in it. */
const UNREADABLE = `'revision', 'custom_css', 'customize_changeset', 'oembed_cache', 'user_request', '_pods_pod',
  '_pods_group', '_pods_field', '_pods_template', '_pods_page'`;

/** SQL of whether the type of a row `q` of `posts` is a model `d`, and none that extends a type of code. */
const OF_MODEL = `FROM {posts} d WHERE d.post_type = '_pods_pod' AND d.post_name = q.post_type
  AND COALESCE(${option('object')}, '') = ''`;

/**
 * SQL of whether the anonymous may not read an attachment `p`: it is in the trash or private, or below an item that
 * is no content here and is not published, or of a type that is not in the REST interface there. Types that code
 * registers are taken for types that are in it: a database does not tell.
 */
const IS_HIDDEN = `(p.post_status NOT IN ('inherit', 'publish') OR EXISTS (SELECT 1 FROM {posts} q
  WHERE q.ID = p.post_parent AND q.post_type NOT IN (${CONTENT}) AND (q.post_status NOT IN ('publish', 'inherit')
    OR q.post_type IN (${UNREADABLE}) OR EXISTS (SELECT 1 ${OF_MODEL}
      AND NOT (d.post_status = 'publish' AND COALESCE(${option('rest_enable')}, '') = '1')))))`;

/** SQL of whether an attachment `p` is below an item of a type that code registers. */
const IS_UNKNOWN = `EXISTS (SELECT 1 FROM {posts} q WHERE q.ID = p.post_parent
  AND q.post_type NOT IN (${CONTENT}, ${READABLE}, ${UNREADABLE}) AND NOT EXISTS (SELECT 1 ${OF_MODEL}))`;

/** Returns SQL for a value of the meta of an account `u`. */
const userMeta = (key: string) =>
  `(SELECT meta_value FROM {usermeta} WHERE user_id = u.ID AND meta_key = ${key} ORDER BY umeta_id LIMIT 1)`;

/** Returns the accounts of a database of the original, told apart. */
function accountsIn(source: MysqlSource): Readable {
  let apart: ReadonlyMap<number, SourceRow> = new Map();
  return {
    async ids() {
      const all = await source.rows(
        'SELECT ID, user_login, user_email, user_nicename FROM {users} ORDER BY ID',
      );
      apart = toldApart(all);
      return all.map(({ ID }) => Number(ID));
    },
    async read(ids) {
      const rows = await source.rows(
        `SELECT u.*, ${userMeta("'description'")} AS description, ${userMeta("'locale'")} AS locale,
          ${userMeta('?')} AS capabilities, ${userMeta("'_application_passwords'")} AS passwords
        FROM {users} u WHERE u.ID IN (?) ORDER BY u.ID`,
        [`${source.prefix}capabilities`, ids],
      );
      return rows.map((row) => ({ ...row, ...apart.get(Number(row.ID)) }));
    },
  };
}

/** Returns accounts and content of a database of the original. */
export const mysqlContent = (source: MysqlSource): ContentSource => ({
  async settings() {
    const rows = await source.rows(
      'SELECT option_name AS name, option_value AS value FROM {options} WHERE option_name IN (?)',
      [[...SETTINGS, `${source.prefix}user_roles`]],
    );
    const found = rows.map(({ name, value }): [string, string] => [text(name), text(value)]);
    const roles = `${source.prefix}user_roles`;
    const named = found.map(([name, value]): [string, string] => [
      name === roles ? 'user_roles' : name,
      value,
    ]);
    return new Map([
      ...named,
      ['site_number', String(source.siteNumber)],
      ['misread_titles', text((await source.rows(MISREAD))[0]?.count)],
    ]);
  },

  async others(types, vocabularies) {
    const posts = await source.rows(
      `SELECT post_type AS type, post_status AS status, count(*) AS count FROM {posts}
      WHERE post_type NOT IN (?) GROUP BY 1, 2 ORDER BY 1, 2`,
      [[...TAKEN, ...types]],
    );
    const terms = await source.rows(
      `SELECT taxonomy, count(*) AS count FROM {term_taxonomy}
      WHERE taxonomy NOT IN (?) GROUP BY 1 ORDER BY 1`,
      [[...FILED, 'post_format', ...vocabularies]],
    );
    const filings = await source.rows(
      `SELECT x.taxonomy, count(*) AS count FROM {term_relationships} r
      JOIN {term_taxonomy} x USING (term_taxonomy_id) WHERE x.taxonomy IN (?) AND x.taxonomy NOT IN (?)
      GROUP BY 1 ORDER BY 1`,
      [vocabularies.length > 0 ? vocabularies : [''], [...FILED, 'post_format']],
    );
    const comments = (await source.has('comments'))
      ? await source.rows('SELECT count(*) AS count FROM {comments}')
      : [];
    return [
      ...posts.map(({ type, status, count }) => ({
        ...{ kind: 'other', at: `posts ${type} ${status}`, reason: OTHER },
        count: Number(count),
      })),
      ...terms.map(({ taxonomy, count }) => ({
        ...{ kind: 'other', at: `terms ${taxonomy}`, reason: OTHER },
        count: Number(count),
      })),
      ...filings.map(({ taxonomy, count }) => ({
        ...{ kind: 'other', at: `relationships ${taxonomy}` },
        reason: 'what is filed under items of a model is not filed here',
        count: Number(count),
      })),
      ...comments.map(({ count }) => ({
        ...{ kind: 'comment', at: 'comments', reason: 'comments are not taken over' },
        count: Number(count),
      })),
    ];
  },

  accounts: accountsIn(source),

  terms: {
    places: () =>
      source.rows(
        `SELECT term_id AS id, parent, taxonomy FROM {term_taxonomy} WHERE taxonomy IN (?)
        ORDER BY term_id, count DESC, term_taxonomy_id`,
        [FILED],
      ),
    read: (ids) =>
      source.rows(
        `SELECT t.term_id AS id, t.name, t.slug, x.taxonomy, x.description, p.term_id AS parent,
          x.parent AS parentThere
        FROM {terms} t JOIN {term_taxonomy} x ON x.term_taxonomy_id = (
          SELECT term_taxonomy_id FROM {term_taxonomy} WHERE term_id = t.term_id AND taxonomy IN (?)
          ORDER BY count DESC, term_taxonomy_id LIMIT 1)
        LEFT JOIN {term_taxonomy} p ON p.term_id = x.parent AND p.taxonomy = x.taxonomy
        WHERE t.term_id IN (?) ORDER BY FIELD(t.term_id, ?)`,
        [FILED, ids, ids],
      ),
  },

  items: {
    places: (kind = '') =>
      source.rows(
        'SELECT ID AS id, post_parent AS parent FROM {posts} WHERE post_type = ? ORDER BY ID',
        [kind],
      ),
    async read(ids) {
      const rows = await source.rows(
        `SELECT p.*, ${HAS_AUTHOR},
          (SELECT q.ID FROM {posts} q WHERE q.ID = p.post_parent AND q.post_type = p.post_type) AS parent,
          ${meta('_thumbnail_id')} AS thumbnail, ${meta('_wp_page_template')} AS template,
          ${meta('footnotes')} AS footnotes, ${meta('_wp_trash_meta_status')} AS trashedFrom,
          EXISTS (SELECT 1 FROM {posts} q WHERE q.post_name = p.post_name AND BINARY q.post_name = BINARY p.post_name
            AND q.post_type = p.post_type AND q.post_parent = p.post_parent AND q.ID < p.ID
            AND q.post_status NOT IN ('draft', 'pending', 'auto-draft')) AS hasTwin,
          (SELECT GROUP_CONCAT(CONCAT(x.taxonomy, ' ', x.term_id, ' ', t.slug)
            ORDER BY t.name, t.term_id SEPARATOR '\\n')
            FROM {term_relationships} r JOIN {term_taxonomy} x USING (term_taxonomy_id)
            JOIN {terms} t USING (term_id) WHERE r.object_id = p.ID) AS filed
        FROM {posts} p WHERE p.ID IN (?) ORDER BY FIELD(p.ID, ?)`,
        [ids, ids],
      );
      return withInsets(rows, await embedsOf(source, ids), (blocks) => blocksOf(source, blocks));
    },
  },

  media: {
    ids: () =>
      idsIn(source, "SELECT ID AS id FROM {posts} WHERE post_type = 'attachment' ORDER BY ID"),
    read: (ids) =>
      source.rows(
        `SELECT p.*, ${HAS_AUTHOR},
          (SELECT q.ID FROM {posts} q WHERE q.ID = p.post_parent AND q.post_type IN (?)) AS parent,
          ${PATH_ABOVE} AS pathAbove, ${IS_HIDDEN} AS isHidden, ${IS_UNKNOWN} AS isUnknown,
          ${meta('_wp_attached_file')} AS file, ${meta('_wp_attachment_image_alt')} AS alt,
          ${meta('_wp_attachment_metadata')} AS metadata
        FROM {posts} p WHERE p.ID IN (?) ORDER BY p.ID`,
        [Object.keys(KINDS), ids],
      ),
  },

  revisions: {
    ids: () =>
      idsIn(source, "SELECT ID AS id FROM {posts} WHERE post_type = 'revision' ORDER BY ID"),
    read: (ids) =>
      source.rows(
        `SELECT p.*, ${HAS_AUTHOR},
          (SELECT q.post_type FROM {posts} q WHERE q.ID = p.post_parent) AS of, ${meta('footnotes')} AS footnotes
        FROM {posts} p WHERE p.ID IN (?) ORDER BY p.ID`,
        [ids],
      ),
  },

  async lengths(ids) {
    const rows = await source.rows(
      `SELECT ID AS id, LENGTH(post_title) + LENGTH(post_content) + LENGTH(post_excerpt) AS bytes
      FROM {posts} WHERE ID IN (?)`,
      [ids],
    );
    return new Map(rows.map((row) => [Number(row.id), Number(row.bytes)]));
  },
});

/** Returns what items embed, by their numbers. */
async function embedsOf(source: MysqlSource, ids: readonly number[]) {
  const rows = await source.rows(
    `SELECT post_id AS id, meta_key AS name, meta_value AS value FROM {postmeta}
    WHERE post_id IN (?) AND meta_key LIKE '\\_oembed\\_%' ORDER BY meta_id`,
    [ids],
  );
  const meta = new Map<number, (readonly [string, string])[]>();
  for (const { id, name, value } of rows)
    meta.set(Number(id), [...(meta.get(Number(id)) ?? []), [text(name), text(value)]]);
  return new Map([...meta].map(([id, all]) => [id, embedsIn(all)]));
}

/** Returns the contents of reused blocks that are shown, by their numbers. */
async function blocksOf(source: MysqlSource, ids: readonly number[]) {
  const rows = await source.rows(
    `SELECT ID AS id, post_content AS content FROM {posts}
    WHERE ID IN (?) AND post_type = 'wp_block' AND post_status = 'publish' AND post_password = ''`,
    [ids],
  );
  return new Map(rows.map(({ id, content }) => [Number(id), text(content)]));
}

async function idsIn(source: MysqlSource, statement: string): Promise<number[]> {
  return (await source.rows(statement)).map(({ id }) => Number(id));
}
