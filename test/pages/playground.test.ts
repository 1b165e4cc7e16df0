import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { QUOTAS } from '../../src/core/quota.js';
import { useService } from '../support/harness.js';

describe('The playground', () => {
  const service = useService();
  const visit = (headers: Record<string, string>, path = '/graphql') =>
    new Promise<{
      status: number | undefined;
      encoding: string | undefined;
      tag: string | undefined;
      body: Buffer;
    }>((resolve, reject) => {
      const asking = request(
        `${service().url}${path}`,
        { headers: { accept: 'text/html', ...headers } },
        async (response) => {
          const chunks: Buffer[] = [];
          for await (const chunk of response) chunks.push(chunk as Buffer);
          const { 'content-encoding': encoding, etag: tag } = response.headers;
          resolve({ status: response.statusCode, encoding, tag, body: Buffer.concat(chunks) });
        },
      );
      asking.on('error', reject).end();
    });

  it('is compressed for those who ask for it', async () => {
    const packed = await visit({ 'accept-encoding': 'gzip' });
    expect(packed.encoding).toBe('gzip');
    const plain = await visit({});
    expect(plain.encoding).toBeUndefined();
    expect(plain.body.subarray(0, 100).toString().trim().startsWith('<!doctype html>')).toBe(true);
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
  });

  it('sends the files that the page names by Brotli, of 1 MB at most together', async () => {
    const { body } = await visit({});
    const paths = [...body.toString().matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(
      ([, path]) => path,
    );
    expect(paths.length).toBeGreaterThanOrEqual(2);
    const files = await Promise.all(
      paths.map((path) => visit({ accept: '*/*', 'accept-encoding': 'gzip, br' }, path)),
    );
    for (const { status, encoding } of files) expect([status, encoding]).toStrictEqual([200, 'br']);
    const size = files.reduce((sum, file) => sum + file.body.length, body.length);
    expect(size).toBeLessThanOrEqual(1_000_000);
  });

  it('is not sent again to who has it', async () => {
    const { tag = '' } = await visit({ 'accept-encoding': 'gzip' });
    const again = await visit({ 'accept-encoding': 'gzip', 'if-none-match': tag });
    expect([again.status, again.body.length, again.tag]).toStrictEqual([304, 0, tag]);
    expect((await visit({ 'accept-encoding': 'gzip', 'if-none-match': '"another"' })).status).toBe(
      200,
    );
  });

  it('is within the quota', async () => {
    service().at(1_800_000_000_000);
    service().limit();
    const limiter = service().limits.limiter(QUOTAS.anonymous);
    await limiter.take('127.0.0.1', QUOTAS.anonymous.points - 1);
    expect((await visit({ 'accept-encoding': 'gzip' })).status).toBe(200);
    expect((await visit({ 'accept-encoding': 'gzip' })).status).toBe(429);
  });

  it('is not what programs get: a query by GET is answered', async () => {
    const { body } = await service().fetch(
      `/graphql?${new URLSearchParams({ query: '{ __typename }' })}`,
      {
        headers: { accept: 'application/json', 'apollo-require-preflight': '1' },
      },
    );
    expect(body).toStrictEqual({ data: { __typename: 'Query' } });
  });
});
