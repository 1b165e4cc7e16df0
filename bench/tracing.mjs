// node bench/tracing.mjs [ROUNDS [COUNT]]: what traces cost a request, over REST and over GraphQL, of services
// that make none, twice, a tenth of them, and all, and of those whose collector is down or never answers. All in
// turns, on a database of its own that it drops.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { root } from '../scripts/prepare.mjs';
import { inTurns, PASSWORD, send, startBuild } from './builds.mjs';
import { connected, withDatabase } from './database.mjs';
import { killAll, start } from './processes.mjs';

const [, , rounds = '9', count = '20'] = process.argv;
const QUERY = '{ posts(first: 10) { nodes { title content author { name } } } }';

async function collector(answer) {
  const http = createServer((request, response) =>
    request.resume().on('end', () => answer(response)),
  );
  await once(http.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${http.address().port}`;
}
const share = (endpoint, ratio) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
  OTEL_TRACES_SAMPLER_ARG: String(ratio),
});

/** Posts that the requests read. */
async function write(server) {
  const login = { username: 'admin', password: PASSWORD };
  const { token } = JSON.parse(
    await send(server, '/api/v1/login', { method: 'POST', body: login }),
  );
  const headers = { authorization: `Bearer ${token}` };
  for (let i = 0; i < 20; i++) {
    const body = { title: `Post ${i}`, content: 'A text. '.repeat(100), status: 'publish' };
    await send(server, '/api/v1/posts', { method: 'POST', headers, body });
  }
}

const well = await collector((response) => response.end('{}'));
const deaf = await collector(() => {});
const SERVICES = {
  'no traces': {},
  'a tenth': share(well, 0.1),
  'a tenth, collector down': share('http://127.0.0.1:9', 0.1),
  'a tenth, collector that never answers': share(deaf, 0.1),
  'all traces': share(well, 1),
  'none sampled': share(well, 0),
  'no traces again': {},
};

await withDatabase('tracing', async (url) => {
  const env = { DATABASE_URL: url };
  await once(await start(join(root, 'scripts/migrate.mjs'), { env, ready: false }), 'exit');
  const watcher = await connected(url);
  try {
    const servers = [];
    for (const [name, more] of Object.entries(SERVICES))
      servers.push(await startBuild(name, root, url, more));
    await write(servers[0]);
    const options = { rounds: Number(rounds), turns: 20, count: Number(count) };
    await inTurns(
      'GET posts',
      servers,
      watcher,
      (server) => send(server, '/api/v1/posts'),
      options,
    );
    const body = { query: QUERY };
    const ask = (server) => send(server, '/graphql', { method: 'POST', body });
    await inTurns('query of posts', servers, watcher, ask, options);
  } finally {
    killAll();
    await watcher.end();
  }
});
process.exit();
