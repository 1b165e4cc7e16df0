import fc from 'fast-check';
import { useService } from '../../support/harness.js';
import { raw } from '../wire.js';

describe('Any bytes', () => {
  const service = useService();
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 60 }).map((array) => Buffer.from(array));
  /** Bytes that do not end a line, so that they stay where they are put. */
  const inLine = bytes.map((buffer) =>
    Buffer.from(buffer.filter((byte) => byte !== 10 && byte !== 13)),
  );
  const answered = (answer: string) => expect(answer).toMatch(/^HTTP\/1\.1 [1-4]\d\d /);
  const runs = { numRuns: 60 };

  it('in a path are answered below 500', async () => {
    await fc.assert(
      fc.asyncProperty(
        inLine,
        fc.constantFrom('/api/v1/posts/', '/api/', '/v3/api/v1/posts?', '/', '/graphql'),
        async (path, before) => {
          answered(
            await raw(service().url, [
              `GET ${before}`,
              path,
              ' HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
            ]),
          );
        },
      ),
      runs,
    );
  });

  it('percent-encoded in a path or a query are answered below 500', async () => {
    const encoded = bytes.map((buffer) =>
      [...buffer].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    );
    const places = [
      '/v1/posts/',
      '/v1/posts?search=',
      '/v1/posts?slug=',
      '/v1/posts?_fields=',
      '/v1/posts?',
      '/v1/',
      '/v1/posts?after=',
    ];
    await fc.assert(
      fc.asyncProperty(encoded, fc.constantFrom(...places), async (text, place) => {
        const { status } = await service().fetch(`/api${place}${text}`, {});
        expect(status, `${status} for ${place}${text}`).toBeLessThan(500);
      }),
      runs,
    );
  });

  it('in a header are answered below 500', async () => {
    const names = [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'X-HTTP-Method-Override',
      'Origin',
      'Accept-Encoding',
      'Host',
      'X-Other',
    ];
    await fc.assert(
      fc.asyncProperty(inLine, fc.constantFrom(...names), async (value, name) => {
        const head = `POST /api/v1/posts HTTP/1.1\r\nConnection: close\r\nContent-Length: 2\r\n${name === 'Host' ? '' : 'Host: x\r\n'}${name}: `;
        answered(await raw(service().url, [head, value, '\r\n\r\n{}']));
      }),
      runs,
    );
  });

  it('in credentials are answered below 500', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, fc.constantFrom('Basic', 'Bearer'), async (credentials, scheme) => {
        const headers = { authorization: `${scheme} ${credentials.toString('base64')}` };
        const { status } = await service().rest('GET', '/v1/posts', { headers });
        expect(status).toBe(200);
        const own = await service().rest('GET', '/v1/events', { headers });
        expect([own.status, own.body.code === 'token_invalid'], scheme).toStrictEqual([
          401,
          scheme === 'Bearer',
        ]);
      }),
      runs,
    );
  });

  it('as a body are answered below 500', async () => {
    const types = [
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'multipart/form-data',
      'x',
    ];
    await fc.assert(
      fc.asyncProperty(bytes, fc.constantFrom(...types), async (body, type) => {
        const { status } = await service().rest('POST', '/v1/posts', {
          raw: new Uint8Array(body),
          headers: { 'content-type': type },
        });
        expect(status === 400 || status === 401, `${status} for ${type}`).toBe(true);
      }),
      runs,
    );
  });

  it('instead of a request are answered below 500, or not at all', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, async (garbage) => {
        const answer = await raw(service().url, [garbage, '\r\n\r\n']).catch(() => '');
        expect(answer).toMatch(/^$|^HTTP\/1\.1 [1-4]\d\d /);
      }),
      { numRuns: 30 },
    );
  });
});
