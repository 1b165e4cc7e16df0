import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { importFrom } from '../../src/app/moving/importing.service.js';
import { MysqlSource } from '../../src/app/moving/mysql-source.js';
import { WxrSource } from '../../src/app/moving/wxr/wxr-source.js';
import { imported, place, within } from '../app/moving/world.js';
import { useService } from '../support/harness.js';
import { Original } from './original.js';
import { tallyOf } from './tally.js';

const SERVER = process.env.TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1/';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const PDF = Buffer.from('%PDF-1.4\n%%EOF\n');
const UPLOADS = '/wp-content/uploads';
/** Whether the machine lets this user make a small disk. */
const mounts = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

describe('Files of attachments', () => {
  const service = useService();
  let original: Original;
  let root: string;
  let uploads: string;
  beforeEach(async () => {
    original = await Original.make(SERVER);
    root = await mkdtemp(join(tmpdir(), 'uploads-'));
    uploads = join(root, 'uploads');
    await mkdir(join(uploads, '2020/01'), { recursive: true });
  });
  afterEach(async () => {
    await original.drop();
    await rm(root, { recursive: true });
  });

  async function run({
    prefix,
    ...how
  }: {
    check?: boolean;
    uploads?: string;
    prefix?: string;
  } = {}) {
    const source = await MysqlSource.open(original.address, { prefix });
    const options = { check: false, overwrite: false, progress: () => {}, uploads, ...how };
    return importFrom(source, service().app.deps, options).finally(() => source.close());
  }
  const attachment = (ID: number, file: string, metadata = '') =>
    original.post(
      {
        ...{ ID, post_type: 'attachment', post_status: 'inherit' },
        ...{ post_title: `A${ID}`, post_name: `a${ID}`, post_mime_type: 'image/png' },
      },
      { _wp_attached_file: file, ...(metadata && { _wp_attachment_metadata: metadata }) },
    );
  const withSize = (size: string) =>
    `a:3:{s:5:"width";i:1;s:6:"height";i:1;s:5:"sizes";a:1:{s:9:"thumbnail";a:4:{s:4:"file";s:${size.length}:"${size}";` +
    's:5:"width";i:1;s:6:"height";i:1;s:9:"mime-type";s:9:"image/png";}}}';
  const put = (path: string, bytes: Uint8Array) => writeFile(join(uploads, path), bytes);
  const fetched = async (path: string) => {
    const response = await fetch(`${service().url}${UPLOADS}/${path}`);
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      bytes: Buffer.from(await response.arrayBuffer()),
    };
  };
  const remarks = ({ remarks }: Awaited<ReturnType<typeof run>>) =>
    remarks.filter(({ kind }) => kind === 'files').map(({ at, reason }) => `${at}: ${reason}`);

  it('keep the addresses of a site of a network', async () => {
    await attachment(40, '2020/01/a.png');
    await writeFile(join(uploads, '2020/01/a.png'), PNG);
    for (const table of [
      ...['options', 'posts', 'postmeta', 'terms', 'term_taxonomy', 'term_relationships'],
    ])
      await original.change(
        `CREATE TABLE wp_2_${table} LIKE wp_${table}; INSERT INTO wp_2_${table} SELECT * FROM wp_${table}`,
      );
    await original.change(
      "INSERT INTO wp_usermeta (user_id, meta_key, meta_value) SELECT user_id, 'wp_2_capabilities', meta_value FROM wp_usermeta",
    );
    expect(tallyOf(await run({ prefix: 'wp_2_' }), 'files')).toStrictEqual({ imported: 1 });
    const path = '/wp-content/uploads/sites/2/2020/01/a.png';
    const { body } = await service().rest('GET', '/wp/v2/media/40');
    expect(body.source_url).toBe(`https://clinic.example${path}`);
    expect((await fetch(service().url + path)).status).toBe(200);
    expect(tallyOf(await run({ prefix: 'wp_2_' }), 'files')).toStrictEqual({ unchanged: 1 });
  });

  it('keep the addresses that an export of a site of a network has', async () => {
    await writeFile(join(uploads, '2020/01/a.png'), PNG);
    const path = '/wp-content/uploads/sites/2/2020/01/a.png';
    const file = join(root, 'export.xml');
    await writeFile(
      file,
      `<rss xmlns:wp="http://wordpress.org/export/1.2/"><channel><wp:base_blog_url>https://clinic.example</wp:base_blog_url>
      <item><wp:post_id>40</wp:post_id><wp:post_type>attachment</wp:post_type><wp:status>inherit</wp:status>
      <wp:post_name>a</wp:post_name><wp:attachment_url>https://clinic.example${path}</wp:attachment_url>
      <wp:postmeta><wp:meta_key>_wp_attached_file</wp:meta_key><wp:meta_value>2020/01/a.png</wp:meta_value></wp:postmeta>
      </item></channel></rss>`,
    );
    const source = await WxrSource.open([file]);
    const options = { check: false, overwrite: false, progress: () => {}, uploads };
    await importFrom(source, service().app.deps, options).finally(() => source.close());
    const { body } = await service().rest('GET', '/wp/v2/media/40');
    expect(body.source_url).toBe(`https://clinic.example${path}`);
    expect((await fetch(service().url + path)).status).toBe(200);
  });

  it('are read at the addresses that they had, byte by byte', async () => {
    await attachment(40, '2020/01/Größe x.png');
    await attachment(41, '2020/01/leaflet.pdf');
    await put('2020/01/Größe x.png', PNG);
    await put('2020/01/leaflet.pdf', PDF);
    const report = await run();
    expect(tallyOf(report, 'files')).toStrictEqual({ imported: 2 });
    expect(await fetched('2020/01/Größe x.png')).toStrictEqual({
      ...{ status: 200, type: 'image/png', bytes: PNG },
    });
    expect(await fetched('2020/01/leaflet.pdf')).toMatchObject({
      ...{ status: 200, type: 'application/pdf', bytes: PDF },
    });
    const { body } = await service().rest('GET', '/wp/v2/media/41');
    expect(body.source_url).toBe(`https://clinic.example${UPLOADS}/2020/01/leaflet.pdf`);
    expect((await fetched('2020/01/other.pdf')).status).toBe(404);
  });

  it('are imported with the sizes that the original made', async () => {
    await attachment(40, '2020/01/x.png', withSize('x-1x1.png'));
    await put('2020/01/x.png', PNG);
    await put('2020/01/x-1x1.png', PNG);
    await run();
    expect((await fetched('2020/01/x-1x1.png')).bytes).toStrictEqual(PNG);
  });

  it('stay as they are in a second import, unless the original has others', async () => {
    await attachment(40, '2020/01/x.pdf');
    await attachment(41, '2020/01/y.pdf');
    await put('2020/01/x.pdf', PDF);
    await put('2020/01/y.pdf', PDF);
    await run();
    expect(tallyOf(await run(), 'files')).toStrictEqual({ unchanged: 2 });
    const other = Buffer.from('%PDF-1.5\n%%EOF\n');
    await put('2020/01/x.pdf', other);
    expect(tallyOf(await run(), 'files')).toStrictEqual({ changed: 1, unchanged: 1 });
    expect((await fetched('2020/01/x.pdf')).bytes).toStrictEqual(other);
    expect((await fetched('2020/01/y.pdf')).bytes).toStrictEqual(PDF);
    expect(await service().app.deps.database.prisma.fileDeletion.count()).toBe(1);
  });

  it('are counted and not written by a check', async () => {
    await attachment(40, '2020/01/x.pdf');
    await put('2020/01/x.pdf', PDF);
    expect(tallyOf(await run({ check: true }), 'files')).toStrictEqual({ imported: 1 });
    expect((await fetched('2020/01/x.pdf')).status).toBe(404);
    const files = await service().app.deps.database.prisma.fileDeletion.count();
    expect(files).toBe(0);
  });

  it('are refused with a sentence where they lead out, are links, are too large or of another type', async () => {
    await writeFile(join(root, 'secret.pdf'), PDF);
    await mkdir(join(root, 'elsewhere'));
    await writeFile(join(root, 'elsewhere/a.pdf'), PDF);
    await symlink(join(root, 'secret.pdf'), join(uploads, '2020/01/link.pdf'));
    await symlink(join(root, 'elsewhere'), join(uploads, '2020/02'));
    await put('2020/01/large.pdf', PDF);
    const most = service().app.deps.config.UPLOAD_MEGABYTES;
    await truncate(join(uploads, '2020/01/large.pdf'), most * 1024 * 1024 + 1);
    await put('2020/01/page.html', Buffer.from('<script>alert(1)</script>'));
    await put('2020/01/good.pdf', PDF);
    await attachment(40, '../secret.pdf');
    await attachment(41, '2020/01/../../../secret.pdf');
    await attachment(42, '2020/01/link.pdf');
    await attachment(43, '2020/02/a.pdf');
    await attachment(44, '2020/01/large.pdf');
    await attachment(45, '2020/01/page.html');
    await attachment(46, '2020/01/gone.pdf');
    await attachment(47, '2020/01');
    await attachment(48, '2020/01/good.pdf', withSize('../../../secret.pdf'));
    await attachment(49, join(root, 'secret.pdf'));
    const checked = await run({ check: true });
    const report = await run();
    expect(remarks(checked)).toStrictEqual(remarks(report));
    const leadsOut = 'a file of it has a path that leads out of the folder of uploads';
    const link = 'a file of it is a symbolic link, or lies behind one';
    expect(remarks(report)).toStrictEqual([
      `posts 40: ${leadsOut}`,
      `posts 41: ${leadsOut}`,
      `posts 42: ${link}`,
      `posts 43: ${link}`,
      `posts 44: a file of it is larger than ${most} MB (UPLOAD_MEGABYTES)`,
      'posts 45: a file of it has a type that is not taken',
      'posts 46: a file of it is not in the folder of uploads',
      'posts 47: a file of it is a folder or a device',
      'posts 49: a file of it is not in the folder of uploads',
      `posts 48: ${leadsOut}`,
    ]);
    expect(tallyOf(report, 'files')).toStrictEqual({ imported: 1, skipped: 2, refused: 7 });
    expect((await fetched('2020/01/good.pdf')).status).toBe(200);
    expect((await fetched('2020/01/link.pdf')).status).toBe(404);
  });

  it('need a folder that there is', async () => {
    await expect(run({ uploads: join(root, 'none') })).rejects.toThrow('There is no folder');
  });

  it('go with the medium that they belong to', async () => {
    await attachment(40, '2020/01/x.pdf');
    await put('2020/01/x.pdf', PDF);
    await run();
    await service().data(
      'mutation { deleteMedia(input: { id: 40 }) { deletedMediaId } }',
      {},
      'administrator',
    );
    expect((await fetched('2020/01/x.pdf')).status).toBe(404);
    expect(tallyOf(await run(), 'files')).toStrictEqual({ skipped: 1 });
  });

  /** Adds four attachments with files of 8 KB, and returns an empty service of its own. */
  async function fourFiles(own: Readonly<Record<string, string>> = {}) {
    for (const id of [40, 41, 42, 43]) {
      await attachment(id, `2020/01/${id}.pdf`);
      await put(`2020/01/${id}.pdf`, Buffer.concat([PDF, Buffer.alloc(8_000, `${id}`)]));
    }
    const to = place(own);
    await within(to, async () => {});
    return to;
  }

  (mounts ? it : it.skip)(
    'end the import with a sentence when the disk is full, and come the next time',
    async () => {
      const to = await fourFiles();
      const disk = join(to.DATA_DIR ?? '', 'files');
      await mkdir(disk);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24k', 'tmpfs', disk]);
      const run = () => imported(to, original.address, '--uploads', uploads);
      try {
        await expect(run()).rejects.toThrow(
          'The disk is full: the import did not end; run it again, and it goes on.',
        );
        execFileSync('mount', ['-o', 'remount,size=1m', disk]);
        const { lines } = await run();
        expect(lines).toContain('files: 4 of 4');
        const paths = await within(to, ({ database }) =>
          database.prisma.mediaFile.findMany({ select: { path: true }, orderBy: { path: 'asc' } }),
        );
        expect(paths.map(({ path }) => path)).toStrictEqual(
          [40, 41, 42, 43].map((id) => `2020/01/${id}.pdf`),
        );
      } finally {
        execFileSync('umount', [disk]);
      }
    },
  );

  it('go into a bucket where the service keeps its files in one', async () => {
    const directory = join(root, 's3');
    const server = new S3rver({
      ...{ port: 0, address: '127.0.0.1', silent: true, directory },
      configureBuckets: [{ name: 'care', configs: [] }],
    });
    const { port } = (await server.run()) as AddressInfo;
    try {
      const to = await fourFiles({ STORAGE_URL: `http://S3RVER:S3RVER@127.0.0.1:${port}/care` });
      const { lines } = await imported(to, original.address, '--uploads', uploads);
      expect(lines).toContain('files: 4 of 4');
      const bucket = join(directory, 'care');
      const objects = (await readdir(bucket)).filter((name) => name.endsWith('_object'));
      const bytes = await Promise.all(objects.map((name) => readFile(join(bucket, name))));
      const sent = [40, 41, 42, 43].map((id) => Buffer.concat([PDF, Buffer.alloc(8_000, `${id}`)]));
      expect(bytes.sort(Buffer.compare)).toStrictEqual(sent.sort(Buffer.compare));
    } finally {
      await server.close();
    }
  });
});
