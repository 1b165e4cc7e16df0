import sharp from 'sharp';
import { useService } from '../../support/harness.js';
import { createOf, upload } from '../../support/uploads.js';

describe('An uploaded image', () => {
  const service = useService();
  const made = async (file: Buffer, mimeType: string) => {
    const staged = await upload(service(), file, { mimeType });
    return (await createOf(service(), staged.id)).data.createMedia.media;
  };
  const read = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());
  /** Red above blue. */
  const halves = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: 'red' } }).composite([
      {
        input: { create: { width, height: height / 2, channels: 3, background: 'blue' } },
        top: height / 2,
        left: 0,
      },
    ]);

  it('is turned as its EXIF says, and tells nothing of where and how it was taken', async () => {
    const file = await halves(400, 600)
      .withExif({
        IFD0: { Make: 'Camera of a member' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1' },
      })
      .jpeg()
      .toBuffer();
    const turned = await sharp(file).keepExif().withMetadata({ orientation: 6 }).toBuffer();
    expect((await sharp(turned).metadata()).exif).toBeDefined();
    const media = await made(turned, 'image/jpeg');
    expect([media.width, media.height]).toStrictEqual([600, 400]);
    for (const { url } of [media, ...media.sizes]) {
      const kept = await read(url);
      const { exif, orientation, xmp, iptc } = await sharp(kept).metadata();
      expect([exif, orientation, xmp, iptc]).toStrictEqual(Array(4).fill(undefined));
      expect(kept.includes('Camera of a member')).toBe(false);
    }
    // A quarter turn to the right: what was above is on the right.
    const { data, info } = await sharp(await read(media.url))
      .raw()
      .toBuffer({ resolveWithObject: true });
    const at = (x: number) => [
      ...data.subarray(3 * (200 * info.width + x), 3 * (200 * info.width + x) + 3),
    ];
    expect(at(20)[2]).toBeGreaterThan(200);
    expect(at(580)[0]).toBeGreaterThan(200);
  });

  it.each(['jpeg', 'png', 'webp', 'gif'] as const)(
    'of the format %s keeps it, in all sizes',
    async (format) => {
      const file = await halves(500, 400).toFormat(format).toBuffer();
      const media = await made(file, `image/${format}`);
      expect(media.mimeType).toBe(`image/${format}`);
      expect(media.sizes).toHaveLength(2);
      for (const { url } of media.sizes) {
        const shown = await sharp(await read(url)).metadata();
        expect(shown.format).toBe(format);
      }
    },
  );

  it('keeps what is transparent', async () => {
    const background = { r: 255, g: 0, b: 0, alpha: 0 };
    const file = await sharp({ create: { width: 400, height: 400, channels: 4, background } })
      .png()
      .toBuffer();
    const media = await made(file, 'image/png');
    const { hasAlpha } = await sharp(await read(media.sizes[0].url)).metadata();
    expect(hasAlpha).toBe(true);
  });

  it('that moves goes on moving, and stands still in its sizes', async () => {
    const frames = Buffer.concat([
      Buffer.alloc(400 * 300 * 3, 0),
      Buffer.alloc(400 * 300 * 3, 200),
    ]);
    const file = await sharp(frames, {
      raw: { width: 400, height: 600, channels: 3, pageHeight: 300 },
    })
      .gif({ delay: [100, 100] })
      .toBuffer();
    const media = await made(file, 'image/gif');
    expect([media.width, media.height]).toStrictEqual([400, 300]);
    expect((await sharp(await read(media.url)).metadata()).pages).toBe(2);
    const [thumbnail] = media.sizes;
    expect((await sharp(await read(thumbnail.url)).metadata()).pages ?? 1).toBe(1);
  });

  it('is shown by both REST editions as images at other addresses are', async () => {
    const media = await made(await halves(400, 300).jpeg().toBuffer(), 'image/jpeg');
    const post = await service().posted({ featured_media: media.databaseId }, 'author');
    for (const edition of ['A', 'B'] as const) {
      const { body } = await service().rest('GET', `/v1/posts/${post.id}`, {
        query: '_embed=wp:featuredmedia',
        edition,
      });
      const [embedded] = body._embedded['wp:featuredmedia'];
      expect([embedded.source_url, embedded.mime_type]).toStrictEqual([media.url, 'image/jpeg']);
      const { width, height, file, sizes } = embedded.media_details;
      expect([width, height, file]).toStrictEqual([400, 300, 'pillbox.jpg']);
      expect(sizes.thumbnail).toStrictEqual({
        file: 'pillbox-150x150.jpg',
        width: 150,
        height: 150,
        mime_type: 'image/jpeg',
        source_url: media.sizes[0].url,
      });
    }
  });

  it('costs points by its pixels', async () => {
    const staged = await upload(service(), await halves(2000, 1000).png().toBuffer(), {
      mimeType: 'image/png',
    });
    service().limit();
    const { extensions } = await createOf(service(), staged.id);
    expect(extensions.cost.asked).toBeGreaterThanOrEqual(10 + 2 * 13);
  });
});
