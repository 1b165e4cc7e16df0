import sharp from 'sharp';
import { errorCode, useService } from '../../support/harness.js';
import { announce, createOf, type Staged, send, upload } from '../../support/uploads.js';

describe('A medium of an upload', () => {
  const service = useService();
  const stage = async (bytes: number) =>
    (await announce(service(), { bytes })).data.stagedUpload.upload as Staged;
  const picture = (width = 1200, height = 800) =>
    sharp({ create: { width, height, channels: 3, background: '#9fd3c7' } })
      .jpeg()
      .toBuffer();

  it('has the sizes of its image, which are read at their addresses', async () => {
    const staged = await upload(service(), await picture());
    const { data } = await createOf(service(), staged.id);
    const { media } = data.createMedia;
    expect(media).toMatchObject({
      slug: 'pillbox',
      title: 'pillbox',
      mimeType: 'image/jpeg',
      kind: 'IMAGE',
      width: 1200,
      height: 800,
    });
    expect(
      media.sizes.map(({ name, width, height }: Record<string, unknown>) => [name, width, height]),
    ).toStrictEqual([
      ['thumbnail', 150, 150],
      ['medium', 300, 200],
      ['medium_large', 768, 512],
      ['large', 1024, 683],
    ]);
    for (const { url, width, height } of [media, ...media.sizes]) {
      const read = await fetch(url);
      expect([read.status, read.headers.get('content-type')]).toStrictEqual([200, 'image/jpeg']);
      const shown = await sharp(Buffer.from(await read.arrayBuffer())).metadata();
      expect([shown.width, shown.height]).toStrictEqual([width, height]);
    }
    expect(media.url).toMatch(/\/files\/[0-9a-f]{32}\/pillbox\.jpg$/);
    expect(media.sizes[0].url).toMatch(/\/files\/[0-9a-f]{32}\/pillbox-150x150\.jpg$/);
  });

  it('is made once, by the account that sent it, after the file has arrived', async () => {
    const body = await picture(10, 10);
    const staged = await stage(body.length);
    expect(errorCode(await createOf(service(), staged.id))).toBe('UPLOAD_MISSING');
    await send(staged, body);
    expect(errorCode(await createOf(service(), staged.id, { as: 'editor' }))).toBe(
      'UPLOAD_NOT_FOUND',
    );
    const both = await Promise.all([
      createOf(service(), staged.id),
      createOf(service(), staged.id),
    ]);
    expect(both.map(errorCode).sort()).toStrictEqual(['UPLOAD_USED', undefined]);
    expect(errorCode(await createOf(service(), staged.id))).toBe('UPLOAD_USED');
    expect((await send(staged, body)).status).toBe(404);
  });

  it('is the same when the request is repeated under its Idempotency-Key', async () => {
    const staged = await upload(service(), await picture(10, 10));
    const make = async () =>
      (
        await service().graphql(
          `mutation { createMedia(input: { uploadId: "${staged.id}" }) { media { id } } }`,
          {},
          { as: 'author', headers: { 'idempotency-key': 'one' } },
        )
      ).body.data.createMedia.media.id;
    expect(await make()).toBe(await make());
  });

  it('is what its file says: who says it as well is refused, and so is who names no file', async () => {
    const staged = await stage(3);
    const problems = async (input: object) => {
      const document =
        'mutation($input: CreateMediaInput!) { createMedia(input: $input) { media { id } } }';
      const { errors } = await service().ask(document, { input }, 'author');
      return errors[0].extensions.problems.map(({ path }: { path: string[] }) => path.join('.'));
    };
    expect(
      await problems({ uploadId: staged.id, url: 'https://cdn.example/x', width: 1 }),
    ).toStrictEqual(['input.url', 'input.width']);
    expect(await problems({ title: 'x' })).toStrictEqual(['input.url', 'input.mimeType']);
  });
});
