// Uploads into a storage that speaks S3: a server of it on loopback, which checks signatures.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import sharp from 'sharp';
import { deleteFiles } from '../../../src/domains/files/kept/file-deletion.service.js';
import { errorCode, mutation, useService } from '../../support/harness.js';
import { announce, createOf, type Staged, send, upload } from '../../support/uploads.js';

const BUCKET = 'care-files';

describe('Uploads into a storage that speaks S3', () => {
  const directory = mkdtempSync(join(process.env.TEST_RUN_DIR ?? tmpdir(), 's3-'));
  const options = {
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  };
  let server = new S3rver(options);
  let endpoint: string;
  const service = useService(async () => {
    const { port } = (await server.run()) as AddressInfo;
    endpoint = `http://127.0.0.1:${port}`;
    return { STORAGE_URL: `http://S3RVER:S3RVER@127.0.0.1:${port}/${BUCKET}` };
  });
  afterAll(async () => {
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** How many objects the server has. */
  const stored = () =>
    readdirSync(join(directory, BUCKET)).filter((name) => name.endsWith('_object')).length;
  const picture = () =>
    sharp({ create: { width: 400, height: 300, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer();
  const later = (milliseconds: number) => {
    const at = Date.now() + milliseconds;
    const { deps } = service().app;
    return deleteFiles({ ...deps, clock: () => at }, new AbortController().signal);
  };
  beforeEach(() => later(365 * 24 * 3_600_000));

  it('say that it cannot be reached, and work once it can', async () => {
    const staged = await upload(service(), await picture());
    const { media } = (await createOf(service(), staged.id)).data.createMedia;
    const again = await upload(service(), await picture());
    await server.close();
    const refused = await createOf(service(), again.id);
    const file = await fetch(media.url);
    server = new S3rver({ ...options, port: Number(new URL(endpoint).port) });
    await server.run();
    expect(errorCode(refused)).toBe('UNAVAILABLE');
    expect([file.status, file.headers.get('retry-after')]).toStrictEqual([503, '1']);
    expect(file.headers.get('cache-control')).toBe('no-store');
    expect((await createOf(service(), again.id)).data.createMedia.media.width).toBe(400);
    expect((await fetch(media.url)).status).toBe(200);
  });

  it('go to it directly, become media from there, and end with them', async () => {
    const before = stored();
    const staged = await upload(service(), await picture());
    expect(staged.url.startsWith(`${endpoint}/${BUCKET}/`)).toBe(true);
    const { media } = (await createOf(service(), staged.id)).data.createMedia;
    expect([media.width, media.height, media.sizes.length]).toStrictEqual([400, 300, 2]);
    const whole = Buffer.from(await (await fetch(media.url)).arrayBuffer());
    const { width } = await sharp(whole).metadata();
    expect(width).toBe(400);
    const part = await fetch(media.url, { headers: { range: 'bytes=2-11' } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer())).toStrictEqual(whole.subarray(2, 12));
    expect(stored() - before).toBe(4);
    await service().data(
      mutation('deleteMedia', 'deletedMediaId'),
      { input: { id: media.id } },
      'author',
    );
    expect((await fetch(media.url)).status).toBe(404);
    await later(2 * 60_000);
    expect(stored()).toBe(before);
  });

  it('are refused when their signature is another, and are not taken by the service itself', async () => {
    const staged = (await announce(service(), { bytes: 3 })).data.stagedUpload.upload as Staged;
    const url = staged.url.replace(
      /Signature=(.)/,
      (_all, first) => `Signature=${first === '0' ? 1 : 0}`,
    );
    const changed = { ...staged, url };
    expect((await send(changed, 'abc')).status).toBe(403);
    const { pathname } = new URL(staged.url);
    const own = await fetch(`${service().url}/uploads/${pathname.split('/').at(-1)}`, {
      method: 'PUT',
      body: 'abc',
    });
    expect(own.status).toBe(404);
  });

  it('have no other length and type than were announced', async () => {
    const staged = (await announce(service(), { bytes: 3 })).data.stagedUpload.upload as Staged;
    expect((await send(staged, 'abcd')).status).toBe(403);
    expect((await send(staged, 'abc', { 'Content-Type': 'text/html' })).status).toBe(403);
    expect(errorCode(await createOf(service(), staged.id))).toBe('UPLOAD_MISSING');
    expect((await send(staged, 'abc')).status).toBe(200);
  });

  it('that change after a medium was made of them do not change the medium', async () => {
    const [one, other] = await Promise.all([picture(), picture()]);
    const staged = await upload(service(), one);
    const { media } = (await createOf(service(), staged.id)).data.createMedia;
    const read = async () => Buffer.from(await (await fetch(media.url)).arrayBuffer());
    const before = await read();
    await send(staged, Buffer.alloc(other.length, 7));
    expect(await read()).toStrictEqual(before);
  });
});
