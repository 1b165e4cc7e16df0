// A database of n published posts, made once and kept: `node bench/seed.mjs 10000`. One a process:
// Prisma's migration engine, in WebAssembly, cannot be opened a second time while timers of the
// first are running.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { connected, SERVER } from './database.mjs';
import { pick, randomOf, writePost } from './writing.mjs';

const projectRoot = fileURLToPath(new URL('..', import.meta.url));
const BATCH = 1_000;
const LAST_DATE = Date.parse('2026-01-31T18:00:00Z');
const AUTHORS = 20;
const CATEGORIES = 30;
const TAGS = 200;
/** Ids of the terms: the migrations make term 1. */
const FIRST_CATEGORY = 2;
const FIRST_TAG = FIRST_CATEGORY + CATEGORIES;

/**
 * The address of a database `care_bench_<n>` with n posts, rendered by the service that was built
 * in `root`. It is made when it is not there, and anew when it was made by other migrations,
 * another renderer or another version of these files.
 */
async function seed(n, root = projectRoot) {
  if (!Number.isInteger(n) || n < 1)
    throw new Error('The number of posts must be a whole number above 0.');
  const project = await load(root);
  const name = `care_bench_${n}`;
  const address = new URL(SERVER);
  address.pathname = `/${name}`;
  const signature = signatureOf(project);
  const server = await connected(SERVER);
  try {
    // Two runs at once make it one after the other
    await server.query('SELECT pg_advisory_lock($1, $2)', [7_208_115, n]);
    if ((await madeBy(server, name)) === signature) return address.href;
    process.stderr.write(`Making ${name} …\n`);
    await server.query(`DROP DATABASE IF EXISTS ${name}`);
    await server.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
    await migrate(project, address.href);
    await fill(project, address.href, n);
    // Last: what was interrupted is made again
    await server.query(`COMMENT ON DATABASE ${name} IS '${signature}'`);
    return address.href;
  } finally {
    await server.end();
  }
}

/** The parts of the built service that are needed here. */
async function load(root) {
  const part = (path) => import(pathToFileURL(resolve(root, 'dist', path)).href);
  const [database, migrations, rendering, slug] = await Promise.all([
    part('platform/database/open.js'),
    part('platform/database/migrations.js'),
    part('domains/content/rendering/rendering.js'),
    part('domains/content/rendering/slug.js'),
  ]);
  return { ...database, ...migrations, ...rendering, ...slug };
}

function signatureOf({ readMigrations, RENDERING }) {
  const hash = createHash('sha256').update(JSON.stringify([readMigrations(), RENDERING]));
  for (const file of ['seed.mjs', 'writing.mjs'])
    hash.update(readFileSync(new URL(file, import.meta.url)));
  return hash.digest('hex');
}

async function madeBy(server, name) {
  const { rows } = await server.query(
    `SELECT shobj_description(oid, 'pg_database') AS signature FROM pg_database WHERE datname = $1`,
    [name],
  );
  return rows[0]?.signature;
}

async function migrate({ openDatabase }, url) {
  const database = await openDatabase({ url, dataDir: '', wait: 5, migrate: true });
  await database.close();
}

async function fill(project, url, n) {
  const client = await connected(url);
  try {
    await client.query('BEGIN');
    await addAccounts(client);
    await addTerms(client, project);
    for (let first = 1; first <= n; first += BATCH) {
      const posts = Array.from({ length: Math.min(BATCH, n - first + 1) }, (_, i) =>
        postOf(project, first + i),
      );
      await insert(client, 'content_item', POST_COLUMNS, posts);
      await insert(client, 'content_term', TERM_COLUMNS, posts.flatMap(termsOf));
    }
    await client.query(`INSERT INTO revision (id, item_id, author_id, title, content, excerpt, created_at, modified_at)
      SELECT latest_revision_id, id, author_id, title, content, excerpt, modified_at, modified_at
      FROM content_item WHERE latest_revision_id IS NOT NULL`);
    for (const table of ['account', 'term', 'content_item', 'revision']) {
      await client.query(
        `SELECT setval(pg_get_serial_sequence('${table}', 'id'), coalesce((SELECT max(id) FROM ${table}), 1))`,
      );
    }
    await client.query('COMMIT');
    // With the visibility map, as a server that has run for a day has it
    await client.query('VACUUM ANALYZE');
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}

async function addAccounts(client) {
  await client.query(
    `INSERT INTO account (id, username, username_key, email, email_key, name, slug, roles)
     SELECT n, 'author-' || n, 'author-' || n, 'author-' || n || '@example.com', 'author-' || n || '@example.com',
       'Author ' || n, 'author-' || n, ARRAY['author'] FROM generate_series(1, $1::int) n`,
    [AUTHORS],
  );
}

async function addTerms(client, { slugify, sortKey }) {
  const term = (id, taxonomy, name, parent) => ({
    id,
    taxonomy,
    name,
    name_key: sortKey(name),
    slug: slugify(name),
    description: '',
    parent_id: parent,
  });
  const named = (first, count, taxonomy, names) =>
    Array.from({ length: count }, (_, i) => {
      const [name, round] = [names[i % names.length], Math.floor(i / names.length)];
      const parent = round && taxonomy === 'category' ? first + (i % names.length) : null;
      return term(first + i, taxonomy, round ? `${name} ${round + 1}` : name, parent);
    });
  await insert(
    client,
    'term',
    {
      id: 'int',
      taxonomy: 'text',
      name: 'text',
      name_key: 'text',
      slug: 'text',
      description: 'text',
      parent_id: 'int',
    },
    [
      ...named(FIRST_CATEGORY, CATEGORIES, 'category', [
        'Medicine',
        'Living well',
        'Appointments',
        'News',
        'Carers',
        'Questions',
      ]),
      ...named(FIRST_TAG, TAGS, 'post_tag', [
        'Reminders',
        'Sleep',
        'Food',
        'Travel',
        'Café talk',
        'Side effects',
        'Time zones',
        'Pharmacy',
      ]),
    ],
  );
}

const POST_COLUMNS = {
  id: 'int',
  kind: 'text',
  status: 'text',
  title: 'text',
  title_key: 'text',
  title_rendered: 'text',
  content: 'text',
  content_rendered: 'text',
  excerpt: 'text',
  excerpt_rendered: 'text',
  rendering: 'int',
  block_version: 'int',
  slug: 'text',
  author_id: 'int',
  published_at: 'timestamptz',
  created_at: 'timestamptz',
  modified_at: 'timestamptz',
  comments_open: 'boolean',
  pings_open: 'boolean',
  format: 'text',
  featured_media_id: 'int',
  guid: 'text',
  version: 'int',
  revision_count: 'int',
  latest_revision_id: 'int',
};
const TERM_COLUMNS = { item_id: 'int', term_id: 'int' };

/** The nth post; a third have a revision, a quarter an image, a twentieth a format. */
function postOf(
  { slugify, sortKey, renderTitle, renderContent, renderExcerpt, blockVersion, RENDERING },
  n,
) {
  const random = randomOf(n * 7919);
  const { title, content } = writePost(n);
  const slug = `${slugify(title)}-${n}`;
  // About a post a minute, newest last: the nth is the same in databases of every size.
  const published = new Date(LAST_DATE - (1_000_000 - n) * 60_000 + Math.floor(random() * 50_000));
  const revised = n % 3 === 0;
  return {
    id: n,
    kind: 'post',
    status: 'publish',
    title,
    title_key: sortKey(title),
    title_rendered: renderTitle(title),
    content,
    content_rendered: renderContent(content),
    excerpt: '',
    excerpt_rendered: renderExcerpt('', content),
    rendering: RENDERING,
    block_version: blockVersion(content),
    slug,
    author_id: 1 + Math.floor(random() * AUTHORS),
    published_at: published,
    created_at: published,
    modified_at: revised
      ? new Date(published.getTime() + Math.floor(random() * 86_400_000))
      : published,
    comments_open: true,
    pings_open: random() < 0.9,
    format: random() < 0.05 ? pick(random, ['quote', 'video', 'aside']) : 'standard',
    featured_media_id: random() < 0.25 ? 1_000 + n : 0,
    guid: `/${slug}/`,
    version: revised ? 2 : 1,
    revision_count: revised ? 1 : 0,
    latest_revision_id: revised ? n / 3 : null,
  };
}

/** One to three categories and up to five tags. */
function termsOf({ id }) {
  const random = randomOf(id * 104_729);
  const some = (first, count, many) =>
    Array.from({ length: many }, () => first + Math.floor(random() * count));
  const categories = some(FIRST_CATEGORY, CATEGORIES, 1 + Math.floor(random() * 3));
  const tags = some(FIRST_TAG, TAGS, Math.floor(random() * 6));
  return [...new Set([...categories, ...tags])].map((term) => ({ item_id: id, term_id: term }));
}

/** One statement for all rows: an array for each column. */
async function insert(client, table, columns, rows) {
  const names = Object.keys(columns);
  const arrays = Object.values(columns).map((type, i) => `$${i + 1}::${type}[]`);
  await client.query({
    name: `insert ${table}`,
    text: `INSERT INTO ${table} (${names.join(', ')}) SELECT * FROM unnest(${arrays.join(', ')})`,
    values: names.map((name) => rows.map((row) => row[name])),
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [n, root] = process.argv.slice(2);
  const address = await seed(Number(n), root);
  // The migration engine leaves a timer of ten seconds
  process.stdout.write(`${address}\n`, () => process.exit());
}
