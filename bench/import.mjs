// node bench/import.mjs --dump ../shared/import/original.sql.gz [--posts 50000] [--medicines 200000] [--profile FOLDER]:
// how many rows a second `npm run import` takes over. A dump of the original's database is loaded into
// databases of a MariaDB server (BENCH_MYSQL_URL), and its published posts, or its medicine reminders, are
// copied until there are so many. Prints for each the seconds, the CPU of the import, and its memory. It
// drops all databases that it makes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createGunzip } from 'node:zlib';
import mysql from 'mysql2/promise';
import { alone, withDatabase } from './database.mjs';
import { cpuOf, memoryOf } from './processes.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const SERVER = process.env.BENCH_MYSQL_URL || 'mysql://care_tests:care_tests@127.0.0.1/';
const { values: options } = parseArgs({
  options: {
    dump: { type: 'string' },
    posts: { type: 'string', default: '50000' },
    medicines: { type: 'string', default: '200000' },
    profile: { type: 'string', default: '' },
  },
});
if (!options.dump) throw new Error('--dump FILE is a dump of the original, compressed by gzip.');

const POST_COLUMNS = [
  'post_author, post_date, post_date_gmt, post_content, post_title, post_excerpt, post_status',
  'comment_status, ping_status, post_password, to_ping, pinged, post_modified, post_modified_gmt',
  'post_content_filtered, post_parent, guid, menu_order, post_type, post_mime_type, comment_count',
].join(', ');
/** What is copied: how many rows there are, and one more round of copies that begin behind `at`. */
const KINDS = {
  posts: {
    rows: Number(options.posts),
    source: `SELECT ID FROM wp_posts WHERE post_type = 'post' AND post_status = 'publish'`,
    copies: (at) => [
      `INSERT INTO wp_posts (ID, post_name, ${POST_COLUMNS})
        SELECT ${at} + ID, concat(post_name, '-', ${at} + ID), ${POST_COLUMNS} FROM wp_posts
        WHERE ID < 100000 AND post_type = 'post' AND post_status = 'publish'`,
      `INSERT INTO wp_term_relationships (object_id, term_taxonomy_id, term_order)
        SELECT ${at} + object_id, term_taxonomy_id, term_order FROM wp_term_relationships
        WHERE object_id IN (SELECT ID FROM wp_posts WHERE ID < 100000 AND post_type = 'post'
          AND post_status = 'publish')`,
    ],
  },
  medicines: {
    rows: Number(options.medicines),
    source: 'SELECT id FROM wp_care_medicine_reminder',
    copies: (at) => [
      `INSERT INTO wp_care_medicine_reminder SELECT ${at} + id, user_id, name, description, medicine_type,
        frequency_type, start_date, end_date, created_date
        FROM wp_care_medicine_reminder WHERE id < 100000`,
    ],
  },
};

/** Runs a program to its end. */
async function done(child, name) {
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${name} ended with ${code}.`);
}

/** Makes a database of the original that holds so many rows of a kind. */
async function fill(database, { rows, source, copies }) {
  const { hostname, port, username, password } = new URL(SERVER);
  const client = spawn(
    'mariadb',
    ['-h', hostname, '-P', port || '3306', '-u', username, database],
    {
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { ...process.env, MYSQL_PWD: password },
    },
  );
  createReadStream(options.dump).pipe(createGunzip()).pipe(client.stdin);
  await done(client, 'mariadb');
  const connection = await mysql.createConnection(new URL(database, SERVER).href);
  await connection.query(`SET sql_mode = ''`);
  const [first] = await connection.query(source);
  for (let made = first.length, at = 100_000; made < rows; made += first.length, at += 10_000)
    for (const statement of copies(at)) await connection.query(statement);
  await connection.end();
}

/** Imports a database. Returns seconds by the clock, of CPU, and MB. */
async function imported(database, url) {
  const flags = options.profile ? ['--cpu-prof', `--cpu-prof-dir=${resolve(options.profile)}`] : [];
  const began = performance.now();
  const child = spawn(
    process.execPath,
    [
      ...[
        ...['--max-semi-space-size=4', '--single-threaded-gc'],
        ...flags,
        'scripts/import.mjs',
        new URL(database, SERVER).href,
      ],
      ...['--mapping', 'docs/import-mapping.yaml'],
    ],
    {
      cwd: root,
      env: { ...process.env, DATABASE_URL: url, SECRET_KEY: 'only for measurements, never kept' },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  let [most, cpu] = [0, 0];
  const watch = setInterval(() => {
    try {
      ({ most } = memoryOf(child.pid));
      cpu = cpuOf(child.pid) / 1_000_000;
    } catch {
      // It has ended.
    }
  }, 200);
  const [code] = await once(child, 'exit');
  clearInterval(watch);
  // 1: rows were refused, as some of the original are.
  if (code > 1) throw new Error(`The import ended with ${code}.`);
  return { seconds: (performance.now() - began) / 1000, cpu, most };
}

const { openDatabase } = await import('../dist/platform/database/open.js');
const right = await alone();
const server = await mysql.createConnection(SERVER);
try {
  console.log(`${cpus().length} cores, load average ${loadavg()[0].toFixed(1)}\n`);
  console.log(
    '| kind | rows | seconds | rows a second | CPU of the import, s | rows a second of CPU | MB at most |',
  );
  console.log('| ---- | ---- | ---- | ---- | ---- | ---- | ---- |');
  for (const [name, kind] of Object.entries(KINDS)) {
    if (kind.rows === 0) continue;
    const database = `care_bench_${name}`;
    await server.query(`DROP DATABASE IF EXISTS ${database}`);
    await server.query(`CREATE DATABASE ${database} CHARACTER SET utf8mb4`);
    await fill(database, kind);
    const { seconds, cpu, most } = await withDatabase('import', async (url) => {
      await (await openDatabase({ url, dataDir: '', wait: 5, migrate: true })).close();
      return imported(database, url);
    });
    await server.query(`DROP DATABASE ${database}`);
    const cells = [kind.rows, seconds.toFixed(0), (kind.rows / seconds).toFixed(0)];
    console.log(
      `| ${[name, ...cells, cpu.toFixed(0), (kind.rows / cpu).toFixed(0), most.toFixed(0)].join(' | ')} |`,
    );
  }
} finally {
  await server.end();
  await right.end();
}
