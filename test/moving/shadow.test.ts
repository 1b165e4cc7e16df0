// The proxy of `npm run shadow`, between two servers that answer what a test lets them.
import { once } from 'node:events';
import { createServer, request as httpRequest, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { projectRoot } from '../../src/platform/root.js';
import { until } from '../support/kept.js';

interface Found {
  readonly requests: number;
  readonly equal: number;
  readonly departed: number;
  readonly different: number;
  readonly unavailable: number;
  readonly unread: number;
  readonly left: number;
  readonly reasons: Readonly<Record<string, number>>;
  readonly differences: readonly {
    readonly route: string;
    readonly kind: string;
    readonly count: number;
    readonly example: {
      readonly request: string;
      readonly original: string;
      readonly here: string;
    };
  }[];
}
interface Shadow {
  readonly shadowProxy: (options: {
    original: string;
    ours: string;
    site: string;
    report: { toJSON(): Found };
  }) => Server;
}
interface Reporting {
  readonly ShadowReport: new () => { toJSON(): Found };
}

const module = <T>(name: string): Promise<T> =>
  import(pathToFileURL(join(projectRoot, 'scripts/shadow', name)).href);

describe('npm run shadow', () => {
  const servers: Server[] = [];
  let report: { toJSON(): Found };
  let asked: string[];
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
  /** Returns the address of a proxy between two servers. */
  async function between(original: RequestListener, ours: RequestListener | string) {
    asked = [];
    const { shadowProxy } = await module<Shadow>('proxy.mjs');
    const { ShadowReport } = await module<Reporting>('report.mjs');
    report = new ShadowReport();
    const here =
      typeof ours === 'string'
        ? ours
        : await listening(
            createServer((request, response) => {
              asked.push(`${request.method} ${request.url}`);
              ours(request, response);
            }),
          );
    const addresses = { original: await listening(createServer(original)), ours: here };
    return listening(shadowProxy({ ...addresses, site: 'https://clinic.example', report }));
  }
  const json =
    (body: unknown, headers: Record<string, string> = {}, status = 200): RequestListener =>
    (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    };
  /** Waits until each request is judged. */
  async function judged(): Promise<Found> {
    const sum = () => {
      const { equal, departed, different, unavailable, unread, left } = report.toJSON();
      return equal + departed + different + unavailable + unread + left;
    };
    await until(() => sum() === report.toJSON().requests);
    return report.toJSON();
  }
  const read = async (address: string) => (await fetch(address)).text();

  it('answers with status, headers and bytes of the original', async () => {
    const proxy = await between((request, response) => {
      response.writeHead(418, 'Short', { 'x-own': 'a', 'set-cookie': ['b=1', 'c=2'] });
      response.write(`${request.method} ${request.url} ${request.headers['x-sent']} `);
      request.pipe(response);
    }, json({}));
    const response = await fetch(`${proxy}/wp-json/wp/v2/posts?x=%20`, {
      ...{ method: 'POST', body: 'a text', headers: { 'x-sent': 'yes' } },
    });
    expect(response.status).toBe(418);
    expect(response.statusText).toBe('Short');
    expect(response.headers.get('x-own')).toBe('a');
    expect(response.headers.getSetCookie()).toStrictEqual(['b=1', 'c=2']);
    expect(await response.text()).toBe('POST /wp-json/wp/v2/posts?x=%20 yes a text');
  });

  it('sends on the body of each method, whether it is chunked or not', async () => {
    const got: string[] = [];
    const proxy = await between(async (request, response) => {
      let body = '';
      for await (const part of request) body += part;
      got.push(`${request.method} ${body}`);
      response.end('done');
    }, json({}));
    const methods = ['DELETE', 'GET', 'OPTIONS', 'PUT'];
    const answers: string[] = [];
    for (const method of methods)
      for (const headers of [{ 'transfer-encoding': 'chunked' }, { 'content-length': '14' }]) {
        const request = httpRequest(`${proxy}/wp-json/wp/v2/posts/1`, { method, headers });
        request.end('{"force":true}');
        const [response] = await once(request, 'response');
        let text = '';
        for await (const part of response) text += part;
        answers.push(`${response.statusCode} ${text}`);
      }
    expect(got).toStrictEqual(
      methods.flatMap((method) => [`${method} {"force":true}`, `${method} {"force":true}`]),
    );
    expect(new Set(answers)).toStrictEqual(new Set(['200 done']));
  });

  it('passes on headers of 20 KB both ways', async () => {
    const long = 'x'.repeat(20 * 1024);
    const { shadowProxy } = await module<Shadow>('proxy.mjs');
    const { ShadowReport } = await module<Reporting>('report.mjs');
    const original = createServer({ maxHeaderSize: 64 * 1024 }, (request, response) => {
      response.writeHead(200, { 'x-long': String(request.headers.cookie) });
      response.end('done');
    });
    const here = await listening(createServer(json({})));
    const addresses = { original: await listening(original), ours: here };
    report = new ShadowReport();
    const proxy = await listening(
      shadowProxy({ ...addresses, site: 'https://clinic.example', report }),
    );
    const request = httpRequest(`${proxy}/elsewhere`, {
      ...{ headers: { cookie: long }, maxHeaderSize: 64 * 1024 },
    });
    request.end();
    const [response] = await once(request, 'response');
    expect([response.statusCode, response.headers['x-long']]).toStrictEqual([200, long]);
    response.resume();
    await once(response, 'end');
  });

  it('compares under the rules of the conformance runner', async () => {
    const post = (base: string, title: string) => ({
      id: 7,
      link: `${base}/news/`,
      title: { rendered: title },
      guid: { rendered: `${base}/?p=7` },
    });
    const total = { 'x-wp-total': '1', 'content-encoding': 'gzip' };
    const proxy = await between(
      (_request, response) => {
        response.writeHead(200, total);
        response.end(gzipSync(JSON.stringify([post('https://clinic.example', 'News')])));
      },
      (request, response) =>
        json([post(`http://${request.headers.host}`, 'News')], { 'x-wp-total': '1' })(
          request,
          response,
        ),
    );
    await read(`${proxy}/wp-json/wp/v2/pages`);
    expect(await judged()).toMatchObject({ requests: 1, equal: 1, differences: [] });
    expect(asked).toStrictEqual(['GET /api/v1/pages']);
  });

  it('groups differences by route and kind, with a count and one example that is redacted', async () => {
    const bodies = (name: string, status: string) => [
      { id: 1, status: 'publish', title: { rendered: 'Same' } },
      { id: 2, status, title: { rendered: `Call ${name} at 0171` } },
    ];
    const proxy = await between(
      json(bodies('Änne Muster', 'publish')),
      json(bodies('Bernd', 'draft')),
    );
    await read(`${proxy}/wp-json/wp/v2/pages?search=Muster&page=1`);
    await read(`${proxy}/wp-json/wp/v2/pages?page=2`);
    const { differences, different } = await judged();
    expect(different).toBe(2);
    const route = '/api/v1/pages';
    const request = 'GET /api/v1/pages?search=Xxxxxx&page=1';
    expect(differences).toStrictEqual([
      {
        ...{ route, kind: '/body/N/status', count: 2 },
        example: { request, original: '"publish"', here: '"draft"' },
      },
      {
        ...{ route, kind: '/body/N/title/rendered', count: 2 },
        example: { request, original: '"Xxxx Xxxx Xxxxxx xx 0000"', here: '"Xxxx Xxxxx xx 0000"' },
      },
    ]);
    expect(JSON.stringify(report)).not.toMatch(/muster|bernd|nne|171/i);
  });

  it('names another status as a kind of its own', async () => {
    const proxy = await between(json({ id: 1 }), json({ code: 'x' }, {}, 404));
    await read(`${proxy}/wp-json/wp/v2/pages/1`);
    const { differences } = await judged();
    expect(differences.map(({ route, kind }) => `${route} ${kind}`)).toContain(
      '/api/v1/pages/{id} status 200 here 404',
    );
  });

  it('sends nothing that changes something, and nothing that is no read of the interface', async () => {
    const proxy = await between(json({}), json({}));
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      await (await fetch(`${proxy}/wp-json/wp/v2/pages/1`, { method })).text();
    await read(`${proxy}/wp-json/wp/v2/pages/1?_method=DELETE`);
    await read(`${proxy}/wp-json/wp/v2/pages/1?a=1&%5Fmethod=DELETE`);
    await read(`${proxy}/wp-json/v1/refreshToken`);
    await read(`${proxy}/wp-json/v1/unknown`);
    await read(`${proxy}/wp-admin/`);
    const headers = { 'x-http-method-override': 'DELETE' };
    await (await fetch(`${proxy}/wp-json/wp/v2/pages/1`, { headers })).text();
    await (
      await fetch(`${proxy}/wp-json/wp/v2/pages/1`, { headers: { 'x-wp-nonce': 'a' } })
    ).text();
    expect(await judged()).toMatchObject({
      left: 12,
      reasons: { 'left: no read of the interface': 11, 'left: a session of a browser': 1 },
    });
    expect(asked).toStrictEqual([]);
  });

  it('sends credentials and languages, and no cookies', async () => {
    let sent: object = {};
    const proxy = await between(json({}), (request, response) => {
      sent = request.headers;
      json({})(request, response);
    });
    const headers = { authorization: 'Basic abc', 'accept-language': 'de', cookie: 'a=b' };
    await (await fetch(`${proxy}/wp-json/wp/v2/pages`, { headers })).text();
    expect(await judged()).toMatchObject({ equal: 1 });
    expect(sent).toMatchObject({ authorization: 'Basic abc', 'accept-language': 'de' });
    expect(sent).not.toHaveProperty('cookie');
  });

  it('tells a sign-in of the original from a difference', async () => {
    const proxy = await between(json({}), json({ code: 'x' }, {}, 401));
    const headers = { authorization: 'Bearer abc' };
    await (await fetch(`${proxy}/wp-json/wp/v2/pages`, { headers })).text();
    expect(await judged()).toMatchObject({ unread: 1, different: 0 });
    await read(`${proxy}/wp-json/wp/v2/pages`);
    expect(await judged()).toMatchObject({ unread: 1, different: 1 });
  });

  it('counts that this service is down, and answers as the original', async () => {
    const down = createServer();
    const address = await listening(down);
    down.close();
    const proxy = await between(json({ a: 1 }), address);
    expect(await read(`${proxy}/wp-json/wp/v2/pages`)).toBe('{"a":1}');
    expect(await judged()).toMatchObject({
      unavailable: 1,
      reasons: { 'unavailable: ECONNREFUSED': 1 },
    });
  });

  it('answers while this service does not, and leaves out what would wait for it', async () => {
    const proxy = await between(json({ a: 1 }), () => {});
    for (let i = 0; i < 40; i++)
      expect(await read(`${proxy}/wp-json/wp/v2/pages?page=${i}`)).toBe('{"a":1}');
    expect(report.toJSON()).toMatchObject({
      ...{ requests: 40, left: 8, reasons: { 'left: too many at once': 8 } },
    });
  });

  it('passes on a long answer without keeping it', async () => {
    const long = 'x'.repeat(3 * 1024 * 1024);
    const proxy = await between(json(long), json(long));
    expect(await read(`${proxy}/wp-json/wp/v2/pages`)).toBe(JSON.stringify(long));
    expect(await judged()).toMatchObject({ reasons: { 'left: an answer of more than 1 MiB': 1 } });
  });

  it('says that the original does not answer', async () => {
    const proxy = await between((request) => void request.socket.destroy(), json({}));
    const response = await fetch(`${proxy}/wp-json/wp/v2/pages`);
    expect(response.status).toBe(502);
    expect(await response.text()).toBe('The original does not answer.\n');
    await until(() => report.toJSON().left === 1);
  });

  it('answers where the original has ended the connection that it kept', async () => {
    const used = new WeakSet();
    const proxy = await between(
      (request, response) => {
        if (used.has(request.socket)) return request.socket.destroy();
        used.add(request.socket);
        return json({ id: 9 })(request, response);
      },
      json({ id: 9 }),
    );
    for (let i = 0; i < 3; i++) {
      const answer = await fetch(`${proxy}/wp-json/v1/posts/9`);
      expect([answer.status, await answer.json()]).toStrictEqual([200, { id: 9 }]);
      const sent = await fetch(`${proxy}/wp-json/v1/posts`, { method: 'POST', body: 'x' });
      expect(sent.status, 'what changes something is sent once, over a connection of its own').toBe(
        200,
      );
    }
    expect((await judged()).reasons).not.toHaveProperty('no answer of the original');
  });

  it('breaks off where the original does', async () => {
    const proxy = await between((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    }, json({}));
    await expect(read(`${proxy}/wp-json/wp/v2/pages`)).rejects.toThrow();
    await until(() => report.toJSON().left === 1);
    expect(asked).toStrictEqual([]);
  });

  it('breaks off at the original what its client has broken off', async () => {
    let isClosed = false;
    const proxy = await between((_request, response) => {
      response.on('close', () => (isClosed = true));
    }, json({}));
    const request = httpRequest(`${proxy}/wp-json/wp/v2/pages`);
    request.on('error', () => {});
    request.end();
    await until(() => report.toJSON().requests === 1);
    request.destroy();
    await until(() => isClosed);
    expect(asked).toStrictEqual([]);
  });
});
