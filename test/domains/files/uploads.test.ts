import { existsSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { errorCode, useService } from '../../support/harness.js';
import { announce, type Staged, send } from '../../support/uploads.js';

describe('An uploaded file', () => {
  const service = useService();
  const stage = async (bytes: number) =>
    (await announce(service(), { bytes })).data.stagedUpload.upload as Staged;
  const files = () =>
    existsSync(service().files)
      ? readdirSync(service().files, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ name }) => name)
      : [];
  const codeOf = async (response: Response) => {
    const { errors } = (await response.json()) as { errors: [{ extensions: { code: string } }] };
    return errors[0].extensions.code;
  };

  it('is announced by whoever may make media', async () => {
    for (const as of ['anonymous', 'subscriber', 'contributor'] as const)
      expect(errorCode(await announce(service(), { bytes: 1 }, as))).toBe('FORBIDDEN_CREATE');
  });

  it('is refused before it is sent when it is too large, or of a type that is not taken', async () => {
    const code = async (input: { bytes: number; mimeType?: string }) =>
      errorCode(await announce(service(), input));
    expect(await code({ bytes: 64 * 1024 * 1024 + 1 })).toBe('UPLOAD_TOO_LARGE');
    expect(await code({ bytes: 0 })).toBe('BAD_USER_INPUT');
    for (const mimeType of ['image/svg+xml', 'text/html', 'application/javascript', 'image/x'])
      expect(await code({ bytes: 1, mimeType })).toBe('FILE_TYPE_REFUSED');
  });

  it('may be sent twice the same; another one is refused, and does not replace it', async () => {
    const staged = await stage(3);
    expect((await send(staged, 'abc')).status).toBe(200);
    expect((await send(staged, 'abc')).status).toBe(200);
    const other = await send(staged, 'abd');
    expect([other.status, await codeOf(other)]).toStrictEqual([409, 'UPLOAD_CHANGED']);
    expect(files()).toHaveLength(1);
  });

  it('that is sent several times at once arrives once', async () => {
    const staged = await stage(3);
    const all = await Promise.all(['abc', 'abd', 'abe', 'abf'].map((body) => send(staged, body)));
    expect(all.map(({ status }) => status).sort()).toStrictEqual([200, 409, 409, 409]);
    expect(files()).toHaveLength(1);
  });

  it.each([
    ['more', 'abcd'],
    ['fewer', 'ab'],
  ])('of %s bytes than announced is refused, and nothing of it stays', async (_what, body) => {
    const staged = await stage(3);
    const refused = await send(staged, body);
    expect([refused.status, await codeOf(refused)]).toStrictEqual([400, 'UPLOAD_SIZE_WRONG']);
    const streamed = await new Promise<number>((resolve, reject) => {
      const { pathname, search, port } = new URL(staged.url);
      const put = request({ port, path: pathname + search, method: 'PUT' }, (response) => {
        response.resume();
        resolve(response.statusCode as number);
      });
      put.on('error', reject);
      put.end(body);
    });
    expect(streamed).toBe(400);
    expect(files()).toStrictEqual([]);
    expect((await send(staged, 'abc')).status).toBe(200);
  });

  it('that never ends is cut off at the first byte too many', async () => {
    const staged = await stage(1000);
    const { hostname, port, pathname, search } = new URL(staged.url);
    const socket = connect(Number(port), hostname);
    let sent = 0;
    let response = '';
    socket.write(
      `PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const timer = setInterval(() => {
      sent += 500;
      socket.write(`1f4\r\n${'x'.repeat(500)}\r\n`);
    }, 10);
    socket.on('data', (data) => (response += data));
    socket.on('error', () => {});
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(timer);
    expect(response).toContain('400 Bad Request');
    expect(response).toContain('UPLOAD_SIZE_WRONG');
    expect(sent).toBeLessThan(1_000_000);
    expect(files()).toStrictEqual([]);
  });

  it('that is cut off leaves nothing behind, and may be sent again', async () => {
    const staged = await stage(1000);
    const { hostname, port, pathname, search } = new URL(staged.url);
    for (const end of ['destroy', 'resetAndDestroy'] as const) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n`);
      socket.write('x'.repeat(500));
      await until(() => files().length === 1);
      socket[end]();
      await until(() => files().length === 0);
    }
    expect((await send(staged, 'x'.repeat(1000))).status).toBe(200);
  });

  it('that has not arrived when its address expires is cut off', async () => {
    service().at('2026-03-01T08:00:00Z');
    const staged = await stage(1000);
    service().at('2026-03-01T08:29:59.500Z');
    const { hostname, port, pathname, search } = new URL(staged.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nabc`);
    await until(() => files().length === 1);
    await new Promise((resolve) => socket.once('close', resolve));
    await until(() => files().length === 0);
  });

  it('may take longer to arrive than other requests', async () => {
    const { http } = service();
    const { requestTimeout, headersTimeout } = http;
    Object.assign(http, { requestTimeout: 300, headersTimeout: 300 });
    try {
      const staged = await stage(3);
      const slowly = (path: string, method: string) =>
        new Promise<string | undefined>((resolve) => {
          const { port } = new URL(staged.url);
          const headers = { 'Content-Length': 3, 'Content-Type': 'application/json' };
          const put = request({ port, path, method, headers }, (got) => {
            got.resume();
            resolve(String(got.statusCode));
          });
          put.on('error', () => resolve(undefined));
          put.write('a');
          setTimeout(() => put.end('bc'), 2_500);
        });
      const { pathname, search } = new URL(staged.url);
      expect(
        await Promise.all([slowly(pathname + search, 'PUT'), slowly('/graphql', 'POST')]),
      ).toStrictEqual(['200', '408']);
    } finally {
      Object.assign(http, { requestTimeout, headersTimeout });
    }
  });

  it('is not taken at an address that has expired, was changed, or is another key', async () => {
    service().at('2026-03-01T08:00:00Z');
    const staged = await stage(3);
    const { url } = staged;
    const later = Date.parse('2026-03-02T08:00:00Z');
    const wrong = [
      url.replace(/expires=\d+/, `expires=${later}`),
      url.replace(/signature=(.)/, (_all, first) => `signature=${first === 'x' ? 'y' : 'x'}`),
      url.replace(/\?.*/, ''),
      url.replace(/uploads\/./, 'uploads/g'),
      url.replace(/uploads\/[0-9a-f]+/, 'uploads/..%2F..%2Fetc%2Fpasswd'),
    ];
    for (const address of wrong) {
      const refused = await send({ ...staged, url: address }, 'abc');
      expect([refused.status, await codeOf(refused)]).toStrictEqual([404, 'UPLOAD_NOT_FOUND']);
    }
    service().at('2026-03-01T08:30:00Z');
    expect((await send(staged, 'abc')).status).toBe(404);
  });

  it('of an account that was suspended is not taken any more', async () => {
    const staged = await stage(3);
    const { id } = await service().account('author');
    await service().database.prisma.account.update({
      where: { id },
      data: { suspendedAt: new Date() },
    });
    expect((await send(staged, 'abc')).status).toBe(404);
  });

  it('is one of at most 100 that became nothing yet, and counts towards what the account may have', async () => {
    const { id: accountId } = await service().account('author');
    const open = Array.from({ length: 99 }, (_, i) => ({
      accountId,
      key: `${i}`,
      name: 'x',
      mimeType: 'image/png',
      bytes: 10,
      createdAt: new Date(),
    }));
    await service().database.prisma.upload.createMany({ data: open });
    await stage(1);
    expect(errorCode(await announce(service(), { bytes: 1 }))).toBe('UPLOADS_TOO_MANY');
    await service().database.prisma.upload.deleteMany();
    const huge = { ...open[0], bytes: 2_000_000_000 } as (typeof open)[0];
    await service().database.prisma.upload.createMany({
      data: [1, 2, 3, 4, 5].map((n) => ({ ...huge, key: `${n}` })),
    });
    const refused = await announce(service(), { bytes: 64 * 1024 * 1024 });
    expect(errorCode(refused)).toBeUndefined();
    await service().database.prisma.upload.create({ data: { ...huge, bytes: 600_000_000 } });
    expect(errorCode(await announce(service(), { bytes: 1 }))).toBe('UPLOADS_TOO_MANY');
  });

  it('is sent by pages of the origins that may call the service', async () => {
    const { url } = await stage(3);
    const asked = await fetch(url, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example' },
    });
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(asked.headers.get('access-control-allow-methods')).toContain('PUT');
    const foreign = await fetch(url, {
      method: 'OPTIONS',
      headers: { origin: 'https://x.example' },
    });
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
  });

  async function until(isSo: () => boolean): Promise<void> {
    for (let i = 0; i < 200 && !isSo(); i++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isSo()).toBe(true);
  }
});
