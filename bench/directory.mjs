// node bench/directory.mjs (--services 100000): what the nearest 20 services cost the database, with a
// text and two filters: 20 ms at most are the aim, on PostgreSQL and on the embedded database, by an
// index. It prints the medians, the slowest and the indexes of each search. Needs a PostgreSQL server
// in BENCH_DATABASE_URL (default: postgres on loopback) and a built service (npm start once).
import { loadavg } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { withDatabase } from './database.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const part = (path) => import(pathToFileURL(join(root, 'dist', path)).href);
const { values: options } = parseArgs({
  options: { services: { type: 'string', default: '100000' } },
});
const SERVICES = Number(options.services);
/** Searches from so many places, each asked so often. */
const [PLACES, TIMES] = [10, 3];

/** What is asked: words in one service of two, of 50, of 5,000, and in none. */
const SEARCHES = {
  'a frequent word': { search: 'clinic' },
  'a word of one in 50': { search: 'w7' },
  'a rare word': { search: 'rare4321' },
  'a word of none': { search: 'nowhere' },
};
/** One service of ten, and one of two. */
const FILTER = { typeIds: [3], languageCodes: ['de'] };

/** Services between 47 and 55 degrees north, with the rows that searches read. */
async function seed(database) {
  await database.query(
    `INSERT INTO healthcare_service (id, name, latitude, longitude, time_zone, type_ids,
       language_codes, accessibility, updated_at)
     SELECT i, 'Service ' || i, 47 + (i::bigint * 7919 % 80000) / 10000.0,
       6 + (i::bigint * 104729 % 90000) / 10000.0, 'Europe/Berlin', ARRAY[1 + i % 10],
       ARRAY[CASE (i / 10) % 2 WHEN 0 THEN 'de' ELSE 'en' END], '{}', now()
     FROM generate_series(1, $1::int) i`,
    [SERVICES],
  );
  await database.query(
    `INSERT INTO service_search
     SELECT id, lower(name), cube(ARRAY[cos(radians(latitude)) * cos(radians(longitude)),
         cos(radians(latitude)) * sin(radians(longitude)), sin(radians(latitude))]),
       array_to_tsvector(ARRAY[CASE (id / 20) % 2 WHEN 0 THEN 'clinic' ELSE 'practice' END,
         'w' || (id / 20) % 50, 'rare' || (id / 20) % 5000]),
       type_ids, language_codes, accessibility, time_zone, '{}' FROM healthcare_service`,
  );
  await database.query('VACUUM ANALYZE service_search');
  await database.query('VACUUM ANALYZE healthcare_service');
}

/** A database that runs a search through EXPLAIN first, and keeps what that says. */
const explaining = (database, plans) =>
  new Proxy(database, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name);
      return async (text, values, given) => {
        if (text.includes('service_search')) {
          const rows = await target.query(`EXPLAIN (ANALYZE, TIMING OFF) ${text}`, values, given);
          plans.push(rows.map((row) => Object.values(row)[0]).join('\n'));
        }
        return target.query(text, values, given);
      };
    },
  });

async function measure(what, database) {
  const { RequestContext } = await part('core/context.js');
  const { ANONYMOUS } = await part('core/viewer.js');
  const { listServices } = await part('domains/directory/service/service-list.service.js');
  for (const [name, search] of Object.entries(SEARCHES)) {
    const plans = [];
    const deps = { database: explaining(database, plans), clock: Date.now };
    const context = new RequestContext(deps, { viewer: ANONYMOUS });
    let found = 0;
    for (let i = 0; i < PLACES * TIMES; i++) {
      const near = { latitude: 47.5 + (i % PLACES) * 0.7, longitude: 6.5 + (i % PLACES) * 0.8 };
      const page = await listServices(context, { near, filter: FILTER, first: 20, ...search });
      found = page.nodes.length;
    }
    const times = plans.map((plan) => Number(/Execution Time: ([\d.]+)/.exec(plan)?.[1]));
    const sorted = times.toSorted((a, b) => a - b);
    const indexes = new Set(plans.flatMap((plan) => plan.match(/service_search_\w+/g) ?? []));
    console.log(
      `${what}, ${name}: ${found} services in ${sorted[sorted.length >> 1].toFixed(1)} ms, at most ` +
        `${sorted.at(-1).toFixed(1)}, by ${[...indexes].join(' and ')}` +
        `${plans.some((plan) => plan.includes('Seq Scan on service_search')) ? ', AND A SCAN' : ''}`,
    );
  }
}

async function run(what, database) {
  try {
    await seed(database);
    await measure(what, database);
  } finally {
    await database.close();
  }
}

const { openDatabase } = await part('platform/database/open.js');
const { openMemory } = await part('platform/database/embedded.js');
await withDatabase('directory', async (url) =>
  run('PostgreSQL', await openDatabase({ url, dataDir: '', wait: 5, migrate: true })),
);
await run('embedded', await openMemory());
console.log(`load average ${loadavg()[0].toFixed(1)}`);
