// Uploads into the service as a process of its own: what it takes of memory, and what a kill leaves.
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { mutation } from '../support/harness.js';
import { dataFolder, type Service, startService } from './service.js';

const MEGABYTE = 1024 * 1024;
const ADMIN = {
  ADMIN_USERNAME: 'ada',
  ADMIN_EMAIL: 'ada@example.com',
  ADMIN_PASSWORD: 'a long one 77',
};

/** An administrator of a service. */
class Uploader {
  #token = '';

  constructor(private readonly service: Service) {}

  static async of(service: Service): Promise<Uploader> {
    const uploader = new Uploader(service);
    const input = { username: ADMIN.ADMIN_USERNAME, password: ADMIN.ADMIN_PASSWORD };
    uploader.#token = (await uploader.#ask('login', 'token', input)).token as string;
    return uploader;
  }

  async announce(bytes: number): Promise<{ id: string; url: string }> {
    const input = { name: 'film.pdf', mimeType: 'application/pdf', bytes };
    const { upload } = await this.#ask('stagedUpload', 'upload { id url }', input);
    return upload as { id: string; url: string };
  }

  async create(uploadId: string): Promise<string> {
    const { media } = await this.#ask('createMedia', 'media { url }', { uploadId });
    return (media as { url: string }).url;
  }

  async #ask(name: string, fields: string, input: object): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.service.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(this.#token && { authorization: `Bearer ${this.#token}` }),
      },
      body: JSON.stringify({ query: mutation(name, fields), variables: { input } }),
    });
    const { data, errors } = (await response.json()) as { data: never; errors: unknown };
    if (errors) throw new Error(JSON.stringify(errors));
    return data[name];
  }
}

/** The first byte sequence makes it a PDF; the rest cannot be compressed. */
async function* film(megabytes: number) {
  const noise = randomBytes(MEGABYTE);
  yield Buffer.concat([Buffer.from('%PDF-1.4\n'), noise.subarray(9)]);
  for (let i = 1; i < megabytes; i++) yield noise;
}

const put = async (url: string, megabytes: number) =>
  (
    await fetch(url, {
      method: 'PUT',
      body: film(megabytes) as never,
      duplex: 'half',
    } as RequestInit)
  ).status;

/** Reads a file without keeping it. Returns its length. */
async function lengthAt(url: string): Promise<number> {
  let length = 0;
  for await (const chunk of (await fetch(url)).body as ReadableStream<Uint8Array>)
    length += chunk.length;
  return length;
}

const peakOf = ({ child }: Service) =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;

describe('An upload into a process of the service', () => {
  it('of 50 MB takes no more memory than one of 2 MB, and so does reading it', async () => {
    const service = await startService({ environment: ADMIN });
    const uploader = await Uploader.of(service);
    const round = async (megabytes: number) => {
      const { id, url } = await uploader.announce(megabytes * MEGABYTE);
      expect(await put(url, megabytes)).toBe(200);
      expect(await lengthAt(await uploader.create(id))).toBe(megabytes * MEGABYTE);
    };
    for (let i = 0; i < 5; i++) await round(2);
    const before = peakOf(service);
    await round(50);
    expect(peakOf(service) - before).toBeLessThan(35);
    await service.child.kill();
  });

  it('becomes an image with its sizes there as well', async () => {
    const service = await startService({ environment: ADMIN });
    const uploader = await Uploader.of(service);
    const file = await sharp({
      create: { width: 1200, height: 800, channels: 3, background: 'red' },
    })
      .jpeg()
      .toBuffer();
    const { id, url } = await uploader.announce(file.length);
    expect((await fetch(url, { method: 'PUT', body: file as BodyInit })).status).toBe(200);
    const shown = await sharp(
      Buffer.from(await (await fetch(await uploader.create(id))).arrayBuffer()),
    ).metadata();
    expect([shown.format, shown.width, shown.height]).toStrictEqual(['jpeg', 1200, 800]);
    await service.child.kill();
  });

  it('may be sent again after the process was killed amid it', async () => {
    const DATA_DIR = dataFolder();
    const first = await startService({ environment: { ...ADMIN, DATA_DIR } });
    const uploader = await Uploader.of(first);
    const { id, url } = await uploader.announce(MEGABYTE);
    const { pathname, search } = new URL(url);
    const socket = connect(first.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(
      `PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nContent-Length: ${MEGABYTE}\r\n\r\n`,
    );
    socket.write(Buffer.alloc(MEGABYTE / 2));
    const files = join(DATA_DIR, 'files');
    const arriving = () => (existsSync(files) ? readdirSync(files, { recursive: true }).length : 0);
    for (let i = 0; i < 100 && arriving() < 2; i++) await new Promise((go) => setTimeout(go, 50));
    await first.child.kill();
    socket.destroy();
    const second = await startService({ environment: { ...ADMIN, DATA_DIR } });
    expect(await put(`${second.url}${pathname}${search}`, 1)).toBe(200);
    expect(await lengthAt(await (await Uploader.of(second)).create(id))).toBe(MEGABYTE);
    await second.child.kill();
  });
});
