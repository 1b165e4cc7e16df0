import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ByteRange, newKey, requireKey, type Storage } from './storage.js';
import { deleteLeftovers } from './work-folder.js';

/** The folder inside it of what is still arriving. */
export const ARRIVING = 'arriving';

/** Returns the folder and the name of the file of a key, below the folder of a storage. */
export const keyPath = (key: string): [folder: string, name: string] => [key.slice(0, 2), key];

/** A file that has arrived whole, and has no place yet. */
export interface Arrived {
  readonly bytes: number;
  /** Of its bytes, hexadecimal. */
  readonly sha256: string;
  /** Gives the file its place, where it replaces what is there. */
  keep(key: string): Promise<void>;
  drop(): Promise<void>;
}

/**
 * Keeps files in a folder. The key alone says where: two digits of it are a folder, so that none has
 * too many entries. A file arrives beside them under a name of its own, and gets its place by a
 * rename, so that whoever reads it reads all of it. Memory is that of a few chunks. Several processes may
 * share the folder.
 */
export class FolderStorage implements Storage {
  readonly kind = 'folder';

  constructor(private readonly folder: string) {}

  async put(key: string, body: Readable): Promise<void> {
    requireKey(key);
    await (await this.receive(body)).keep(key);
  }

  /** Writes a stream into the folder. When it fails, nothing of it is left. */
  async receive(body: AsyncIterable<Uint8Array>): Promise<Arrived> {
    const arriving = join(this.folder, ARRIVING);
    await mkdir(arriving, { recursive: true, mode: 0o700 });
    const path = join(arriving, newKey());
    const hash = createHash('sha256');
    let bytes = 0;
    const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    };
    const drop = () => rm(path, { force: true });
    try {
      // Flushed: a file that has a row is there after the power failed.
      const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
      await pipeline(body, counted, file);
    } catch (error) {
      await drop();
      throw error;
    }
    const keep = async (key: string) => {
      const place = this.#placeOf(key);
      await mkdir(join(place, '..'), { recursive: true, mode: 0o700 });
      await rename(path, place);
    };
    return { bytes, sha256: hash.digest('hex'), keep, drop };
  }

  async read(key: string, range?: ByteRange): Promise<Readable | undefined> {
    try {
      const file = await open(this.#placeOf(key));
      return file.createReadStream(range);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    await rm(this.#placeOf(key), { force: true });
  }

  deleteLeftovers(before: Date): Promise<void> {
    return deleteLeftovers(join(this.folder, ARRIVING), before);
  }

  #placeOf(key: string): string {
    requireKey(key);
    return join(this.folder, ...keyPath(key));
  }
}
