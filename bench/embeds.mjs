// node bench/embeds.mjs: CPU of the service for an embed of an own post beside that post, and for the
// document of OpenAPI, which is bytes that were made once. An embed within 1.5 times of the post is
// the aim. Needs a PostgreSQL server in BENCH_DATABASE_URL (default: postgres on loopback) and a
// built service (npm start once).
import { Agent, request } from 'node:http';
import { loadavg } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { withDatabase } from './database.mjs';
import { cpuOf, freePort, killAll, mainOf, start, stop } from './processes.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const { openDatabase } = await import(
  pathToFileURL(join(root, 'dist/platform/database/open.js')).href
);
const [ROUNDS, COUNT, WARM_UP] = [9, 300, 1_500];
const PASSWORD = 'only for measurements';
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Sends a request and answers its body. Throws for a refusal. */
function send(address, { method = 'GET', headers = {}, body } = {}) {
  return new Promise((answer, fail) => {
    const sent = request(address, { agent, method, headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        if (response.statusCode < 300) answer(bytes);
        else fail(new Error(`It was answered ${response.statusCode}: ${bytes}`));
      });
    });
    sent.on('error', fail).end(body);
  });
}

/** Makes a post, and answers what is asked for, by name. */
async function addresses(origin) {
  const basic = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const session = await send(`${origin}/api/v1/login`, {
    method: 'POST',
    headers: { ...form, authorization: basic },
    body: new URLSearchParams({ username: 'admin', password: PASSWORD }).toString(),
  });
  const { id, link } = JSON.parse(
    await send(`${origin}/api/v1/posts`, {
      method: 'POST',
      headers: { ...form, authorization: `Bearer ${JSON.parse(session).token}` },
      body: 'title=A post&content=<p>Take it with water.</p>&status=publish',
    }),
  );
  return {
    post: `${origin}/api/v1/posts/${id}`,
    embed: `${origin}/api/oembed/1.0/embed?url=${encodeURIComponent(link)}`,
    'document of OpenAPI': `${origin}/api/openapi.json`,
  };
}

/** Microseconds of CPU for one of `count` requests. */
async function measure(child, address, count) {
  const before = cpuOf(child.pid);
  for (let i = 0; i < count; i++) await send(address);
  return (cpuOf(child.pid) - before) / count;
}

await withDatabase('embeds', async (url) => {
  await (await openDatabase({ url, dataDir: '', wait: 5, migrate: true })).close();
  const port = await freePort();
  const env = {
    DATABASE_URL: url,
    SECRET_KEY: 'only for measurements, never kept',
    PORT: String(port),
    HOST: '127.0.0.1',
    ADMIN_PASSWORD: PASSWORD,
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'off',
  };
  const child = await start(mainOf(root), { env, cwd: root });
  try {
    const asked = Object.entries(await addresses(`http://127.0.0.1:${port}`));
    for (const [, address] of asked) await measure(child, address, WARM_UP);
    const results = asked.map(() => []);
    for (let round = 0; round < ROUNDS; round++)
      for (const [i, [, address]] of asked.entries())
        results[i].push(await measure(child, address, COUNT));
    const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
    const [ofPost] = results.map(median);
    for (const [i, [name]] of asked.entries())
      console.log(
        `${name}: ${Math.round(median(results[i]))} µs CPU ` +
          `(${Math.round(Math.min(...results[i]))} to ${Math.round(Math.max(...results[i]))}), ` +
          `${(median(results[i]) / ofPost).toFixed(2)} of the post`,
      );
    console.log(`load average ${loadavg()[0].toFixed(1)}`);
    await stop(child);
  } finally {
    agent.destroy();
    killAll();
  }
});
