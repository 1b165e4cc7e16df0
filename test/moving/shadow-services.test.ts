// The proxy of `npm run shadow -- --writes` between two running services with the same rows, of which one
// gives other numbers and tokens.
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../../src/platform/root.js';
import { exported, imported, PASSWORD, place, startDemo } from '../app/moving/world.js';
import { dataFolder, startService } from '../faults/service.js';
import { until } from '../support/kept.js';

type Json = Readonly<Record<string, unknown>>;
interface Report {
  toJSON(): Json;
}
const module = <T>(name: string): Promise<T> =>
  import(pathToFileURL(join(projectRoot, 'scripts/shadow', name)).href);

/** Asks a service or the proxy. Returns the body of what is no refusal. */
async function ask(base: string, method: string, path: string, body?: Json, token?: unknown) {
  const response = await fetch(`${base}/api${path}`, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Json;
  expect([response.ok, answer], `${method} ${path}`).toMatchObject([true, {}]);
  return answer;
}

const signIn = async (base: string) =>
  (await ask(base, 'POST', '/v1/login', { username: 'admin', password: PASSWORD })).token;
const MEDICINE = { name: 'Iron', frequency_type: 'once a day', start_date: '2026-03-10' };

it('finds no difference between two services whose writes get other numbers', async () => {
  const [first, second] = [place(), place()];
  await startDemo(first);
  const folder = join(dataFolder(), 'export');
  await exported(first, folder);
  expect((await imported(second, folder)).status).toBe(0);
  const environment = { LOG_LEVEL: 'info' };
  const original = await startService({ environment: { ...first, ...environment } });
  const ours = await startService({ environment: { ...second, ...environment } });
  const own = await signIn(ours.url);
  for (let i = 0; i < 3; i++) {
    const { id } = await ask(ours.url, 'POST', '/v1/posts', { title: 'Ours alone' }, own);
    await ask(ours.url, 'POST', `/v1/posts/${id}`, { title: 'Changed' }, own);
    await ask(ours.url, 'POST', '/v1/medicine_reminder', MEDICINE, own);
  }

  const { shadowProxy } = await module<{ shadowProxy: (options: Json) => Server }>('proxy.mjs');
  const { ShadowReport } = await module<{ ShadowReport: new () => Report }>('report.mjs');
  const report = new ShadowReport();
  const [there, here] = [original, ours].map(({ port }) => `http://localhost:${port}`);
  const addresses = { original: there, ours: here, site: there };
  const server = shadowProxy({ ...addresses, report, writes: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const token = await signIn(proxy);
  const post = await ask(proxy, 'POST', '/v1/posts', { title: 'A', content: 'a' }, token);
  await ask(proxy, 'POST', `/v1/posts/${post.id}`, { title: 'B', status: 'publish' }, token);
  await ask(proxy, 'GET', `/v1/posts/${post.id}?context=edit`, undefined, token);
  await ask(proxy, 'GET', `/v1/posts/${post.id}/revisions`, undefined, token);
  await ask(proxy, 'DELETE', `/v1/posts/${post.id}?force=true`, undefined, token);
  const page = await ask(proxy, 'POST', '/v1/pages', { title: 'C', status: 'publish' }, token);
  const child = { title: 'D', parent: page.id, status: 'publish' };
  await ask(proxy, 'POST', '/v1/pages', child, token);
  await ask(proxy, 'GET', `/v1/pages?parent=${page.id}`);
  const medicine = await ask(proxy, 'POST', '/v1/medicine_reminder', MEDICINE, token);
  await ask(proxy, 'DELETE', `/v1/medicine_reminder/${medicine.id}`, undefined, token);

  const names = ['equal', 'departed', 'different', 'unavailable', 'unread', 'left'];
  const found = () => report.toJSON();
  await until(() => names.reduce((sum, name) => sum + Number(found()[name]), 0) === 11);
  server.closeAllConnections();
  server.close();
  await Promise.all([original.child.kill(), ours.child.kill()]);
  expect(found()).toMatchObject({ requests: 11, different: 0, differences: [], reasons: {} });
  const body = JSON.stringify(found());
  expect(body).not.toContain(PASSWORD);
});
