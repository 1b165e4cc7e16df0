// Files that somebody made to do harm: none is run, none fills memory or disk, none is served as
// what it is not. What is taken is taken without what was hidden in it.
import { existsSync, readdirSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { errorCode, useService } from '../../support/harness.js';
import { announce, createOf, upload } from '../../support/uploads.js';

const SCRIPT = '<script>alert(document.domain)</script>';
const HTML = `<!doctype html><html><body>${SCRIPT}</body></html>`;
const bytes = (text: string) => Buffer.from(text, 'latin1');
const SVG_FILE = `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`;

/** A part of a PNG. */
function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(data.length);
  const body = Buffer.concat([bytes(type), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc(body));
  return Buffer.concat([head, body, sum]);
}

function crc(data: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of data) {
    sum ^= byte;
    for (let i = 0; i < 8; i++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return ~sum >>> 0;
}

/** A PNG that says how large it is, with the data of fewer pixels, or of as many. */
function png(width: number, height: number, data = deflateSync(Buffer.alloc(100))): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8); // black and white
  const signature = bytes('\x89PNG\r\n\x1a\n');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const WHITE = { r: 255, g: 255, b: 255 };
const image = (width = 20, height = 10) =>
  sharp({ create: { width, height, channels: 3, background: WHITE } });
const joined = (...parts: (Buffer | string)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? bytes(part) : part)));

describe('A hostile file', () => {
  const service = useService();
  const left = () =>
    existsSync(`${service().app.deps.config.DATA_DIR}/work`)
      ? readdirSync(`${service().app.deps.config.DATA_DIR}/work`)
      : [];
  const tried = async (file: Buffer, mimeType = 'image/png', name = 'x.png') => {
    const staged = await upload(service(), file, { mimeType, name });
    return createOf(service(), staged.id);
  };

  const REFUSED: readonly (readonly [what: string, code: string, file: () => Buffer])[] = [
    ['an SVG with a script', 'FILE_TYPE_REFUSED', () => bytes(SVG_FILE)],
    [
      'an SVG behind a declaration and comments',
      'FILE_TYPE_REFUSED',
      () => bytes(`<?xml version="1.0"?><!-- ${'x'.repeat(500)} -->${SVG_FILE}`),
    ],
    ['an SVG in UTF-16', 'FILE_TYPE_REFUSED', () => Buffer.from(`\ufeff${SVG_FILE}`, 'utf16le')],
    ['a page of HTML', 'FILE_TYPE_REFUSED', () => bytes(HTML)],
    [
      'a page of HTML behind a signature that is cut off',
      'FILE_TYPE_REFUSED',
      () => bytes(`\x89PN${HTML}`),
    ],
    [
      'a program for Linux',
      'FILE_TYPE_REFUSED',
      () => joined('\x7fELF\x02\x01\x01', Buffer.alloc(100)),
    ],
    ['a program for Windows', 'FILE_TYPE_REFUSED', () => joined('MZ', Buffer.alloc(200))],
    ['a script of a shell', 'FILE_TYPE_REFUSED', () => bytes('#!/bin/sh\nrm -rf /\n')],
    ['an archive', 'FILE_TYPE_REFUSED', () => bytes(`PK\x05\x06${'\0'.repeat(18)}`)],
    ['nothing that is known', 'FILE_TYPE_REFUSED', () => Buffer.alloc(1000)],
    ['a signature alone', 'FILE_UNREADABLE', () => bytes('\xff\xd8\xff\xe0')],
    ['a bomb of pixels', 'FILE_UNREADABLE', () => png(60_000, 60_000)],
    [
      'a bomb of pixels whose data is whole',
      'FILE_UNREADABLE',
      () => png(16_000, 16_000, deflateSync(Buffer.alloc(16_000 * 2_001))),
    ],
    ['an image that says it has no width', 'FILE_UNREADABLE', () => png(0, 10)],
    ['an image that says it is larger than its data', 'FILE_UNREADABLE', () => png(5_000, 5_000)],
    [
      'an image with a broken checksum',
      'FILE_UNREADABLE',
      () => {
        const file = png(10, 10, deflateSync(Buffer.alloc(30)));
        file[20] = 77;
        return file;
      },
    ],
    [
      'an AVIF that says it is large',
      'FILE_TYPE_REFUSED',
      () => joined('\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf', Buffer.alloc(100)),
    ],
    ['a TIFF', 'FILE_TYPE_REFUSED', () => joined('II*\0\b\0\0\0', Buffer.alloc(200))],
    ['a PostScript', 'FILE_TYPE_REFUSED', () => bytes('%!PS-Adobe-3.0 EPSF-3.0\n(x) run\n')],
    [
      'a script of ImageMagick',
      'FILE_TYPE_REFUSED',
      () =>
        bytes('push graphic-context\nfill \'url(https://127.0.0.1/"|id")\'\npop graphic-context'),
    ],
  ];

  it.each(REFUSED)('that is %s is refused as %s', async (_what, code, file) => {
    const refused = await tried(file());
    expect(errorCode(refused)).toBe(code);
    expect(refused.errors[0].extensions.problems[0].path).toStrictEqual(['input', 'uploadId']);
    expect(left()).toStrictEqual([]);
    const { mediaItems } = await service().data('{ mediaItems { totalCount } }');
    expect(mediaItems.totalCount).toBe(0);
  });

  it('that is an SVG is told to be sent as another format', async () => {
    const [error] = (await tried(bytes(SVG_FILE), 'image/png')).errors;
    expect(error.message).toContain('SVG');
  });

  it('that is cut off in the middle is refused', async () => {
    const whole = await sharp({
      create: {
        width: 400,
        height: 400,
        channels: 3,
        background: WHITE,
        noise: { type: 'gaussian', mean: 99, sigma: 40 },
      },
    })
      .jpeg()
      .toBuffer();
    expect(errorCode(await tried(whole.subarray(0, whole.length / 2)))).toBe('FILE_UNREADABLE');
  });

  it('that is an animation of too many pictures is refused', async () => {
    const frames = Array.from({ length: 60 }, (_, i) => Buffer.alloc(1000 * 1000, 255 * (i % 2)));
    const file = await sharp(Buffer.concat(frames), {
      raw: { width: 1000, height: 1000 * frames.length, channels: 1, pageHeight: 1000 },
      limitInputPixels: false,
    })
      .gif({ effort: 1 })
      .toBuffer();
    expect(errorCode(await tried(file, 'image/gif'))).toBe('FILE_UNREADABLE');
  });

  const POLYGLOTS: readonly (readonly [what: string, file: () => Promise<Buffer>])[] = [
    ['JPEG with a page behind it', async () => joined(await image().jpeg().toBuffer(), HTML)],
    ['GIF with a page behind it', async () => joined(await image().gif().toBuffer(), HTML)],
    [
      'PNG with an archive behind it',
      async () => joined(await image().png().toBuffer(), 'PK\x03\x04', HTML),
    ],
    [
      'PNG with a page in a chunk of its own',
      async () => {
        const file = await image().png().toBuffer();
        return joined(
          file.subarray(0, 33),
          chunk('tEXt', bytes(`Comment\0${HTML}`)),
          file.subarray(33),
        );
      },
    ],
    [
      'JPEG with a page as its comment',
      async () => {
        const file = await image().jpeg().toBuffer();
        const comment = Buffer.from([0xff, 0xfe, 0, HTML.length + 2]);
        return joined(file.subarray(0, 2), comment, HTML, file.subarray(2));
      },
    ],
    [
      'JPEG with a page in its EXIF',
      () =>
        image()
          .withExif({ IFD0: { ImageDescription: HTML } })
          .jpeg()
          .toBuffer(),
    ],
    ['WebP with a page behind it', async () => joined(await image().webp().toBuffer(), HTML)],
  ];

  it.each(POLYGLOTS)('that is a %s becomes an image without it', async (_what, make) => {
    const file = await make();
    expect(file.includes(SCRIPT)).toBe(true);
    const { media } = (await tried(file, 'image/png')).data.createMedia;
    const read = await fetch(media.url);
    const kept = Buffer.from(await read.arrayBuffer());
    expect(kept.includes(SCRIPT)).toBe(false);
    expect(read.headers.get('content-type')).toBe(media.mimeType);
    expect([media.width, media.height]).toStrictEqual([20, 10]);
  });

  it('that is a PDF with a page behind it is served so that nothing of it runs', async () => {
    const file = bytes(`%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n${HTML}`);
    const { media } = (await tried(file, 'application/pdf')).data.createMedia;
    const { headers } = await fetch(media.url);
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
  });

  it.each([
    '../../../etc/passwd.png',
    '..\\..\\windows\\system32\\x.png',
    '/etc/cron.d/x.png',
    'x.png/../../y.png',
    'x\u202Egnp.exe.png',
    'x.png\r\nSet-Cookie: a=b',
    '"; filename="x.html',
    '.htaccess',
    '%2e%2e%2fx.png',
    'CON.png',
    'Fieber – Übersicht (2).PNG',
    'ж'.repeat(99),
    '.',
  ])(
    'named %j lies where its key says, under a name of letters, digits and dashes',
    async (name) => {
      const staged = await upload(service(), await image().png().toBuffer(), {
        name,
        mimeType: 'image/png',
      });
      const { media } = (await createOf(service(), staged.id)).data.createMedia;
      expect(new URL(media.url).pathname).toMatch(
        /^\/files\/[0-9a-f]{32}\/[A-Za-z0-9-]{1,80}\.png$/,
      );
      const read = await fetch(media.url);
      expect(read.headers.get('content-disposition')).toMatch(
        /^inline; filename="[A-Za-z0-9-]+\.png"$/,
      );
      expect(read.headers.get('set-cookie')).toBeNull();
      const stored = readdirSync(service().files, { recursive: true, encoding: 'utf8' });
      for (const path of stored)
        expect(path).toMatch(/^(?:arriving|[0-9a-f]{2}(?:\/[0-9a-f]{32})?)$/);
    },
  );

  it('whose name holds a NUL is refused', async () => {
    expect(errorCode(await announce(service(), { name: 'x\0.png', bytes: 1 }))).toBe(
      'BAD_USER_INPUT',
    );
  });

  it('that is announced as one type and is another is what its content says', async () => {
    const { media } = (await tried(await image().jpeg().toBuffer(), 'application/pdf', 'x.pdf'))
      .data.createMedia;
    expect([media.mimeType, media.kind]).toStrictEqual(['image/jpeg', 'IMAGE']);
    expect(media.url).toMatch(/\/x\.jpg$/);
  });
});
