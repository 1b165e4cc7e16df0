// Posts with their terms, words and revisions, for scale-database.mjs. A few texts are rendered by
// the service; each post has one of them, and words of its own in its title.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NAMES, nameOf, writePost } from './writing.mjs';

const TEXTS = 500;
const STAFF = 50;
/** Behind all members. */
export const FIRST_STAFF = 1_000_001;
const CATEGORIES = 200;
const TAGS = 5_000;
const CHUNK = 50_000;

/**
 * Adds `posts` posts, nine of ten published. They have one to three of 200 categories and up to six
 * of 5,000 tags, of which the nth is n times rarer than the first.
 */
export async function addContent(client, { posts, root, say }) {
  const part = (path) => import(pathToFileURL(join(root, 'dist/domains/content', path)).href);
  const renderer = {
    ...(await part('rendering/rendering.js')),
    ...(await part('rendering/slug.js')),
  };
  await addStaff(client);
  await addTerms(client);
  await addTexts(client, renderer);
  say('texts');
  for (let first = 1; first <= posts; first += CHUNK) {
    await addPosts(client, first, Math.min(first + CHUNK, posts + 1) - 1, posts);
    await addFiling(client, first, Math.min(first + CHUNK, posts + 1) - 1);
    say(`${Math.min(first + CHUNK - 1, posts)} posts`);
  }
  await client.query(`INSERT INTO revision (id, item_id, author_id, title, content, excerpt, created_at, modified_at)
    SELECT latest_revision_id, id, author_id, title, content, excerpt, modified_at, modified_at
    FROM content_item WHERE latest_revision_id IS NOT NULL`);
  await client.query('DROP TABLE text_pool, name_pool');
  await addCounts(client);
  say('revisions');
}

/** The counts that triggers would have kept: see the migration counts_of_items. */
async function addCounts(client) {
  await client.query(`INSERT INTO item_counted SELECT id, kind, status,
    ARRAY(SELECT term_id FROM content_term WHERE item_id = id ORDER BY term_id) FROM content_item`);
  await client.query(`INSERT INTO item_count (kind, status, term_id, n)
    SELECT kind, status, term_id, count(*) FROM (
      SELECT kind, status, unnest(0 || terms) AS term_id FROM item_counted) counted GROUP BY 1, 2, 3`);
}

async function addStaff(client) {
  await client.query(
    `INSERT INTO account (id, username, username_key, email, email_key, name, slug, roles, created_at)
     SELECT $1::int + n, 'staff-' || n, 'staff-' || n, 'staff-' || n || '@example.com', 'staff-' || n || '@example.com',
       'Staff ' || n, 'staff-' || n, ARRAY[CASE WHEN n = 0 THEN 'administrator' WHEN n < 5 THEN 'editor' ELSE 'author' END],
       now() - interval '3 years'
     FROM generate_series(0, $2::int - 1) n`,
    [FIRST_STAFF, STAFF],
  );
}

/** The migrations make category 1. A quarter of the others stand below it or one another. */
async function addTerms(client) {
  await client.query(
    `INSERT INTO term (id, taxonomy, name, name_key, slug, parent_id)
     SELECT n, 'category', 'Category ' || n, 'category ' || lpad(n::text, 5, '0'), 'category-' || n, CASE WHEN n % 4 = 0 THEN n / 4 END
     FROM generate_series(2, $1::int) n
     UNION ALL
     SELECT $1::int + n, 'post_tag', 'Tag ' || n, 'tag ' || lpad(n::text, 5, '0'), 'tag-' || n, NULL FROM generate_series(1, $2::int) n`,
    [CATEGORIES, TAGS],
  );
}

async function addTexts(
  client,
  { sortKey, slugify, renderTitle, renderContent, renderExcerpt, blockVersion, RENDERING },
) {
  const texts = Array.from({ length: TEXTS }, (_, i) => ({ n: i, ...writePost(i + 1) })).map(
    ({ n, title, content }) => ({
      n,
      title,
      content,
      key: sortKey(title),
      rendered_title: renderTitle(title),
      rendered: renderContent(content),
      excerpt: renderExcerpt('', content),
      slug: slugify(title),
      blocks: blockVersion(content),
      rendering: RENDERING,
    }),
  );
  await client.query(
    `CREATE TEMP TABLE text_pool AS
     SELECT t.*, search_words(title) AS title_words, search_words(content) AS content_words
     FROM json_to_recordset($1) AS t(n int, title text, content text, key text, rendered_title text, rendered text, excerpt text,
       slug text, blocks int, rendering int)`,
    [JSON.stringify(texts)],
  );
  const names = Array.from({ length: NAMES }, (_, n) => nameOf(n));
  await client.query(
    `CREATE TEMP TABLE name_pool AS
     SELECT n - 1 AS n, name, search_words(name) AS words FROM unnest($1::text[]) WITH ORDINALITY AS t(name, n)`,
    [names],
  );
  await client.query('ANALYZE text_pool, name_pool');
}

async function addPosts(client, first, last, posts) {
  // By the first index of names, the nth is n times rarer than the first.
  await client.query(
    `WITH placed AS MATERIALIZED (
       SELECT i, (i::bigint * 7919) % $4::int AS text, floor($5::int ^ random())::int - 1 AS name, i % 1000 AS share,
         now() - ($3::int - i) * interval '90 seconds' - interval '1 minute' AS at
       FROM generate_series($1::int, $2::int) i
     ), made AS (
       INSERT INTO content_item (id, kind, status, title, title_key, title_rendered, content, content_rendered, excerpt, excerpt_rendered,
         rendering, block_version, slug, author_id, published_at, created_at, modified_at, comments_open, pings_open, sticky, format, guid,
         version, revision_count, latest_revision_id)
       SELECT i, 'post',
         CASE WHEN share < 900 THEN 'publish' WHEN share < 960 THEN 'draft' WHEN share < 970 THEN 'pending' WHEN share < 985 THEN 'private'
           WHEN share < 999 THEN 'trash' ELSE 'future' END,
         t.title || ': ' || n.name, t.key || ': ' || n.name, t.rendered_title || ': ' || n.name, t.content, t.rendered, '', t.excerpt,
         t.rendering, t.blocks, t.slug || '-' || i, $6::int + 1 + (i::bigint * 31) % 49,
         CASE WHEN share = 999 THEN now() + i * interval '1 hour' ELSE at END, at, at + (i % 5 = 0)::int * interval '1 minute' * (i % 997),
         true, true, i % 100000 = 77, CASE WHEN i % 20 = 0 THEN 'quote' ELSE 'standard' END, '/' || t.slug || '-' || i || '/',
         1 + (i % 10 = 0)::int, (i % 10 = 0)::int, CASE WHEN i % 10 = 0 THEN i / 10 END
       FROM placed JOIN text_pool t ON t.n = placed.text JOIN name_pool n ON n.n = placed.name
     )
     INSERT INTO item_search (id, kind, status, author_id, published_at, open, title_words, excerpt_words, content_words)
     SELECT i, 'post',
       CASE WHEN share < 900 THEN 'publish' WHEN share < 960 THEN 'draft' WHEN share < 970 THEN 'pending' WHEN share < 985 THEN 'private'
         WHEN share < 999 THEN 'trash' ELSE 'future' END,
       $6::int + 1 + (i::bigint * 31) % 49, CASE WHEN share = 999 THEN now() + i * interval '1 hour' ELSE at END, true,
       t.title_words || n.words, '{}', t.content_words
     FROM placed JOIN text_pool t ON t.n = placed.text JOIN name_pool n ON n.n = placed.name ORDER BY i`,
    [first, last, posts, TEXTS, NAMES, FIRST_STAFF],
  );
}

async function addFiling(client, first, last) {
  await client.query(
    `INSERT INTO content_term (item_id, term_id)
     SELECT DISTINCT i, term FROM (
       SELECT i, floor($3::int ^ random())::int AS term FROM generate_series($1::int, $2::int) i, generate_series(0, i % 3) n
       UNION ALL
       SELECT i, $3::int + floor($4::int ^ random())::int FROM generate_series($1::int, $2::int) i, generate_series(1, i % 7) n) filed
     ORDER BY 1, 2`,
    [first, last, CATEGORIES, TAGS],
  );
}
