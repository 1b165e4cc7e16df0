// The proxy of `npm run shadow -- --writes`, between two services that keep posts, each with numbers and
// tokens of its own.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../../src/platform/root.js';
import { until } from '../support/kept.js';

type Json = Readonly<Record<string, unknown>>;
interface Found {
  readonly [count: string]: unknown;
  readonly requests: number;
  readonly reasons: Readonly<Record<string, number>>;
  readonly differences: readonly Json[];
}
interface Report {
  toJSON(): Found;
}
interface Shadow {
  readonly shadowProxy: (options: Json) => Server;
}
const module = <T>(name: string): Promise<T> =>
  import(pathToFileURL(join(projectRoot, 'scripts/shadow', name)).href);

/** A request that arrived. */
interface Asked {
  readonly line: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** A service with posts and sign-ins, whose numbers begin with `first`, its clock ahead by so many seconds. */
class Site {
  readonly asked: Asked[] = [];
  readonly #posts = new Map<number, Json>();
  #next: number;
  #tokens = 0;

  constructor(
    private readonly name: string,
    first: number,
    private readonly ahead = 0,
  ) {
    this.#next = first;
  }

  readonly listener: RequestListener = async (request, response) => {
    const body = await text(request);
    const { authorization } = request.headers;
    const url = (request.url ?? '').replace(/^\/(?:wp-json|api)/, '');
    this.asked.push({ line: `${request.method} ${url}`, authorization, body });
    const [status, answer] = this.#answer(request, url, body);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  };

  #answer({ method }: IncomingMessage, url: string, body: string): [number, unknown] {
    const [, id] = /^\/v1\/posts\/(\d+)/.exec(url) ?? [];
    if (url === '/v1/login')
      return [200, { token: `${this.name}-secret-${++this.#tokens}`, user: { id: 5 } }];
    const given = body.startsWith('{')
      ? JSON.parse(body)
      : Object.fromEntries(new URLSearchParams(body));
    if (method === 'POST' && !id) return [201, this.#write(this.#next++, given)];
    const post = this.#posts.get(Number(id));
    if (!id) return [200, [...this.#posts.values()]];
    if (!post) return [404, { code: 'rest_post_invalid_id', message: 'x' }];
    if (method === 'DELETE')
      return [200, { deleted: this.#posts.delete(Number(id)), previous: post }];
    return [200, method === 'GET' ? post : this.#write(Number(id), { ...post, ...given })];
  }

  /** A note is not shown. */
  #write(id: number, { note: _, ...fields }: Json): Json {
    const date = new Date(Date.parse('2026-03-10T10:00:00Z') + this.ahead * 1000);
    const post = { ...fields, id, link: `/?p=${id}`, modified: date.toISOString().slice(0, 19) };
    this.#posts.set(id, post);
    return post;
  }
}

describe('npm run shadow -- --writes', () => {
  const servers: Server[] = [];
  let report: Report;
  let proxy: string;
  afterEach(async () => {
    for (const server of servers.splice(0).reverse()) {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  });
  async function listening(server: Server): Promise<string> {
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  async function between(theirs: RequestListener, ours: RequestListener | string) {
    const { shadowProxy } = await module<Shadow>('proxy.mjs');
    const { ShadowReport } = await module<{ ShadowReport: new () => Report }>('report.mjs');
    report = new ShadowReport();
    const original = await listening(createServer(theirs));
    const here = typeof ours === 'string' ? ours : await listening(createServer(ours));
    proxy = await listening(
      shadowProxy({ original, ours: here, site: original, report, writes: true }),
    );
  }
  async function judged(): Promise<Found> {
    const names = ['equal', 'departed', 'different', 'unavailable', 'unread', 'left'];
    const sum = () => names.reduce((all, name) => all + (report.toJSON()[name] as number), 0);
    await until(() => sum() === report.toJSON().requests);
    return report.toJSON();
  }
  /** Asks the proxy with JSON. Returns the answer. */
  async function ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) {
    const response = await fetch(`${proxy}/wp-json${path}`, {
      method,
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, body: (await response.json()) as Json };
  }
  const lines = ({ asked }: Site) => asked.map(({ line }) => line);

  it('has a later request that names a row reach the row that was made here', async () => {
    const [original, ours] = [new Site('there', 900), new Site('here', 70, 3)];
    await between(original.listener, ours.listener);
    expect(await ask('POST', '/v1/posts', { title: 'One' })).toMatchObject({
      ...{ status: 201, body: { id: 900 } },
    });
    await ask('POST', '/v1/posts', { title: 'Two', parent: 900, featured_media: 900, weight: 900 });
    await ask('GET', '/v1/posts/901');
    await ask('POST', '/v1/posts/901', { title: 'Other' });
    await ask('GET', '/v1/posts?include=900,901,3&author=900&page=900');
    await ask('DELETE', '/v1/posts/900?force=true');
    await ask('GET', '/v1/posts/900');
    expect(await judged()).toMatchObject({ requests: 7, equal: 7, differences: [] });
    expect(lines(ours)).toStrictEqual([
      'POST /v1/posts',
      'POST /v1/posts',
      'GET /v1/posts/71',
      'POST /v1/posts/71',
      'GET /v1/posts?include=70%2C71%2C3&author=900&page=900',
      'DELETE /v1/posts/70?force=true',
      'GET /v1/posts/70',
    ]);
    const { body = '' } = ours.asked[1] ?? {};
    expect(JSON.parse(body)).toStrictEqual({
      ...{ title: 'Two', parent: 70, featured_media: 70, weight: 900 },
    });
  });

  it('sends forms as forms', async () => {
    const [original, ours] = [new Site('there', 900), new Site('here', 70)];
    await between(original.listener, ours.listener);
    await ask('POST', '/v1/posts', { title: 'One' });
    const body = 'title=a+b%20c&parent=900';
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    await (await fetch(`${proxy}/wp-json/v1/posts`, { method: 'POST', headers, body })).text();
    await judged();
    expect(ours.asked[1]?.body).toBe('title=a+b%20c&parent=70');
  });

  it('signs in here with the token of here, and shows no secret', async () => {
    const [original, ours] = [new Site('there', 900), new Site('here', 70)];
    await between(original.listener, ours.listener);
    const { body } = await ask('POST', '/v1/login', { username: 'ann', password: 'opens sesame' });
    expect(body.token).toBe('there-secret-1');
    await ask('GET', '/v1/posts', undefined, { authorization: `Bearer ${body.token}` });
    const basic = Buffer.from('ann:own words').toString('base64');
    await ask('GET', '/v1/posts', undefined, { authorization: `Basic ${basic}` });
    expect(await judged()).toMatchObject({ equal: 3 });
    expect(ours.asked.map(({ authorization }) => authorization)).toStrictEqual([
      ...[undefined, 'Bearer here-secret-1', `Basic ${basic}`],
    ]);
    expect(JSON.parse(ours.asked[0]?.body ?? '')).toMatchObject({ password: 'opens sesame' });
    expect(JSON.stringify(report)).not.toMatch(/sesame|secret|own words/);
  });

  it('groups what writes answer otherwise, redacted', async () => {
    const original = new Site('there', 900);
    await between(original.listener, (_request, response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ code: 'rest_invalid_param', message: 'Anna' }));
    });
    await ask('POST', '/v1/posts?slug=anna', { title: 'Anna' });
    const { different, differences } = await judged();
    expect(different).toBe(1);
    expect(differences).toContainEqual({
      ...{ route: '/api/v1/posts', kind: 'status 201 here 400', count: 1 },
      example: { request: 'POST /api/v1/posts?slug=xxxx', original: '201', here: '400' },
    });
    expect(JSON.stringify(report)).not.toMatch(/anna/i);
  });

  it('leaves out what names a row that the original made and this service did not', async () => {
    const original = new Site('there', 900);
    const ours = new Site('here', 70);
    let isDown = true;
    await between(original.listener, (request, response) => {
      if (isDown) return void request.socket.destroy();
      return ours.listener(request, response);
    });
    await ask('POST', '/v1/posts', { title: 'One' });
    await until(() => report.toJSON().unavailable === 1);
    isDown = false;
    expect(await ask('GET', '/v1/posts/900')).toMatchObject({ status: 200 });
    await ask('POST', '/v1/posts', { title: 'Two', parent: 900 });
    await ask('GET', '/v1/posts/901');
    await ask('POST', '/v1/posts', { title: 'Three' });
    await ask('GET', '/v1/posts/902');
    expect(await judged()).toMatchObject({
      ...{ unavailable: 1, equal: 2, different: 0 },
      reasons: { 'left: a row that is not here': 3 },
    });
    expect(lines(ours)).toStrictEqual(['POST /v1/posts', 'GET /v1/posts/70']);
  });

  it('leaves out what names a row whose request was left out', async () => {
    const [original, ours] = [new Site('there', 900), new Site('here', 70)];
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await between(original.listener, async (request, response) => {
      await held;
      return ours.listener(request, response);
    });
    await ask('POST', '/v1/posts', { note: 'x'.repeat(1024 * 1024) });
    for (let i = 0; i < 257; i++) await ask('POST', '/v1/posts', { title: 'One' });
    release();
    await judged();
    for (const id of [900, 901, 1157]) await ask('GET', `/v1/posts/${id}`);
    expect(await judged()).toMatchObject({
      ...{ requests: 261, equal: 257, left: 4 },
      reasons: {
        'left: a request of more than 1 MiB': 1,
        'left: too many at once': 1,
        'left: a row that is not here': 2,
      },
    });
    expect(lines(ours).at(-1)).toBe('GET /v1/posts/70');
  });

  it('answers as the original while this service is slow, and asks it in the order of the answers', async () => {
    const original = new Site('there', 900);
    const ours = new Site('here', 70);
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await between(original.listener, async (request, response) => {
      await held;
      return ours.listener(request, response);
    });
    for (let i = 0; i < 5; i++)
      expect(await ask('POST', '/v1/posts', { title: `${i}` })).toMatchObject({
        body: { id: 900 + i },
      });
    expect(report.toJSON()).toMatchObject({ requests: 5, equal: 0 });
    release();
    expect(await judged()).toMatchObject({ equal: 5 });
    expect(ours.asked.map(({ body }) => JSON.parse(body).title)).toStrictEqual([
      ...['0', '1', '2', '3', '4'],
    ]);
  });

  it('counts half an answer of this service, and that it is down', async () => {
    const original = new Site('there', 900);
    await between(original.listener, (_request, response) => {
      response.writeHead(201, { 'content-length': '100' });
      response.write('{"id":', () => response.destroy());
    });
    expect(await ask('POST', '/v1/posts', { title: 'One' })).toMatchObject({ status: 201 });
    expect(await judged()).toMatchObject({ unavailable: 1, different: 0 });
    const gone = createServer();
    const address = await listening(gone);
    gone.close();
    await between(original.listener, address);
    expect(await ask('POST', '/v1/posts', { title: 'Two' })).toMatchObject({ status: 201 });
    expect(await judged()).toMatchObject({ reasons: { 'unavailable: ECONNREFUSED': 1 } });
  });

  it('sends nothing that the original failed to do, that is too long, or that is no route', async () => {
    const ours = new Site('here', 70);
    let status = 500;
    await between(async (request, response) => {
      await text(request);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end('{"id":1}');
    }, ours.listener);
    await ask('POST', '/v1/posts', { title: 'One' });
    status = 201;
    await ask('POST', '/v1/posts', { title: 'x'.repeat(1024 * 1024) });
    await ask('POST', '/v1/unknown', {});
    await ask('POST', '/batch/v1', { requests: [] });
    await ask('POST', '/v1/posts?_method=DELETE', {});
    await ask('POST', '/v1/posts/1', {}, { 'x-http-method-override': 'DELETE' });
    expect(await judged()).toMatchObject({
      left: 6,
      reasons: {
        'left: a change that the original failed to make': 1,
        'left: a request of more than 1 MiB': 1,
        'left: no route of the interface': 4,
      },
    });
    expect(ours.asked).toStrictEqual([]);
  });
});
