import { setTimeout as sleep } from 'node:timers/promises';
import { registry } from '../../../src/platform/metrics/metrics.js';
import { useService } from '../../support/harness.js';
import { dial } from '../../support/line.js';
import { createOf, upload } from '../../support/uploads.js';

const KEY = '0'.repeat(32);

describe('Every response is counted once, by labels without a path', () => {
  const service = useService();
  /** Returns how many responses were counted by labels. */
  async function counts(): Promise<Map<string, number>> {
    const lines = (await registry.metrics()).matchAll(
      /^care_request_duration_seconds_count{(.+)} (\d+)$/gm,
    );
    return new Map([...lines].map(([, labels = '', count]) => [labels, Number(count)]));
  }
  /** Returns what was counted since then, as `METHOD route operation status` and how often. */
  async function since(before: ReadonlyMap<string, number>): Promise<string[]> {
    const after = await counts();
    return [...after]
      .filter(([labels, count]) => count !== (before.get(labels) ?? 0))
      .map(([labels, count]) => {
        const values = [...labels.matchAll(/"([^"]*)"/g)].map(([, value]) => value || '-');
        return `${values.join(' ')}: ${count - (before.get(labels) ?? 0)}`;
      });
  }
  const query = JSON.stringify({ query: '{ posts(first: 1) { nodes { id } } }' });
  const JSON_TYPE = { 'content-type': 'application/json' };

  it.each<[string, string, RequestInit, string]>([
    ['a route', '/api/v1/posts', {}, 'GET /v1/posts ListPosts 200'],
    ['no route of an edition', '/api/v1/nothing/7', {}, 'GET unmatched - 404'],
    ['a document of OpenAPI', '/api/openapi.json', {}, 'GET /api/openapi.json - 200'],
    [
      'GraphQL',
      '/graphql',
      { method: 'POST', headers: JSON_TYPE, body: query },
      'POST graphql query 200',
    ],
    [
      'GraphQL that cannot be read',
      '/graphql',
      { method: 'POST', headers: JSON_TYPE, body: '{' },
      'POST graphql - 400',
    ],
    ['GraphQL from another origin', '/graphql', { method: 'OPTIONS' }, 'OPTIONS graphql - 204'],
    ['a page for people', '/ADMIN/login', {}, 'GET /admin/login - 200'],
    ['the site', '/a-post-that-is-not-there', {}, 'GET unmatched - 404'],
    ['no page', '/nothing/7', { method: 'PUT' }, 'PUT unmatched - 404'],
    ['a method of its own', '/nothing/7', { method: 'PROPFIND' }, 'other unmatched - 404'],
    ['a file that is not there', `/files/${KEY}/a.png`, {}, 'GET unmatched - 404'],
    [
      'a refused upload',
      `/uploads/${KEY}`,
      { method: 'PUT', body: 'abc' },
      'PUT /uploads/:key - 404',
    ],
    ['the state of the process', '/healthz', {}, 'GET /healthz - 200'],
  ])('counts %s', async (_, path, init, told) => {
    const before = await counts();
    await service().fetch(path, init);
    expect(await since(before)).toStrictEqual([`${told}: 1`]);
  });

  it('counts a request that its caller breaks off, and one that cannot be read', async () => {
    const port = Number(new URL(service().url).port);
    const before = await counts();
    const head = 'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    const { socket } = dial(port, `${head}Content-Length: 9\r\n\r\n{`);
    await sleep(100);
    socket.resetAndDestroy();
    while ((await since(before)).length < 1) await sleep(10);
    expect(await since(before)).toStrictEqual(['POST graphql - 499: 1']);
    await dial(port, 'nonsense\r\n\r\n').closed;
    expect([...(await since(before))].sort()).toStrictEqual([
      'POST graphql - 499: 1',
      'other unmatched - 400: 1',
    ]);
  });

  it('counts an upload when it has come, and its file when it is sent', async () => {
    const file = Buffer.from('%PDF-1.4');
    const before = await counts();
    const { id } = await upload(service(), file, { mimeType: 'application/pdf', name: 'plan.pdf' });
    expect(await since(before)).toContain('PUT /uploads/:key - 200: 1');
    const { url } = (await createOf(service(), id)).data.createMedia.media;
    const beforeFile = await counts();
    await (await fetch(url)).arrayBuffer();
    expect(await since(beforeFile)).toStrictEqual(['GET /files/:key/:name - 200: 1']);
  });
});
