import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.js';
import { WORK } from '../../domains/files/kept/keeping.service.js';
import { ARRIVING } from '../../platform/storage/folder-storage.js';
import { ByteTally, type Measure } from './manifest.js';

/** The name of the audit's heads in a backup, wherever AUDIT_HEAD_FILE is. */
export const HEADS = 'audit-heads';
/** The name of the file with the key, which only encrypted backups hold. */
export const KEY_FILE = 'secret.key';
/** Folders of what is not finished, or not a file of the service. */
const LEFT_OUT = new Set(['database', 'lost+found', WORK, `files/${ARRIVING}`]);

/** A file that belongs into a backup: its name there, its place. */
export interface DataFile {
  readonly name: string;
  readonly path: string;
  /** How many of its bytes belong there. Default: those that it has when it is opened. */
  readonly size?: number;
}

/** A file whose bytes are read. */
export interface OpenFile {
  readonly size: number;
  readonly bytes: AsyncIterable<Uint8Array> | Uint8Array[];
}

/** Returns the file with the heads of the audit as it is now; nothing when there is none. */
export async function headsFile({ AUDIT_HEAD_FILE: path }: Config): Promise<DataFile[]> {
  const found = await stat(path).catch(nothingIfGone);
  return found?.isFile() ? [{ name: HEADS, path, size: found.size }] : [];
}

/**
 * Returns the files below the data directory: uploads and outboxes, with the key where `withKey` says
 * so. Neither the embedded database, nor files that are still arriving or worked with, nor those
 * whose names begin with a dot. Throws the error of a folder that is there and cannot be read.
 */
export async function dataFiles({ DATA_DIR }: Config, withKey: boolean): Promise<DataFile[]> {
  const names: string[] = [];
  for await (const name of namesBelow(DATA_DIR, '')) names.push(name);
  return names
    .filter((name) => name !== HEADS && (withKey || name !== KEY_FILE))
    .sort()
    .map((name) => ({ name, path: join(DATA_DIR, name) }));
}

/** Yields the names of the files of a folder and of those below it. One that is gone has none. */
async function* namesBelow(root: string, folder: string): AsyncGenerator<string> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(nothingIfGone);
  for (const entry of entries ?? []) {
    const name = `${folder}${entry.name}`;
    if (LEFT_OUT.has(name) || name.startsWith('.')) continue;
    if (entry.isDirectory()) yield* namesBelow(root, `${name}/`);
    else if (entry.isFile()) yield name;
  }
}

/**
 * Runs work with the bytes that a file has now; what is appended meanwhile stays out. Returns
 * undefined when it has been deleted.
 */
export async function readingFile<T>(
  { path, size }: DataFile,
  work: (file: OpenFile) => Promise<T>,
): Promise<T | undefined> {
  const handle = await open(path).catch(nothingIfGone);
  if (!handle) return undefined;
  try {
    return await work(bytesOf(handle, size ?? (await handle.stat()).size));
  } finally {
    await handle.close();
  }
}

/** Returns the measure of a file; undefined when it is gone. */
export const measureOf = (path: string): Promise<Measure | undefined> =>
  readingFile({ name: path, path }, async ({ bytes }) => {
    const tally = new ByteTally();
    for await (const chunk of bytes) tally.add(chunk);
    return tally.end();
  });

const bytesOf = (handle: FileHandle, size: number): OpenFile => ({
  size,
  bytes: size === 0 ? [] : handle.createReadStream({ end: size - 1, autoClose: false }),
});

function nothingIfGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
