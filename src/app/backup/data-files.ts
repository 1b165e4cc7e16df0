import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Config } from '../../config/config.js';

/** The name of the audit's heads in a backup, wherever AUDIT_HEAD_FILE is. */
export const HEADS = 'audit-heads';
/** The name of the file with the key, which only encrypted backups hold. */
export const KEY_FILE = 'secret.key';

/** A file that belongs into a backup: its name there, its place, its size in bytes. */
export interface DataFile {
  readonly name: string;
  readonly path: string;
  readonly size: number;
}

/** Returns the file with the heads of the audit as it is now; nothing when there is none. */
export async function headsFile({ AUDIT_HEAD_FILE: path }: Config): Promise<DataFile[]> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? [{ name: HEADS, path, size: found.size }] : [];
}

/**
 * Returns the files below the data directory: uploads and outboxes, with the key where `withKey` says
 * so. Neither the embedded database nor files whose names begin with a dot.
 */
export async function dataFiles({ DATA_DIR }: Config, withKey: boolean): Promise<DataFile[]> {
  const listed = await readdir(DATA_DIR, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = listed
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, name: relative(DATA_DIR, path).split(sep).join('/') }))
    .filter(({ name }) => !/^(?:\.|database\/)/.test(name) && name !== HEADS)
    .filter(({ name }) => withKey || name !== KEY_FILE)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const sized = await Promise.all(
    files.map(async (file) => {
      const found = await stat(file.path).catch(() => undefined); // it may have gone meanwhile
      return found ? [{ ...file, size: found.size }] : [];
    }),
  );
  return sized.flat();
}

/** Reads the bytes that a file had when it was listed. What is appended meanwhile stays out. */
export const bytesOf = ({ path, size }: DataFile): AsyncIterable<Uint8Array> | Uint8Array[] =>
  size === 0 ? [] : createReadStream(path, { end: size - 1 });
