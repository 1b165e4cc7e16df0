// What the service is measured against: the least that answers the same bytes. node:http and pg,
// nothing else; PostgreSQL writes the JSON, this process passes it on. No cache, no log, no routing
// beyond two addresses, no parameters but those of the benchmark.
import { createServer } from 'node:http';
import pg from 'pg';

const { DATABASE_URL, PORT, HOST = '127.0.0.1', BASE_URL } = process.env;
const ROOT = `${BASE_URL}/api`;
const API = `<${ROOT}/>; rel="https://api.w.org/"`;
const pool = new pg.Pool({
  connectionString: DATABASE_URL,
  options: '-c TimeZone=UTC',
  application_name: 'bare',
  max: 10,
});

/** A text inside SQL. */
const sql = (text) => `'${text.replaceAll("'", "''")}'`;
/** A text inside the JSON: to_json escapes as JSON.stringify does. */
const string = (expression) => `to_json(${expression})`;
const moment = (column, zone) =>
  `to_char(${column} AT TIME ZONE ${zone}, 'YYYY-MM-DD"T"HH24:MI:SS')`;
const open = (closed, opened) => `CASE WHEN p.password = '' THEN ${opened} ELSE ${closed} END`;

/** One post, all of it made by concat, which leaves out what is NULL. */
const POST = `concat(
  '{"id":', p.id,
  ',"date":"', ${moment('p.published_at', 's.time_zone')},
  '","date_gmt":"', ${moment('p.published_at', "'UTC'")},
  '","guid":{"rendered":', ${string(`${sql(BASE_URL)} || p.guid`)},
  '},"modified":"', ${moment('p.modified_at', 's.time_zone')},
  '","modified_gmt":"', ${moment('p.modified_at', "'UTC'")},
  '","slug":', ${string('p.slug')},
  ',"status":"publish","type":"post","link":', ${string(`${sql(BASE_URL)} || '/' || p.slug || '/'`)},
  ',"title":{"rendered":', ${string('p.title_rendered')},
  '},"content":{"rendered":', ${open(`'""'`, `${string('p.content_rendered')}::text`)},
  ',"protected":', ${open(`'true'`, `'false'`)},
  '},"excerpt":{"rendered":', ${open(`'""'`, `${string('p.excerpt_rendered')}::text`)},
  ',"protected":', ${open(`'true'`, `'false'`)},
  '},"author":', p.author_id,
  ',"featured_media":', p.featured_media_id,
  ',"comment_status":', CASE WHEN p.comments_open THEN '"open"' ELSE '"closed"' END,
  ',"ping_status":', CASE WHEN p.pings_open THEN '"open"' ELSE '"closed"' END,
  ',"sticky":', CASE WHEN p.sticky THEN 'true' ELSE 'false' END,
  ',"template":', ${string('p.template')},
  ',"format":"', p.format,
  '","meta":{"footnotes":', ${string('p.footnotes')},
  '},"categories":[', terms.categories,
  '],"tags":[', terms.tags,
  '],"class_list":["post-', p.id, '","post","type-post","status-publish","format-', p.format, '"',
  CASE WHEN p.featured_media_id <> 0 THEN ',"has-post-thumbnail"' END,
  CASE WHEN p.password <> '' THEN ',"post-password-required"' END,
  ',"hentry"', terms.classes,
  CASE WHEN p.format <> 'standard' THEN ',"post_format-post-format-' || p.format || '"' END, ']'
) || concat(
  ',"_links":{"self":[{"href":"${ROOT}/v1/posts/', p.id,
  '","targetHints":{"allow":["GET"]}}],"collection":[{"href":"${ROOT}/v1/posts"}]',
  ',"author":[{"embeddable":true,"href":"${ROOT}/wp/v2/users/', p.author_id,
  '"}],"version-history":[{"count":', p.revision_count, ',"href":"${ROOT}/v1/posts/', p.id, '/revisions"}]',
  ',"predecessor-version":[{"id":' || p.latest_revision_id
    || ',"href":"${ROOT}/v1/posts/' || p.id || '/revisions/' || p.latest_revision_id || '"}]',
  CASE WHEN p.featured_media_id <> 0
    THEN ',"wp:featuredmedia":[{"embeddable":true,"href":"${ROOT}/wp/v2/media/' || p.featured_media_id || '"}]' END,
  ',"wp:attachment":[{"href":"${ROOT}/wp/v2/media?parent=', p.id,
  '"}],"wp:term":[{"taxonomy":"category","embeddable":true,"href":"${ROOT}/wp/v2/categories?post=', p.id,
  '"},{"taxonomy":"post_tag","embeddable":true,"href":"${ROOT}/wp/v2/tags?post=', p.id,
  '"}],"curies":[{"name":"wp","href":"https://api.w.org/{rel}","templated":true}]}}'
)`;

const PUBLISHED = `p.kind = 'post' AND p.status = 'publish'`;
const SITE_AND_TERMS = `CROSS JOIN site s CROSS JOIN LATERAL (
  SELECT string_agg(t.id::text, ',' ORDER BY t.name_key, t.id) FILTER (WHERE t.taxonomy = 'category') AS categories,
    string_agg(t.id::text, ',' ORDER BY t.name_key, t.id) FILTER (WHERE t.taxonomy = 'post_tag') AS tags,
    string_agg(',' || to_json(CASE t.taxonomy WHEN 'post_tag' THEN 'tag' ELSE t.taxonomy END || '-' || t.slug), ''
      ORDER BY t.taxonomy, t.name_key, t.id) AS classes
  FROM content_term ct JOIN term t ON t.id = ct.term_id WHERE ct.item_id = p.id) terms`;

/**
 * The newest posts that match. A statement without parameters is planned once; there are as many of
 * them as sizes that are asked for.
 */
const newest = (name, size, from = 'content_item p', matching = PUBLISHED) => ({
  name: `${name} ${size}`,
  text: `SELECT (SELECT count(*) FROM ${from} WHERE ${matching})::int AS total,
    concat('[', string_agg(json, ','), ']') AS body
    FROM (SELECT ${POST} AS json FROM (SELECT p.id FROM ${from} WHERE ${matching}
      ORDER BY p.published_at DESC, p.id DESC LIMIT ${size}) page JOIN content_item p USING (id) ${SITE_AND_TERMS}
      ORDER BY p.published_at DESC, p.id DESC) page`,
});
/**
 * All words of a search, by the index that the service has; text and parameters of one term stand
 * for those of others.
 */
const CONTAINING = (n) =>
  `ARRAY(SELECT id FROM search_word WHERE word LIKE '%' || lower($${n}) || '%')`;
const searching = (terms) =>
  terms.map((_, i) =>
    ['title', 'excerpt', 'content']
      .map((name) => `p.${name}_words && ${CONTAINING(i + 1)}`)
      .join(' OR '),
  );
const BELOW = `EXISTS (SELECT FROM content_term ct WHERE ct.item_id = p.id AND ct.term_id IN (
  WITH RECURSIVE subtree AS (SELECT $1::int AS id UNION SELECT t.id FROM term t JOIN subtree ON t.parent_id = subtree.id)
  SELECT id FROM subtree))`;
const ONE = {
  name: 'one',
  text: `SELECT ${POST} AS body, ${sql(`<${BASE_URL}/`)} || p.slug || '/>; rel="alternate"; type=text/html' AS link
    FROM content_item p ${SITE_AND_TERMS} WHERE ${PUBLISHED} AND p.id = $1`,
};

/** The statement for a query, of those that the benchmark asks. */
function statementFor(query) {
  const size = Number(query.get('per_page') ?? 10);
  const terms = query.get('search')?.split(' ');
  const term = query.get('categories[terms]');
  if (terms) {
    const open = `p.kind = 'post' AND p.status = 'publish' AND p.open`;
    const matching = [open, ...searching(terms).map((found) => `(${found})`)].join(' AND ');
    return { ...newest(`search ${terms.length}`, size, 'item_search p', matching), values: terms };
  }
  return term
    ? { ...newest('below', size, undefined, `${PUBLISHED} AND ${BELOW}`), values: [term] }
    : newest('newest', size);
}

async function list(search) {
  const query = new URLSearchParams(search);
  const { rows } = await pool.query(statementFor(query));
  const [{ total, body }] = rows;
  const size = Number(query.get('per_page') ?? 10);
  const pages = Math.ceil(total / size);
  query.append('page', '2');
  const link = pages > 1 ? `<${ROOT}/v1/posts?${query}>; rel="next"` : API;
  return {
    headers: { 'X-WP-Total': total, 'X-WP-TotalPages': pages, Link: link, Allow: 'GET' },
    body,
  };
}

async function one(id) {
  const { rows } = await pool.query({ ...ONE, values: [id] });
  return rows.length > 0
    ? { headers: { Link: rows[0].link, Allow: 'GET' }, body: rows[0].body }
    : undefined;
}

async function answer(url) {
  if (url.startsWith('/api/v1/posts?') || url === '/api/v1/posts') return list(url.slice(14));
  const [, id] = /^\/api\/v1\/posts\/(\d{1,9})$/.exec(url) ?? [];
  return id === undefined ? undefined : one(id);
}

createServer(async (request, response) => {
  try {
    const answered = await answer(request.url);
    if (!answered) return void response.writeHead(404).end();
    const { headers, body } = answered;
    const length = Buffer.byteLength(body);
    response
      .writeHead(200, {
        'Content-Type': 'application/json; charset=UTF-8',
        ...headers,
        'Content-Length': length,
      })
      .end(body);
  } catch (error) {
    process.stderr.write(`${error.stack}\n`);
    response.writeHead(500).end();
  }
}).listen(Number(PORT), HOST, () => process.send?.('ready'));

process.once('SIGTERM', () => process.exit(0));
