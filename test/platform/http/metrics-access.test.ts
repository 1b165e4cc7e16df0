import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { mayReadMetrics } from '../../../src/platform/http/metrics-access.js';
import { useService } from '../../support/harness.js';
import { whenOver } from '../../support/running.js';

describe('GET /metrics', () => {
  const service = useService();
  const look = async (url: string, headers: Record<string, string> = {}) =>
    (await fetch(`${url}/metrics`, { headers })).status;

  it('is open to this machine itself', async () => {
    expect(await look(service().url)).toBe(200);
  });

  it('is closed to whatever a proxy on this machine passes on', async () => {
    for (const name of [
      'X-Forwarded-For',
      'X-Forwarded-Proto',
      'X-Forwarded-Host',
      'Forwarded',
      'Via',
      'X-Real-IP',
      'X-Client-IP',
      'X-Original-For',
      'True-Client-IP',
      'CF-Connecting-IP',
      'CDN-Loop',
    ])
      expect(await look(service().url, { [name]: 'for=192.0.2.1' }), name).toBe(403);
  });

  it('is closed to a request for another host, or of an old protocol, as proxies send them that say nothing of themselves', async () => {
    const { port } = new URL(service().url);
    const raw = async (head: string) => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.end(`${head}\r\n\r\n`);
      const [bytes] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      return bytes.toString().split(' ')[1];
    };
    expect(await raw('GET /metrics HTTP/1.1\r\nHost: care.example')).toBe('403');
    expect(await raw(`GET /metrics HTTP/1.0\r\nHost: 127.0.0.1:${port}`)).toBe('403');
    expect(await raw(`GET /metrics HTTP/1.1\r\nHost: localhost:${port}`)).toBe('200');
    const proxy = createServer((request, response) => {
      void fetch(`${service().url}${request.url}`, { headers: { via: '1.1 proxy' } }).then(
        (answer) => response.writeHead(answer.status).end(),
      );
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    whenOver(() => proxy.close());
    expect(await look(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`)).toBe(403);
  });

  it('is closed to other machines, whatever host they name', () => {
    const from = (remoteAddress: string) => {
      const headers = { host: 'localhost' };
      const request = { headers, httpVersion: '1.1', socket: { remoteAddress } };
      return mayReadMetrics(request as unknown as IncomingMessage, { TRUSTED_PROXIES: 0 });
    };
    const own = ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'];
    const others = ['192.0.2.1', '10.0.0.1', '::ffff:192.0.2.1', '2001:db8::1', ''];
    expect([...own, ...others].filter(from)).toStrictEqual(own);
  });

  it('is open to METRICS_TOKEN alone with TRUSTED_PROXIES or a public BASE_URL', async () => {
    for (const [name, value] of [
      ['TRUSTED_PROXIES', '1'],
      ['BASE_URL', 'https://care.example'],
    ] as const) {
      const url = await service().configured({
        METRICS_TOKEN: 'a-token-of-sixteen-characters',
        [name]: value,
      });
      expect(await look(url)).toBe(403);
      expect(await look(url, { authorization: 'Bearer a-tokeN' })).toBe(403);
      expect(
        await look(url, {
          authorization: 'Bearer a-token-of-sixteen-characters',
          'x-forwarded-for': '192.0.2.1',
        }),
      ).toBe(200);
    }
  });
});
