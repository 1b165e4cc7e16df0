// node bench/ablation.mjs [--rounds 5] [--posts 10000] [--only "parts of JSON"]: what each mechanism that
// exists for speed buys. Each is taken out of a copy of the compiled service, which is bundled and
// measured in turns with the whole one. The code of the service has no switches. See README.md.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare, root } from '../scripts/prepare.mjs';
import { inTurns, makeEditor, send, startBuild } from './builds.mjs';
import { alone, connected, SERVER } from './database.mjs';
import { SCENARIOS } from './graphql-documents.mjs';
import { killAll, memoryOf, stop } from './processes.mjs';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    posts: { type: 'string', default: '10000' },
    only: { type: 'string', default: '' },
  },
});

/**
 * By mechanism: the compiled file in dist that has it, or a script, and what stands in it with the
 * mechanism and without; or the flag of V8 that stands for `npm start`'s.
 */
const MECHANISMS = {
  'compiled changes of REST': {
    file: 'dist/rest/operation/compiling.js',
    without: [['const given = this.#coerced(document, variables);', 'const given = undefined;']],
  },
  'compiled queries of REST': {
    file: 'dist/rest/operation/compiling.js',
    without: [
      [
        'return await this.#compiled.query(undefined, context, variables);',
        'this.#document ??= this.make(); return execute({ schema: this.schema, document: this.#document, contextValue: context, variableValues: variables });',
      ],
    ],
  },
  'compiled queries of GraphQL': {
    file: 'dist/graphql/execution/executor.js',
    without: [['const form = this.#formOf(asked);', 'const form = undefined;']],
  },
  'parts of JSON': {
    file: 'dist/platform/http/response-size.js',
    without: [['if (length < PART || !Array.isArray(value))', 'if (true)']],
  },
  'length before JSON': {
    file: 'dist/platform/http/response-size.js',
    without: [
      // A list of 100 posts is still made in parts.
      ['const length = lengthOf(value, most);', 'const length = (value.length ?? 0) * 3500;'],
      ['return passes(value, most) ? undefined : textWithin', 'return textWithin'],
    ],
  },
  'guarded promises': {
    file: 'dist/rest/dialect.js',
    without: [['guardPromises(type);', '']],
  },
  'bounded growth of the heap': {
    file: 'dist/platform/heap.js',
    without: [['setFlagsFromString(`--heap', 'String(`--heap']],
  },
  'nothing made among old objects': {
    file: 'dist/platform/heap.js',
    without: [['setFlagsFromString("--no-allocation-site-pretenuring");', '']],
  },
  'spreads that begin with nothing': {
    file: 'scripts/bundle.mjs',
    without: [['plugins: [SPREAD_LATER]', 'plugins: []']],
  },
  'a young generation of 8 MB, not of 16': { flag: '--max-semi-space-size=16' },
  'a young generation of 8 MB, not of 32': { flag: '--max-semi-space-size=32' },
};

/** Of an application, without blanks, which do not count in one. */
const PASSWORD = 'onlyformeasurements';
let count = 0;
const note = () => ({
  title: `Note ${count++}`,
  content: '<p>Take it with water.</p>',
  status: 'publish',
  categories: [2],
  tags: [40, 41],
});
const graphql = (query, variables) => (server) =>
  send(server, '/graphql', { method: 'POST', body: { query, variables } });
const EDITOR = { authorization: `Basic ${btoa(`author-1:${PASSWORD}`)}` };
const change = (path, body) => (server) =>
  send(server, path, { method: 'POST', headers: EDITOR, body: body() });

/** Requests, and how many of them come in one turn. */
const WORKS = {
  'REST, one': [40, (server) => send(server, `/api/v1/posts/${1 + (count++ % 200)}`)],
  'REST, list of 10': [20, (server) => send(server, '/api/v1/posts?per_page=10')],
  'REST, list of 100': [4, (server) => send(server, '/api/v1/posts?per_page=100')],
  'GraphQL, list of 10': [15, graphql(SCENARIOS.list.ours, { first: 10 })],
  'REST, create': [8, change('/api/v1/posts', note)],
  'REST, 25 creates': [
    1,
    change('/api/batch/v1', () => ({
      requests: Array.from({ length: 25 }, () => ({ path: '/v1/posts', body: note() })),
    })),
  ],
};
/** Turns of a round. */
const TURNS = 12;

/** Makes a copy of the build without a mechanism, in a folder of its own. */
function buildWithout(folder, { file, without = [] }) {
  mkdirSync(folder);
  const copied = ['dist', 'scripts'];
  for (const name of readdirSync(root))
    if (copied.includes(name)) cpSync(join(root, name), join(folder, name), { recursive: true });
    else if (name !== 'dist-service' && name !== '.git')
      symlinkSync(join(root, name), join(folder, name));
  if (!file) return bundle(folder);
  let code = readFileSync(join(folder, file), 'utf8');
  for (const [present, instead] of without) {
    if (!code.includes(present)) throw new Error(`${file} has no \`${present}\` any more.`);
    code = code.replaceAll(present, instead);
  }
  writeFileSync(join(folder, file), code);
  bundle(folder);
}

const bundle = (folder) =>
  execFileSync(process.execPath, [join(folder, 'scripts/bundle.mjs')], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });

await prepare();
const seed = [join(import.meta.dirname, 'seed.mjs'), options.posts, root];
const seeded = new URL(execFileSync(process.execPath, seed, { encoding: 'utf8' }).trim());
const right = await alone();
const copy = `care_bench_ablation_${process.pid}`;
const folder = mkdtempSync(join(root, '.cache/ablation-'));
let watcher;
try {
  await right.query(`CREATE DATABASE ${copy} TEMPLATE ${seeded.pathname.slice(1)}`);
  const url = Object.assign(new URL(SERVER), { pathname: `/${copy}` }).href;
  watcher = await connected(url);
  await makeEditor(watcher, PASSWORD);
  const chosen = Object.entries(MECHANISMS).filter(([name]) => name.startsWith(options.only));
  // The whole service twice: what differs between these is chance.
  const builds = [['nothing', {}], ['nothing, again', {}], ...chosen];
  const servers = [];
  for (const [i, [name, mechanism]] of builds.entries()) {
    buildWithout(join(folder, String(i)), mechanism);
    const build = join(folder, String(i));
    servers.push(await startBuild(name, build, url, { SEED: 'none' }, mechanism.flag));
    process.stderr.write(`${i + 1} of ${builds.length} builds\r`);
  }
  for (const [name, [count, work]] of Object.entries(WORKS))
    await inTurns(name, servers, watcher, work, {
      rounds: Number(options.rounds),
      turns: TURNS,
      count,
    });
  for (const { name, child } of servers)
    console.log(`memory at most, without ${name}: ${memoryOf(child.pid).most.toFixed(0)} MB`);
  console.log(`load average ${loadavg()[0].toFixed(1)}`);
  for (const { child, agent } of servers) {
    agent.destroy();
    await stop(child);
  }
} finally {
  killAll();
  await watcher?.end();
  await right.query(`DROP DATABASE IF EXISTS ${copy} WITH (FORCE)`);
  await right.end();
  rmSync(folder, { recursive: true, force: true });
}
