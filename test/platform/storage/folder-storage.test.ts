import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { FolderStorage } from '../../../src/platform/storage/folder-storage.js';
import { newKey } from '../../../src/platform/storage/storage.js';

describe('Files in a folder', () => {
  let folder: string;
  let storage: FolderStorage;
  beforeEach(() => {
    folder = mkdtempSync(join(process.env.TEST_RUN_DIR ?? tmpdir(), 'files-'));
    storage = new FolderStorage(folder);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const files = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const put = async (body: string) => {
    const key = newKey();
    await storage.put(key, Readable.from([Buffer.from(body)]));
    return key;
  };

  it('are read again, whole or in part', async () => {
    const key = await put('0123456789');
    expect(await text((await storage.read(key)) as Readable)).toBe('0123456789');
    const part = (await storage.read(key, { start: 2, end: 4 })) as Readable;
    expect(await text(part)).toBe('234');
  });

  it('are deleted, and may be deleted again; nothing is read of them then', async () => {
    const key = await put('x');
    await storage.delete(key);
    await storage.delete(key);
    expect(await storage.read(key)).toBeUndefined();
    expect(files()).toStrictEqual([]);
  });

  it('leave nothing behind when they do not arrive whole', async () => {
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('begun');
        throw new Error('cut off');
      })(),
    );
    await expect(storage.put(newKey(), broken)).rejects.toThrow('cut off');
    expect(files()).toStrictEqual([]);
  });

  it.each([
    '../../etc/passwd',
    '..',
    '',
    '/etc/passwd',
    'a'.repeat(31),
    `${'a'.repeat(32)}\n`,
    `${'a'.repeat(30)}/.`,
    'A'.repeat(32),
    `${'a'.repeat(32)}\0`,
  ])('are named by keys alone, not by %j', async (key) => {
    await expect(storage.put(key, Readable.from([]))).rejects.toThrow('not the key');
    await expect(storage.read(key)).rejects.toThrow('not the key');
    await expect(storage.delete(key)).rejects.toThrow('not the key');
  });

  it('that a process left unfinished are deleted, younger ones are not', async () => {
    const key = await put('kept');
    for (const name of ['old', 'young']) writeFileSync(join(folder, 'arriving', name), 'x');
    const yesterday = new Date('2026-03-01T00:00:00Z');
    utimesSync(join(folder, 'arriving', 'old'), yesterday, yesterday);
    await storage.deleteLeftovers(new Date('2026-03-02T00:00:00Z'));
    expect(
      files()
        .map(({ name }) => name)
        .sort(),
    ).toStrictEqual([key, 'young'].sort());
  });

  it('say how many bytes arrived, and their SHA-256', async () => {
    const arrived = await storage.receive(Readable.from([Buffer.from('abc')]));
    expect([arrived.bytes, arrived.sha256]).toStrictEqual([
      3,
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    ]);
    await arrived.drop();
    expect(files()).toStrictEqual([]);
  });
});
