import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { LookupAll } from '../../../src/platform/fetch/addresses.js';
import { FetchRefused, PublicFetch } from '../../../src/platform/fetch/public-fetch.js';

const LIMITS = { most: 1000, accept: 'text/html' };
/** Limits whose time no fetch needs, however busy the machine is: only what hangs uses it up. */
const limits = () => ({ ...LIMITS, signal: AbortSignal.timeout(30_000) });

const servers: Server[] = [];
let heard: string[] = [];
beforeEach(() => {
  heard = [];
});
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a server on loopback. Returns its port; `heard` gets what it is asked for. */
async function listen(answer: RequestListener): Promise<number> {
  const server = createServer((request, response) => {
    heard.push(`${request.headers.host}${request.url}`);
    answer(request, response);
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

/** Looks up names in a table; each look-up takes the next of its answers, the last for ever. */
function namesOf(table: Record<string, string[][]>): { lookupAll: LookupAll; asked: string[] } {
  const asked: string[] = [];
  const lookupAll: LookupAll = (hostname, _options, callback) => {
    asked.push(hostname);
    const answers = table[hostname] ?? [[]];
    const found = (answers.length > 1 ? answers.shift() : answers[0]) as string[];
    const error = found.length === 0 ? Object.assign(new Error(), { code: 'ENOTFOUND' }) : null;
    callback(
      error,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { lookupAll, asked };
}

/** Loopback stands for the public internet, and 10.0.0.0/8 for the inside. */
const reachable = (address: string) => address === '127.0.0.1';
const HERE = [['127.0.0.1']];
const page: RequestListener = (_request, response) =>
  void response.setHeader('content-type', 'Text/HTML; charset=utf-8').end('<p>page');

describe('A fetch of an address that somebody names', () => {
  it('returns the text, the media type and the address that answered', async () => {
    const port = await listen(page);
    const { lookupAll } = namesOf({ 'site.example': HERE });
    const fetch = new PublicFetch({ allowed: reachable, lookupAll, ports: [port] });
    await expect(fetch.text(`http://site.example:${port}/a?b#c`, limits())).resolves.toStrictEqual({
      address: `http://site.example:${port}/a?b#c`,
      mediaType: 'text/html',
      text: '<p>page',
    });
    expect(heard).toStrictEqual([`site.example:${port}/a?b`]);
  });

  it('follows three redirects, each to an address that is checked as the first', async () => {
    const port = await listen((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) return page(request, response);
      response.writeHead(302, { location: `http://b.example:${port}/${left - 1}` }).end();
    });
    const { lookupAll } = namesOf({ 'a.example': HERE, 'b.example': HERE });
    const fetch = new PublicFetch({ allowed: reachable, lookupAll, ports: [port] });
    const found = await fetch.text(`http://a.example:${port}/3`, limits());
    expect(found.address).toBe(`http://b.example:${port}/0`);
    await expect(fetch.text(`http://a.example:${port}/4`, limits())).rejects.toThrow(FetchRefused);
  });

  it.each([
    ['to an address of the inside', 'http://10.0.0.7/'],
    ['to a name of the inside', 'http://inside.example/'],
    ['to another protocol', 'file:///etc/passwd'],
    ['to another port', 'http://a.example:22/'],
    ['with credentials', 'http://user:secret@a.example/'],
    ['to nowhere', 'http://['],
  ])('does not follow a redirect %s', async (_what, location) => {
    const port = await listen((_request, response) => {
      response.writeHead(301, { location }).end();
    });
    const { lookupAll } = namesOf({ 'a.example': HERE, 'inside.example': [['10.0.0.7']] });
    const fetch = new PublicFetch({ allowed: reachable, lookupAll, ports: [port, 80] });
    await expect(fetch.text(`http://a.example:${port}/`, limits())).rejects.toThrow(FetchRefused);
    expect(heard).toHaveLength(1);
  });

  it('refuses a name when any of its addresses is of the inside, in either family', async () => {
    const port = await listen(page);
    for (const inside of ['10.0.0.7', 'fd00::1', '::ffff:127.0.0.1']) {
      const { lookupAll } = namesOf({ 'mixed.example': [['127.0.0.1', inside]] });
      const fetch = new PublicFetch({ allowed: reachable, lookupAll, ports: [port] });
      await expect(fetch.text(`http://mixed.example:${port}/`, limits())).rejects.toThrow(
        FetchRefused,
      );
    }
    expect(heard).toStrictEqual([]);
  });

  it('connects to the address that was checked, whatever the name stands for afterwards', async () => {
    const port = await listen(page);
    const { lookupAll, asked } = namesOf({ 'turn.example': [['127.0.0.1'], ['10.0.0.7']] });
    const fetch = new PublicFetch({ allowed: reachable, lookupAll, ports: [port] });
    await fetch.text(`http://turn.example:${port}/`, limits());
    expect(asked).toStrictEqual(['turn.example']);
    await expect(fetch.text(`http://turn.example:${port}/`, limits())).rejects.toThrow(
      FetchRefused,
    );
  });

  it.each<[string, RequestListener]>([
    ['an endless body', (_request, response) => void response.write('x'.repeat(2000))],
    ['a slow body', (_request, response) => void response.write('x')],
    ['no answer', () => {}],
    ['a broken answer', (request) => request.socket.destroy()],
    [
      'a compressed body',
      (_request, response) =>
        void response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(10_000_000))),
    ],
    ['another status', (_request, response) => void response.writeHead(204).end()],
    [
      'endless headers',
      ({ socket }) => void socket.write(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(5000)}`),
    ],
  ])('ends in time at %s', async (_what, answer) => {
    const port = await listen(answer);
    const { lookupAll } = namesOf({ 'site.example': HERE });
    const fetch = new PublicFetch({ allowed: reachable, lookupAll, ports: [port] });
    const signal = AbortSignal.timeout(300);
    await expect(fetch.text(`http://site.example:${port}/`, { ...LIMITS, signal })).rejects.toThrow(
      FetchRefused,
    );
  });

  it('reads the beginning alone where that is enough', async () => {
    const port = await listen((_request, response) => void response.write('x'.repeat(5000)));
    const { lookupAll } = namesOf({ 'site.example': HERE });
    const fetch = new PublicFetch({ allowed: reachable, lookupAll, ports: [port] });
    const { text } = await fetch.text(`http://site.example:${port}/`, { ...limits(), cut: true });
    expect(text).toHaveLength(1000);
  });

  it('sends no cookies and no credentials', async () => {
    let sent: string[] = [];
    const port = await listen((request, response) => {
      sent = Object.keys(request.headers);
      page(request, response);
    });
    const { lookupAll } = namesOf({ 'site.example': HERE });
    await new PublicFetch({ allowed: reachable, lookupAll, ports: [port] }).text(
      `http://site.example:${port}/`,
      limits(),
    );
    expect(sent.sort()).toStrictEqual(['accept', 'accept-encoding', 'connection', 'host']);
  });
});

/** Every spelling of an address of the inside, for a listener on each of its ports. */
function hostile(port: number): string[] {
  const hosts = [
    ...['127.0.0.1', '127.1', '127.0.1', '127.255.255.254', '2130706433', '0x7f000001', '0x7f.1'],
    ...['017700000001', '0177.0.0.1', '0177.0.0.01', '0x7f.0x0.0x0.0x1', '127.0.0.1.', '①②⑦.⓪.⓪.①'],
    ...['0.0.0.0', '0', '00', '0x0', '0.0', '%31%32%37.0.0.1', '１２７.0.0.1', '127。0。0。1'],
    ...['localhost', 'LOCALHOST', 'localhost.', 'ip6-localhost', 'localhost.localdomain'],
    ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[::127.0.0.1]', '[::7f00:1]'],
    ...[
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::ffff:0:127.0.0.1]',
      '[0:0:0:0:0:ffff:127.0.0.1]',
    ],
    ...['[64:ff9b::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]'],
    ...['[2001::7f00:1]', '[fe80::1]', '[fc00::1]', '[fd00:ec2::254]', '[ff02::1]', '[100::1]'],
    ...['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.1.1'],
    ...['169.254.169.254', '169.254.170.2', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376'],
    ...['100.64.0.1', '100.100.100.200', '192.0.0.192', '198.18.0.1', '224.0.0.1', '240.0.0.1'],
    ...['255.255.255.255', '192.0.2.1', '198.51.100.1', '203.0.113.1', '192.88.99.1'],
    'metadata.google.internal',
    'instance-data',
  ];
  const ports = ['', `:${port}`, ':80'];
  return [
    ...hosts.flatMap((host) => ports.map((end) => `http://${host}${end}/`)),
    ...hosts.slice(0, 8).map((host) => `https://${host}/`),
    ...[`http://user:pass@127.0.0.1:${port}/`, `http://127.0.0.1:${port}\\@example.com/`],
    ...[`http:127.0.0.1:${port}`, `http:///127.0.0.1:${port}/`, `HTTP://127.0.0.1:${port}/`],
    ...[
      `http://127.0.0.1:${port}\n/`,
      `http://127.0.0.1\t:${port}/`,
      `http://127.0.0.1:${port}\0/`,
    ],
    ...[
      'file:///etc/passwd',
      'ftp://127.0.0.1/',
      `gopher://127.0.0.1:${port}/`,
      'data:text/html,x',
    ],
    ...[
      'javascript:1',
      `//127.0.0.1:${port}/`,
      'http://',
      '',
      'http://[::1',
      'unix:///var/run/x.sock',
    ],
  ];
}

describe('Addresses of the inside', () => {
  it('are never reached: each spelling, on each port that a listener stands at', async () => {
    const port = await listen(page);
    const addresses = hostile(port);
    expect(addresses.length).toBeGreaterThan(200);
    // The port of the listener is allowed, so that the address alone decides.
    const fetch = new PublicFetch({ ports: [port, 80, 443] });
    const outcomes = await Promise.all(
      addresses.map((address) =>
        fetch
          .text(address, limits())
          .then(() => `fetched ${address}`)
          .catch((error) => (error instanceof FetchRefused ? 'refused' : `${address}: ${error}`)),
      ),
    );
    expect(new Set(outcomes)).toStrictEqual(new Set(['refused']));
    expect(heard).toStrictEqual([]);
  });

  it('are not reached by a redirect of a public site to any of them', async () => {
    const target = await listen(page);
    const addresses = hostile(target);
    const port = await listen((request, response) => {
      response.statusCode = 302;
      const location = addresses[Number(request.url?.slice(1))] as string;
      response.setHeader(
        'location',
        encodeURI(location).replaceAll('%5B', '[').replaceAll('%5D', ']'),
      );
      response.end();
    });
    heard = [];
    const { lookupAll } = namesOf({ 'public.example': [['127.0.0.1']] });
    let first = true;
    const fetch = new PublicFetch({
      ports: [port, target, 80, 443],
      // The public site of this test stands on loopback as well: its own look-up alone is allowed.
      allowed: (address) => first && address === '127.0.0.1',
      lookupAll: (hostname, options, callback) => {
        first = hostname === 'public.example';
        lookupAll(hostname, options, callback);
        first = false;
      },
    });
    for (const index of addresses.keys()) {
      first = false;
      await fetch.text(`http://public.example:${port}/${index}`, limits()).then(
        () => expect(`fetched ${addresses[index]}`).toBe('refused'),
        (error) => expect(error).toBeInstanceOf(FetchRefused),
      );
    }
    expect(heard.filter((address) => !address.startsWith('public.example'))).toStrictEqual([]);
    expect(heard.length).toBeGreaterThanOrEqual(addresses.length);
  });
});
