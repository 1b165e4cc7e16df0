// node bench/models.mjs (--items 100000): what a list of items of a content model costs, filtered by
// two fields and ordered by a third: 5 ms CPU in the service and 30 ms in PostgreSQL at most are the
// aim. Needs a PostgreSQL server in BENCH_DATABASE_URL (default: postgres on loopback) and a built
// service (npm start once).
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { backends, connected, used, withDatabase } from './database.mjs';
import { cpuOf, freePort, killAll, mainOf, start, stop } from './processes.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const { values: options } = parseArgs({
  options: { items: { type: 'string', default: '100000' } },
});
const ITEMS = Number(options.items);
const [WARM, BATCHES, BATCH] = [1_000, 20, 20];

/** Name, type and whether it is queryable, with the SQL of the value and the key of item `n`. */
const FIELDS = [
  ['title', 'TEXT', true, `'Clinic ' || (n * 7919 % 100003)`],
  ['status', 'TEXT', true, `(ARRAY['open', 'closed', 'planned', 'moved', 'unknown'])[1 + n % 5]`],
  ['beds', 'NUMBER', true, `n * 31 % 1000`],
  ['city', 'TEXT', true, `'city ' || (n * 17 % 1000)`],
  ['opened', 'DATE', true, `to_char(date '1950-01-01' + n * 13 % 25000, 'YYYY-MM-DD')`],
  ['score', 'NUMBER', true, `n::bigint * 104729 % 9973`],
  ['emergency', 'BOOLEAN', false, `n % 3 = 0`],
  ...Array.from({ length: 13 }, (_, i) => [
    `note${i}`,
    'TEXT',
    false,
    `'note ${i} of ' || md5((n * ${i + 3})::text)`,
  ]),
];

const NODES = 'nodes { databaseId version values updatedAt }';
const TYPED = `nodes { databaseId fields { name type value {
  ... on ModelTextValue { text } ... on ModelNumberValue { number }
  ... on ModelBooleanValue { boolean } ... on ModelDateValue { date } } } }`;
const both = (a, b) => `filter: [${a}, ${b}]`;
const is = (field, value) => `{ field: "${field}", value: ${JSON.stringify(value)} }`;
const over = (field, value) => `{ field: "${field}", operator: GREATER, value: ${value} }`;
const by = (field, direction) => `orderBy: { field: "${field}", direction: ${direction} }`;

/** What is asked, and of what. */
const QUESTIONS = {
  'one of ten, by date': [
    both(is('status', 'open'), over('beds', 500)),
    by('opened', 'DESC'),
    NODES,
  ],
  'the same, typed values': [
    both(is('status', 'open'), over('beds', 500)),
    by('opened', 'DESC'),
    TYPED,
  ],
  'one of 5,000, by number': [
    both(is('status', 'open'), is('city', 'city 85')),
    by('score', 'ASC'),
    NODES,
  ],
  'nothing, by text': [
    both(is('status', 'open'), is('city', 'nowhere')),
    by('title', 'ASC'),
    NODES,
  ],
  'one of three without an index, by text': [
    both(is('emergency', true), over('beds', 100)),
    by('title', 'ASC'),
    NODES,
  ],
  'one of ten with the count': [
    both(is('status', 'open'), over('beds', 500)),
    by('opened', 'DESC'),
    `totalCount ${NODES}`,
  ],
};

async function makeModel(ask) {
  const model = await ask(
    'mutation { createModel(input: { name: "clinic", label: "Clinics", type: POST_TYPE }) { model { databaseId } } }',
  );
  const modelId = model.createModel.model.databaseId;
  const ids = [];
  for (const [i, [name, type, queryable]] of FIELDS.entries()) {
    const flag = queryable ? 'options: [{ name: "queryable", value: "1" }]' : '';
    const made =
      await ask(`mutation { createModelField(input: { modelId: ${modelId}, version: ${i + 1},
      name: "${name}", label: "${name}", type: ${type}, ${flag} }) { field { databaseId } } }`);
    ids.push(made.createModelField.field.databaseId);
  }
  return { modelId, ids };
}

async function seed(client, { modelId, ids }) {
  const pairs = (of) => FIELDS.map(([, , , sql], i) => `'${ids[i]}', ${of(sql, i)}`).join(', ');
  const key = (sql, i) =>
    FIELDS[i][1] === 'BOOLEAN'
      ? `(${sql})::int`
      : FIELDS[i][1] === 'NUMBER'
        ? sql
        : `lower(${sql})`;
  const began = Date.now();
  await client.query(`INSERT INTO model_item (definition_id, "values", keys, version, created_at, updated_at)
    SELECT ${modelId}, jsonb_build_object(${pairs((sql) => sql)}), jsonb_build_object(${pairs(key)}),
      1, now(), now() FROM generate_series(1, ${ITEMS}) n`);
  await client.query('VACUUM ANALYZE model_item');
  console.log(`${ITEMS} items of ${FIELDS.length} fields in ${Date.now() - began} ms`);
}

async function measure(ask, service, watcher) {
  for (const [what, [filter, order, fields]] of Object.entries(QUESTIONS)) {
    const read = () =>
      ask(`{ model(name: "clinic") { items(first: 20, ${filter}, ${order}) { ${fields} } } }`);
    for (let i = 0; i < WARM; i++) await read();
    const runs = [];
    for (let batch = 0; batch < BATCHES; batch++) {
      const [cpu, database, began] = [
        cpuOf(service.pid),
        await backends(watcher, 'care'),
        performance.now(),
      ];
      for (let i = 0; i < BATCH; i++) await read();
      const wall = performance.now() - began;
      const after = await backends(watcher, 'care');
      runs.push(
        [cpuOf(service.pid) - cpu, used(database, after) ?? 0, wall * 1000].map(
          (us) => us / BATCH / 1000,
        ),
      );
    }
    const median = (at) =>
      runs
        .map((run) => run[at])
        .sort((a, b) => a - b)
        [BATCHES >> 1].toFixed(1);
    console.log(
      `${what}: service ${median(0)} ms CPU, PostgreSQL ${median(1)} ms CPU, ` +
        `${median(2)} ms in all (load ${loadavg()[0]?.toFixed(1)})`,
    );
  }
}

const password = randomBytes(12).toString('hex');
await withDatabase('models', async (url) => {
  const env = {
    DATABASE_URL: url,
    SECRET_KEY: 'b'.repeat(40),
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'off',
  };
  try {
    await once(await start(join(root, 'scripts/migrate.mjs'), { env, ready: false }), 'exit');
    const port = await freePort();
    const service = await start(mainOf(root), {
      env: { ...env, PORT: String(port), HOST: '127.0.0.1', ADMIN_PASSWORD: password },
    });
    const base = `http://127.0.0.1:${port}`;
    const post = async (path, body, headers = {}) => {
      const all = { 'content-type': 'application/json', ...headers };
      const answer = await fetch(base + path, {
        method: 'POST',
        headers: all,
        body: JSON.stringify(body),
      });
      return answer.json();
    };
    const { token } = await post('/api/v1/login', { username: 'admin', password });
    const ask = async (query) => {
      const { data, errors } = await post(
        '/graphql',
        { query },
        { authorization: `Bearer ${token}` },
      );
      if (errors) throw new Error(JSON.stringify(errors));
      return data;
    };
    const client = await connected(url);
    try {
      await seed(client, await makeModel(ask));
      await measure(ask, service, client);
    } finally {
      await client.end();
    }
    await stop(service);
  } finally {
    killAll();
  }
});
