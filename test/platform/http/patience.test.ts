import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { Connections } from '../../../src/platform/http/connections.js';
import { Overload } from '../../../src/platform/http/overload.js';
import { Patience } from '../../../src/platform/http/patience.js';
import { Shares } from '../../../src/platform/http/shares.js';
import { errorCode, useService } from '../../support/harness.js';
import { dial, type Line } from '../../support/line.js';

const request = (line: string, ...headers: string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: care.example', ...headers].join('\r\n')}\r\n\r\n`;
const UNFINISHED = request(
  'POST /api/v1/login',
  'Content-Type: application/json',
  'Content-Length: 100',
);

describe('What the service waits for', () => {
  const service = useService();
  const open: Line[] = [];
  const port = () => Number(new URL(service().url).port);
  const call = (bytes: string) => {
    const line = dial(port(), bytes);
    open.push(line);
    return line;
  };
  afterEach(async () => {
    for (const { socket } of open) socket.destroy();
    await Promise.all(open.splice(0).map(({ closed }) => closed));
  });

  it('is no work: with 400 unfinished requests of one address everybody is answered', async () => {
    const unfinished = Array.from({ length: 400 }, () => call(UNFINISHED));
    await Promise.all(unfinished.map(({ socket }) => socket.connecting && once(socket, 'connect')));
    await Promise.all(unfinished.slice(0, 300).map((line) => line.until(/^HTTP\/1\.1 408/)));
    expect(
      unfinished.filter((line) => line.text() === ''),
      'the newest are waited for',
    ).toHaveLength(100);
    expect((await service().rest('GET', '/v1/posts')).status).toBe(200);
    expect((await service().graphql('{ site { title } }')).status).toBe(200);
  });

  it('has ten seconds to come: headers, bodies, and connections without a word', async () => {
    const late = [
      call(UNFINISHED),
      call(
        request('POST /graphql', 'Content-Type: application/json', 'Transfer-Encoding: chunked'),
      ),
      call('GET /api/v1 HTTP/1.1\r\nHost: care.example\r\nX-Slow: '),
      call(''),
    ];
    const answers = await Promise.all(late.map((line) => line.until(/\r\n\r\n/)));
    for (const answer of answers)
      expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\nConnection: close/);
    await Promise.all(late.map(({ closed }) => closed));
  });

  it('is not the body of a GET, which means nothing', async () => {
    const line = call(
      request(
        'GET /graphql?query=%7Bsite%7Btitle%7D%7D',
        'Content-Length: 9',
        'Apollo-Require-Preflight: 1',
      ),
    );
    expect(await line.until(/"title"/)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('is at most 200 subscriptions of one account, whatever carries them', async () => {
    const { authorization } = await service().authorization('subscriber');
    const clients = Array.from({ length: 5 }, () =>
      createClient({
        url: `${service().url.replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        connectionParams: { authorization },
        retryAttempts: 0,
      }),
    );
    const query = 'subscription { changes(subjects: [{ feed: CALENDAR }]) { version } }';
    for (let n = 0; n < 200; n++)
      clients[n % 4]?.subscribe({ query }, { next() {}, error() {}, complete() {} });
    while (service().app.deps.live.watching < 200) await new Promise(setImmediate);
    const { value } = await (clients[4] as (typeof clients)[0])
      .iterate({ query })
      .next()
      .catch((errors) => ({ value: { errors } }));
    expect(errorCode(value)).toBe('TOO_MANY_SUBSCRIPTIONS');
    const headers = { authorization: authorization ?? '', accept: 'text/event-stream' };
    const streamed = await fetch(`${service().url}/graphql?query=${encodeURIComponent(query)}`, {
      headers,
    });
    expect(await streamed.text()).toMatch(
      /event: next\ndata: .*TOO_MANY_SUBSCRIPTIONS.*\n\nevent: complete/,
    );
    await Promise.all(clients.map((client) => client.dispose()));
    while (service().app.deps.live.watching > 0) await new Promise(setImmediate);
  });
});

describe('A server with bounds', () => {
  const lines: Line[] = [];
  const servers: Connections[] = [];
  afterEach(async () => {
    for (const { socket } of lines.splice(0)) socket.destroy();
    for (const connections of servers.splice(0)) {
      connections.destroy();
      await connections.close();
    }
  });
  const serve = async (
    connections: Connections,
    answer: (response: ServerResponse, url: string) => void,
  ) => {
    servers.push(connections);
    connections.http
      .on('request', (request, response) => answer(response, request.url ?? ''))
      .listen(0, '127.0.0.1');
    await once(connections.http, 'listening');
    const { port } = connections.http.address() as AddressInfo;
    return (bytes = '') => {
      const line = dial(port, bytes);
      lines.push(line);
      return line;
    };
  };

  it('gives up the connection that has been idle longest when an address has too many', async () => {
    const call = await serve(new Connections(0, { each: 2, all: 9 }), (response) =>
      response.end('ok'),
    );
    const oldest = call();
    await once(oldest.socket, 'connect');
    const asking = call(request('GET /'));
    await asking.until(/ok$/);
    const newest = call();
    await oldest.closed;
    expect(await call(request('GET /')).until(/ok$/)).toMatch(/200 OK/);
    expect(newest.socket.closed || asking.socket.closed, 'and so on').toBe(true);
  });

  it('bounds the connections of a trusted proxy together with all others alone', async () => {
    const call = await serve(new Connections(1, { each: 1, all: 3 }), (response) =>
      response.end('ok'),
    );
    const three = [call(), call(), call()];
    await Promise.all(three.map(({ socket }) => once(socket, 'connect')));
    expect(await call(request('GET /')).until(/ok$/)).toMatch(/200 OK/);
    expect(three.filter(({ socket }) => socket.closed).length <= 1).toBe(true);
  });

  it('counts an answer that is not read as patience, not as work, and cuts what is not read for longest', async () => {
    const overload = new Overload([], { requests: 1, answers: { each: 2, all: 9 } });
    const connections = new Connections();
    const large = 'x'.repeat(16 * 1024 * 1024);
    const call = await serve(connections, (response, url) => {
      if (!overload.sheds(response.req, response)) response.end(url === '/large' ? large : 'ok');
    });
    const unread = [];
    for (let n = 0; n < 3; n++) {
      const line = call(request('GET /large'));
      unread.push(line);
      await line.until(/200 OK/);
      line.socket.pause();
      expect(await call(request('GET /')).until(/ok$/)).toMatch(/200 OK/);
    }
    for (const { socket } of unread) socket.resume();
    await unread[0]?.closed;
    const whole = unread.slice(1).map((line) => line.until(/x{20}$/));
    await Promise.all(whole);
    while (unread.slice(1).some((line) => line.text().length < large.length))
      await new Promise(setImmediate);
    expect(unread[0]?.text().length ?? 0, 'the first was cut').toBeLessThan(large.length);
  });

  it('leaves to one address a share of its work, and the rest to others', async () => {
    const overload = new Overload([], { requests: 4, requestsEach: 2 }, 1);
    const waiting: ServerResponse[] = [];
    const call = await serve(new Connections(1), (response) => {
      if (!overload.sheds(response.req, response)) waiting.push(response);
    });
    const from = (address: string) => call(request('GET /', `X-Forwarded-For: ${address}`));
    from('192.0.2.1');
    from('192.0.2.1');
    while (waiting.length < 2) await new Promise(setImmediate);
    expect(await from('192.0.2.1').until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 503/);
    const other = from('192.0.2.2');
    while (waiting.length < 3) await new Promise(setImmediate);
    for (const response of waiting) response.end('ok');
    expect(await other.until(/ok$/)).toMatch(/200 OK/);
  });
});

describe('Shares', () => {
  it('are taken until a holder, or all, have as many as there are, and can be given back once', () => {
    const shares = new Shares({ each: 2, all: 3 });
    const [first, second] = [shares.take('a'), shares.take('a')];
    if (!first || !second) throw new Error('a holder has less than its share');
    expect(shares.take('a')).toBeUndefined();
    expect(shares.take('b')).toBeTruthy();
    expect(shares.take('c')).toBeUndefined();
    first();
    first();
    expect([shares.of('a'), shares.size]).toStrictEqual([1, 2]);
    expect(shares.take(undefined)).toBeTruthy();
    expect(shares.take(undefined)).toBeUndefined();
  });
});

describe('Patience', () => {
  it('ends with the oldest of the heaviest sum, and waits again for who came back', () => {
    const given: string[] = [];
    const patience = new Patience('tests', { each: 9, all: 9, weight: 10 });
    const wait = (name: string, weight: number) =>
      patience.enter('a', () => given.push(name), weight);
    const leave = wait('left', 5);
    wait('old', 5);
    leave();
    wait('new', 5);
    expect(given).toStrictEqual([]);
    wait('heavy', 8);
    expect([given, patience.size]).toStrictEqual([['old', 'new'], 1]);
  });
});
