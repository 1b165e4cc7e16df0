import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { dial } from '../support/line.js';
import { type Service, startService } from './service.js';

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`;
const request = (line: string, ...headers: string[]) =>
  lines(`${line} HTTP/1.1`, 'Host: care.example', ...headers);
const UPGRADE = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
const status = (text: string) => /^HTTP\/1\.1 (\d+)/.exec(text)?.[1];

describe('Whatever bytes come, the process lives', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service?.child.kill());
  /** It answers, and is the process that was started. */
  const lives = async () => {
    const { status } = await fetch(`${service.url}/healthz`);
    expect(status).toBe(200);
    expect(service.child.hasEnded, service.child.output.errors).toBe(false);
    expect(service.child.output.text).not.toMatch(/uncaught exception|unhandled rejection/);
  };
  /**
   * Sends bytes, and returns the status of what comes back, undefined when the connection is closed
   * without one.
   */
  const answerTo = async (bytes: string) => {
    const line = dial(service.port, bytes);
    const text = await line.until(/\r\n\r\n/);
    line.socket.destroy();
    return status(text);
  };

  it('answers requests and upgrades whose target is no address', async () => {
    for (const [bytes, expected] of [
      [request('GET //', ...UPGRADE, KEY), '200'],
      [request('GET //'), '200'],
      [request('GET http://[', ...UPGRADE, KEY), '200'],
      [request('GET http://['), '200'],
      [request('GET http://other.example/api/v1'), '200'],
      [request('GET https://other.example/healthz'), '200'],
      [request('GET /%'), '404'],
      [request('GET /api/%ff%'), '404'],
      [request('GET /admin/%c0%af'), '404'],
      [request('GET \\\\x', ...UPGRADE, KEY), '400'],
      [request('OPTIONS *'), '404'],
      [request('OPTIONS *', ...UPGRADE, KEY), '404'],
      [request('GET *'), '404'],
      [request('CONNECT care.example:443'), undefined],
      [request('CONNECT //', ...UPGRADE, KEY), undefined],
      [request('GET /healthz', `X: ${'x'.repeat(20_000)}`), '431'],
      [request('POST /graphql', 'Content-Length: x'), '400'],
      ['\0\0\0\0', '400'],
      [lines('GET / HTTP/1.1'), '400'],
    ] as const) {
      expect(await answerTo(bytes), JSON.stringify(bytes.slice(0, 60))).toBe(expected);
      await lives();
    }
  });

  it('ignores upgrades that it does not have, and answers the request', async () => {
    const h2c = [
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAAQAAP__',
    ];
    const get = dial(service.port, request('GET /healthz', ...h2c));
    expect(await get.until(/"ok"/)).toMatch(/^HTTP\/1\.1 200 OK/);
    get.socket.destroy();
    const body = JSON.stringify({ query: '{ site { title } }' });
    const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`];
    const post = dial(service.port, request('POST /graphql', ...h2c, ...headers) + body);
    expect(await post.until(/"title"/)).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*"data":\{"site"/);
    post.socket.destroy();
    expect(
      await answerTo(request('GET /api/v1', ...UPGRADE, KEY)),
      'a WebSocket where there is none',
    ).toBe('200');
  });

  it('keeps a connection on which it has ignored an upgrade', async () => {
    const line = dial(service.port, request('GET /healthz', 'Connection: Upgrade', 'Upgrade: h2c'));
    await line.until(/"ok"/);
    line.socket.write(request('GET /api/v1/nothing'));
    expect(await line.until(/rest_no_route/)).toMatch(/HTTP\/1\.1 404/);
    line.socket.destroy();
  });

  it('refuses handshakes that are not right, and those of foreign pages', async () => {
    for (const [headers, expected] of [
      [[...UPGRADE, KEY], '101'],
      [UPGRADE, '400'],
      [['Connection: Upgrade', 'Upgrade: websocket', KEY, 'Sec-WebSocket-Version: 99'], '400'],
      [[...UPGRADE, KEY, 'Origin: https://evil.example'], '403'],
    ] as const)
      expect(await answerTo(request('GET /graphql', ...headers)), headers.join()).toBe(expected);
    await lives();
  });

  it('lives through resets in the middle of handshakes, refusals, bodies and answers', async () => {
    const handshake = request('GET /graphql', ...UPGRADE, KEY);
    const foreign = request('GET /graphql', ...UPGRADE, KEY, 'Origin: https://evil.example');
    const beginnings = [
      handshake,
      foreign,
      request('GET /nowhere', ...UPGRADE, KEY),
      request('GET /api/v1'),
      request('POST /graphql', 'Content-Length: 100', 'Content-Type: application/json'),
      `${request('POST /api/v1/login', 'Transfer-Encoding: chunked')}5\r\nab`,
      request('POST /graphql', 'Expect: 100-continue', 'Content-Length: 9'),
      handshake.slice(0, 40),
    ];
    for (const bytes of beginnings)
      for (const wait of [0, 1, 5, 20]) {
        const { socket, closed } = dial(service.port, bytes);
        socket.once('connect', () => void sleep(wait).then(() => socket.resetAndDestroy()));
        await closed;
      }
    await lives();
  });

  it('answers pipelined requests in order, and ends the connection at the first that is none', async () => {
    const all = [
      request('GET /healthz'),
      request('GET /nothing'),
      request('GET /healthz'),
      'no HTTP\r\n\r\n',
    ];
    const line = dial(service.port, all.join(''));
    await line.closed;
    const statuses = [...line.text().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => code);
    expect(statuses).toStrictEqual(['200', '404', '200', '400']);
    await lives();
  });

  it('answers Expect: 100-continue, and bodies whose sender has closed its side', async () => {
    const body = JSON.stringify({ query: '{ site { title } }' });
    const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`];
    const expecting = dial(
      service.port,
      request('POST /graphql', 'Expect: 100-continue', ...headers),
    );
    await expecting.until(/100 Continue\r\n\r\n/);
    expecting.socket.write(body);
    await expecting.until(/"title"/);
    expect(expecting.text()).toMatch(/"data"/);
    expecting.socket.destroy();
    const half = dial(service.port, request('POST /graphql', ...headers) + body);
    half.socket.end();
    expect(await half.until(/"title"/)).toMatch(/"data"/);
    await lives();
  });

  it('lives through frames that are none, and through clients that do not read', async () => {
    const handshake = request(
      'GET /graphql',
      ...UPGRADE,
      KEY,
      'Sec-WebSocket-Protocol: graphql-transport-ws',
    );
    const frames = [
      [0xff, 0xff, 0xff, 0xff],
      [0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0],
      [0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28],
      [0x88, 0x81, 0, 0, 0, 0, 0],
      [0x01, 0x80, 0, 0, 0, 0, 0x81, 0x80, 0, 0, 0, 0],
    ];
    for (const bytes of frames) {
      const line = dial(service.port, handshake);
      await line.until(/101 Switching/);
      line.socket.write(Uint8Array.from(bytes));
      await line.closed;
    }
    await lives();
  });

  it('lives through whatever stands where a request should', async () => {
    const token = fc.constantFrom(
      'GET',
      'POST',
      'OPTIONS',
      'CONNECT',
      'PRI',
      'get',
      '',
      'HTTP/1.1',
      '\0',
    );
    const target = fc.oneof(
      fc.constantFrom(
        '/',
        '//',
        '///',
        '*',
        'http://[',
        'http://',
        '/graphql',
        '//graphql',
        '/api/v1',
        '/%',
        '/..;/',
        '/graphql?#',
        '?',
      ),
      fc.string({ maxLength: 20 }),
      fc.webUrl(),
    );
    const header = fc.oneof(
      fc.constantFrom(
        ...UPGRADE,
        KEY,
        'Upgrade: h2c',
        'Content-Length: 5',
        'Content-Length: -1',
        'Transfer-Encoding: chunked',
      ),
      fc.constantFrom(
        'Expect: 100-continue',
        'Host: [',
        'Accept: text/event-stream',
        'Origin: null',
        'X-Forwarded-For: [',
        'Connection: x',
      ),
      fc
        .tuple(fc.string({ maxLength: 10 }), fc.string({ maxLength: 30 }))
        .map(([name, value]) => `${name}: ${value}`),
    );
    const asked = fc
      .tuple(token, target, fc.array(header, { maxLength: 8 }), fc.string({ maxLength: 50 }))
      .map(([method, path, headers, body]) =>
        Buffer.from(request(`${method} ${path}`, ...headers) + body, 'latin1'),
      );
    const bytes = fc.oneof(
      asked,
      fc.uint8Array({ maxLength: 300 }),
      fc.tuple(asked, asked).map((two) => Buffer.concat(two)),
    );
    const leave = fc.constantFrom('destroy', 'resetAndDestroy', 'end');
    const property = fc.asyncProperty(bytes, leave, fc.nat(8), async (sent, how, wait) => {
      const { socket, closed } = dial(service.port, sent);
      await sleep(wait);
      socket[how as 'destroy']();
      await Promise.race([closed, sleep(50)]);
      socket.destroy();
      expect(service.child.hasEnded, service.child.output.errors).toBe(false);
    });
    await fc.assert(property, { numRuns: 400, endOnFailure: true });
    await lives();
  });
});
