import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connections } from '../../../src/platform/http/connections.js';
import { Overload } from '../../../src/platform/http/overload.js';
import { useService } from '../../support/harness.js';
import { dial, type Line } from '../../support/line.js';

const deadline = () => ({ signal: AbortSignal.timeout(20_000) });
const MIB = 1024 * 1024;
const request = (line: string, ...headers: string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: care.example', ...headers].join('\r\n')}\r\n\r\n`;
const GET = request('GET /');

const lines: Line[] = [];
const servers: Connections[] = [];
afterEach(async () => {
  for (const { socket } of lines.splice(0)) socket.destroy();
  for (const connections of servers.splice(0)) {
    connections.destroy();
    await connections.close();
  }
});

const call = (port: number, bytes: string) => {
  const line = dial(port, bytes);
  lines.push(line);
  return line;
};

type Answer = (response: ServerResponse, url: string) => void;

/** A server, and what sends bytes to it over a connection of their own. */
async function serve(answer: Answer, overload = new Overload()) {
  const connections = new Connections();
  servers.push(connections);
  connections.http.on('request', (asked, response) => {
    if (!overload.sheds(asked, response)) answer(response, asked.url ?? '');
  });
  connections.http.listen(0, '127.0.0.1');
  await once(connections.http, 'listening');
  const { port } = connections.http.address() as AddressInfo;
  return { connections, send: (bytes: string) => call(port, bytes) };
}

async function gone(connections: Connections): Promise<void> {
  for (let n = 0; n < 1_000 && connections.size > 0; n++) await sleep(5);
  expect(connections.size, 'a connection is left').toBe(0);
}

describe('A caller who has ended its side', () => {
  const POST = request('POST /', 'Content-Length: 2');
  const late: Answer = (response, url) => {
    const body = url === '/large' ? 'x'.repeat(8 * MIB) : 'answered';
    response.req.resume().on('end', () => setTimeout(() => response.end(body), 50));
  };
  it('is answered what it had asked for as a whole, and its connection ends', async () => {
    const { connections, send } = await serve(late);
    for (const [bytes, answers] of [
      [`${POST}ab`, 1],
      [GET, 1],
      [`${GET}${POST}ab${GET}`, 3],
    ] as const) {
      const line = send(bytes);
      line.socket.end();
      await line.closed;
      expect(line.text().match(/200 OK[\s\S]*?answered/g)?.length, line.text()).toBe(answers);
    }
    const large = send(request('GET /large'));
    large.socket.end();
    await large.closed;
    expect(large.text().length, 'as a whole').toBeGreaterThan(8 * MIB);
    await gone(connections);
  });

  it('is ended when a request is not whole, after those before it', async () => {
    const { connections, send } = await serve(late);
    for (const [bytes, statuses] of [
      [`${POST}a`, ['400']],
      ['GET / HTTP/1.1\r\nHost: care', ['400']],
      [`${request('POST /', 'Transfer-Encoding: chunked')}5\r\nab`, ['400']],
      [`${GET}GET / HT`, ['200', '400']],
      ['', []],
    ] as const) {
      const line = send(bytes);
      line.socket.end();
      await line.closed;
      const seen = [...line.text().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
      expect(seen, JSON.stringify(bytes)).toStrictEqual(statuses);
    }
    await gone(connections);
  });

  describe('of the service', () => {
    const service = useService();
    const sent = async (path: string, body: object, ...headers: string[]) => {
      const json = JSON.stringify(body);
      const said = ['Content-Type: application/json', `Content-Length: ${json.length}`, ...headers];
      const line = call(
        Number(new URL(service().url).port),
        request(`POST ${path}`, ...said) + json,
      );
      line.socket.end();
      await line.closed;
      return line.text();
    };

    it('is answered by both faces', async () => {
      expect(await sent('/graphql', { query: '{ site { title } }' })).toMatch(
        /200 OK[\s\S]*"data":\{"site"/,
      );
      const body = { username: 'nobody', password: 'wrong' };
      expect(await sent('/api/v1/login', body)).toMatch(/401 Unauthorized[\s\S]*"code":/);
    });

    it('has left a stream, which completes', async () => {
      const { authorization } = await service().authorization('subscriber');
      const query = 'subscription { changes(subjects: [{ feed: CALENDAR }]) { version } }';
      const headers = ['Accept: text/event-stream', `Authorization: ${authorization}`];
      const text = await sent('/graphql', { query }, ...headers);
      expect(text).toMatch(/200 OK[\s\S]*event: complete/);
      expect(service().app.deps.live.watching).toBe(0);
    });
  });
});

describe('An answer that is not read', () => {
  const large = 'x'.repeat(16 * MIB);

  it('counts also while it waits behind another on its connection', async () => {
    const overload = new Overload([], { answers: { each: 99, all: 99, weight: 100 * MIB } });
    const { connections, send } = await serve((response) => response.end(large), overload);
    const line = send(GET.repeat(20));
    await line.until(/200 OK/);
    line.socket.pause();
    await gone(connections);
  });

  it('is given up with its connection, wherever it stands in it', async () => {
    let closed = 0;
    const { send } = await serve((response) => {
      response.once('close', () => closed++);
      response.end(large);
    });
    const line = send(GET.repeat(9));
    await line.until(/200 OK/);
    line.socket.destroy();
    for (let n = 0; n < 200 && closed < 9; n++) await sleep(10);
    expect(closed).toBe(9);
  });

  it('has its connection destroyed when nothing of it is read for too long', async () => {
    const overload = new Overload([], { unread: 3_000 });
    const { connections, send } = await serve((response) => response.end(large), overload);
    const begun = async () => {
      const line = send(GET);
      await line.until(/200 OK/);
      line.socket.pause();
      return line;
    };
    const slow = await begun();
    const started = performance.now();
    await begun();
    await sleep(1_500);
    slow.socket.resume();
    while (slow.text().length < large.length) await once(slow.socket, 'data', deadline());
    while (connections.size === 2 && performance.now() - started < 15_000) await sleep(10);
    const took = performance.now() - started;
    expect(took > 2_900 && took < 10_000, `destroyed after ${took} ms`).toBe(true);
    expect(connections.size, 'who was slow is still there').toBe(1);
  });

  it('leaves time to the next request of its connection', async () => {
    // Half of it is more than the pauses of a busy machine: reader and server are one process.
    const overload = new Overload([], { unread: 1_500 });
    const answer: Answer = (response, url) => {
      if (url === '/late') setTimeout(() => response.end('late'), 3_000);
      else response.end(large);
    };
    const { send } = await serve(answer, overload);
    const line = send(GET + request('GET /late'));
    line.socket.end();
    await line.closed;
    expect(line.text().slice(-4)).toBe('late');
  });
});
