import { readdirSync, rmSync } from 'node:fs';
import sharp from 'sharp';
import { deleteFiles } from '../../../src/domains/files/kept/file-deletion.service.js';
import { errorCode, mutation, useService } from '../../support/harness.js';
import { announce, createOf, type Staged, send, upload } from '../../support/uploads.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('The files of a medium', () => {
  const service = useService();
  const pdf = Buffer.from(`%PDF-1.4\n${'0123456789'.repeat(100)}`);
  const medium = async (file: Buffer = pdf, mimeType = 'application/pdf', name = 'plan.pdf') => {
    const staged = await upload(service(), file, { mimeType, name });
    return (await createOf(service(), staged.id)).data.createMedia.media;
  };
  const picture = () =>
    sharp({ create: { width: 400, height: 300, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
  const stored = () =>
    readdirSync(service().files, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    ).length;
  const run = (after = 2 * MINUTE) => {
    const { now } = service();
    service().at(now() + after);
    return deleteFiles(service().app.deps, new AbortController().signal).finally(() =>
      Object.assign(service(), { now }),
    );
  };
  const remove = async (id: string) =>
    service().data(mutation('deleteMedia', 'deletedMediaId'), { input: { id } }, 'author');

  it('are served with headers that let nothing run, and are kept for a year', async () => {
    const { url } = await medium();
    const { status, headers } = await fetch(url);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(pdf.length),
      'content-disposition': 'inline; filename="plan.pdf"',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
    });
  });

  it('are saved and not shown where a browser might run them', async () => {
    const office = Buffer.from(
      'UEsDBBQAAAAAAAAAIQBexjIMJwAAACcAAAAIAAAAbWltZXR5cGVhcHBsaWNhdGlvbi92bmQub2FzaXMub3BlbmRvY3VtZW50LnRleHRQSwUGAAAAAAEAAQA2AAAATQAAAAAA',
      'base64',
    );
    const type = 'application/vnd.oasis.opendocument.text';
    const { url } = await medium(office, type, 'letter.odt');
    const { headers } = await fetch(url);
    expect([headers.get('content-type'), headers.get('content-disposition')]).toStrictEqual([
      type,
      'attachment; filename="letter.odt"',
    ]);
  });

  it('that are heard or seen play where their address is opened, and run nothing either', async () => {
    const wav = Buffer.concat([Buffer.from('RIFF\x24\0\0\0WAVEfmt '), Buffer.alloc(40)]);
    const { headers } = await fetch((await medium(wav, 'audio/wav', 'x.wav')).url);
    expect(headers.get('content-type')).toBe('audio/wav');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'",
    );
  });

  it.each([
    ['bytes=0-9', 206, 'bytes 0-9/1009', 10],
    ['bytes=1000-', 206, 'bytes 1000-1008/1009', 9],
    ['bytes=-5', 206, 'bytes 1004-1008/1009', 5],
    ['bytes=0-99999', 206, 'bytes 0-1008/1009', 1009],
    ['bytes=0-1,5-6', 200, null, 1009],
    ['bytes=x', 200, null, 1009],
    ['lines=0-1', 200, null, 1009],
    ['bytes=1009-', 416, 'bytes */1009', 0],
  ])('are read in part: %s is answered %i', async (range, status, told, length) => {
    const { url } = await medium();
    const read = await fetch(url, { headers: { range } });
    expect([read.status, read.headers.get('content-range')]).toStrictEqual([status, told]);
    const body = Buffer.from(await read.arrayBuffer());
    expect(body).toHaveLength(length);
    const [, start = '0'] = /bytes (\d+)/.exec(told ?? '') ?? [];
    expect(body).toStrictEqual(pdf.subarray(Number(start), Number(start) + length));
  });

  it('are not sent again to who has them, nor in part after a change', async () => {
    const { url } = await medium();
    const { headers } = await fetch(url, { method: 'HEAD' });
    const etag = headers.get('etag') as string;
    expect(headers.get('content-length')).toBe('1009');
    const asked = await fetch(url, { method: 'HEAD', headers: { range: 'bytes=0-9' } });
    expect([asked.status, asked.headers.get('content-length')], 'ranges are of GET').toStrictEqual([
      ...[200, '1009'],
    ]);
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const part = (condition: string) =>
      fetch(url, { headers: { range: 'bytes=0-1', 'if-range': condition } });
    expect((await part(etag)).status).toBe(206);
    expect((await part('"other"')).status).toBe(200);
  });

  it('are not there at another name or key, and not when they are lost', async () => {
    const { url } = await medium();
    for (const wrong of [
      url.replace('plan.pdf', 'plan.html'),
      url.replace(/files\/[0-9a-f]{32}/, `files/${'0'.repeat(32)}`),
      url.replace(/files\/[0-9a-f]{32}/, 'files/..%2f..'),
    ])
      expect((await fetch(wrong)).status, wrong).toBe(404);
    rmSync(service().files, { recursive: true });
    const lost = await fetch(url);
    expect([lost.status, lost.headers.get('cache-control')]).toStrictEqual([404, null]);
  });

  it('are gone when the medium is deleted, and deleted minutes later', async () => {
    const { id, url, sizes } = await medium(await picture(), 'image/png', 'x.png');
    await run(0);
    expect(stored()).toBe(4); // with the upload itself
    await remove(id);
    for (const one of [url, sizes[0].url]) expect((await fetch(one)).status).toBe(404);
    expect(stored()).toBe(4);
    await run();
    expect(stored()).toBe(0);
    expect(await service().database.prisma.fileDeletion.count()).toBe(0);
  });

  it('are gone when many media are deleted at once, but those of a medium that is refused', async () => {
    const media = [];
    for (const name of ['a.png', 'b.png', 'c.png'])
      media.push(await medium(await picture(), 'image/png', name));
    const staged = await upload(service(), pdf, { mimeType: 'application/pdf', name: 'd.pdf' });
    const other = (await createOf(service(), staged.id)).data.createMedia.media;
    await service().database.prisma.media.update({
      where: { id: other.databaseId },
      data: { authorId: (await service().account('editor')).id },
    });
    const removeMany = (ids: string[], atomic = false) =>
      service().data(
        mutation('deleteMediaItems', 'results { error { code } }'),
        { input: { ids, atomic } },
        'author',
      );
    const ids = [...media, other].map(({ id }) => id);
    await removeMany(ids, true).catch(() => undefined);
    await run();
    expect(stored()).toBe(10);
    const { deleteMediaItems } = await removeMany(ids);
    expect(
      deleteMediaItems.results.map(({ error }: { error: object | null }) => error !== null),
    ).toStrictEqual([false, false, false, true]);
    const addresses = media.flatMap(({ url, sizes }) => [
      url,
      ...sizes.map(({ url: of }: { url: string }) => of),
    ]);
    for (const url of addresses) expect((await fetch(url)).status, url).toBe(404);
    await run();
    expect(stored()).toBe(1);
    expect((await fetch(other.url)).status).toBe(200);
    expect(await service().database.prisma.fileDeletion.count()).toBe(0);
  });

  it('stay when those of another medium are deleted', async () => {
    const [one, other] = [await medium(), await medium()];
    await remove(one.id);
    await run();
    expect(stored()).toBe(1);
    expect((await fetch(other.url)).status).toBe(200);
    await run(30 * DAY);
    expect((await fetch(other.url)).status).toBe(200);
  });

  it('are deleted by the next process when one dies between the files and their rows', async () => {
    const { id } = await medium(await picture(), 'image/png', 'x.png');
    await remove(id);
    const { deps } = service().app;
    const { prisma } = service().database;
    const fileDeletion = {
      findMany: (args: object) => prisma.fileDeletion.findMany(args),
      deleteMany: () => Promise.reject(new Error('killed')),
    };
    const dying = Object.create(deps.database, { prisma: { value: { fileDeletion } } });
    const at = Date.now() + 2 * MINUTE;
    const killed = { ...deps, database: dying, clock: () => at };
    await expect(deleteFiles(killed, new AbortController().signal)).rejects.toThrow('killed');
    expect([stored(), await prisma.fileDeletion.count()]).toStrictEqual([0, 4]);
    await run();
    expect(await prisma.fileDeletion.count()).toBe(0);
  });

  it('that cannot be deleted are left for an hour, and the others go on', async () => {
    const { id } = await medium(await picture(), 'image/png', 'x.png');
    await remove(id);
    const { deps } = service().app;
    let left = 2;
    const failing = Object.assign(Object.create(deps.storage), {
      delete: (key: string) =>
        left-- === 0 ? Promise.reject(new Error('busy')) : deps.storage.delete(key),
    });
    const at = Date.now() + 2 * MINUTE;
    const failed = { ...deps, storage: failing, clock: () => at };
    await deleteFiles(failed, new AbortController().signal);
    const { prisma } = service().database;
    expect([stored(), await prisma.fileDeletion.count()]).toStrictEqual([1, 1]);
    await run(50 * MINUTE);
    expect(stored()).toBe(1);
    await run(70 * MINUTE);
    expect([stored(), await prisma.fileDeletion.count()]).toStrictEqual([0, 0]);
  });

  it('are not kept when the medium is refused in the end', async () => {
    const staged = await upload(service(), pdf, { mimeType: 'application/pdf' });
    const { prisma } = service().database;
    await prisma.$executeRaw`ALTER TABLE media ADD CONSTRAINT none CHECK (false) NOT VALID`;
    const failed = await createOf(service(), staged.id).finally(
      () => prisma.$executeRaw`ALTER TABLE media DROP CONSTRAINT none`,
    );
    expect(errorCode(failed)).toBe('INTERNAL_ERROR');
    expect(stored()).toBe(2);
    await run(70 * MINUTE);
    expect(stored()).toBe(1);
    // The upload is as it was.
    expect(errorCode(await createOf(service(), staged.id))).toBeUndefined();
  });

  it('that nobody sent or used leave no row and no file a day after they were announced', async () => {
    await announce(service(), { bytes: 3 });
    const staged = (await announce(service(), { bytes: 3 })).data.stagedUpload.upload as Staged;
    await send(staged, 'abc');
    await run(23 * 60 * MINUTE);
    expect([stored(), await service().database.prisma.upload.count()]).toStrictEqual([1, 2]);
    await run(DAY + 2 * MINUTE);
    const { prisma } = service().database;
    expect([
      stored(),
      await prisma.upload.count(),
      await prisma.fileDeletion.count(),
    ]).toStrictEqual([0, 0, 0]);
    expect(errorCode(await createOf(service(), staged.id))).toBe('UPLOAD_NOT_FOUND');
  });

  it('that an erased account had announced are deleted as well', async () => {
    const staged = (await announce(service(), { bytes: 3 })).data.stagedUpload.upload as Staged;
    await send(staged, 'abc');
    await service().database.prisma.account.delete({
      where: { id: (await service().account('author')).id },
    });
    expect((await send(staged, 'abc')).status).toBe(404);
    await run(DAY + 2 * MINUTE);
    expect(stored()).toBe(0);
  });

  it('are made and deleted by a constant number of statements, whatever their number', async () => {
    const small = sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } });
    const statements = async (file: Buffer) => {
      const staged = await upload(service(), file, { mimeType: 'image/png' });
      let id = '';
      const making = await service().statements(async () => {
        id = (await createOf(service(), staged.id)).data.createMedia.media.id;
      });
      return [making, await service().statements(() => remove(id))];
    };
    expect(await statements(await small.png().toBuffer())).toStrictEqual(
      await statements(await picture()),
    );
  });
});
