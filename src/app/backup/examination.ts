import { isDeepStrictEqual } from 'node:util';
import { StartError } from '../../platform/database/database.js';
import { type ArchivedFile, type Key, readArchive } from './archive.js';
import {
  ABOUT,
  type About,
  ByteTally,
  FILES,
  MANIFEST,
  type Manifest,
  RowTally,
  TABLES,
} from './manifest.js';

/** What is done with the parts of a backup while it is read. */
export interface PartReader {
  /** Takes some rows of a table, as the JSON array of their texts. */
  rows?(table: string, json: string): Promise<void>;
  /** Takes a file by its name, and must read all of its bytes. */
  file?(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** Ends the reading before the next part, with its reason. */
  readonly stopping?: AbortSignal | undefined;
}

/** What a backup is, and what is in it. */
export interface Backup {
  readonly about: About;
  readonly manifest: Manifest;
}

/**
 * Reads a whole backup and compares each part with its manifest. Throws StartError with one
 * sentence when it is no backup, is of another key, was cut short, or differs from its manifest.
 */
export async function readBackup(
  file: string,
  key: Key | undefined,
  reader: PartReader = {},
): Promise<Backup> {
  const faulty = (what: string) => damaged(file, what);
  let about: About | undefined;
  let manifest: Manifest | undefined;
  const tallies = { tables: new Map<string, RowTally>(), files: new Map<string, ByteTally>() };
  for await (const part of readArchive(file, key)) {
    reader.stopping?.throwIfAborted();
    if (manifest) throw faulty('it goes on behind its end');
    if (!about) {
      about = part.name === ABOUT ? parsed(file, await textOf(part)) : undefined;
      if (about?.format !== 'care-backup-1')
        throw new StartError(`${file} is no backup of this service.`);
      for (const table of Object.keys(about.tables)) tallies.tables.set(table, new RowTally());
    } else if (part.name === MANIFEST) manifest = parsed(file, await textOf(part));
    else await readPart(file, part, tallies, reader);
  }
  if (!about || !manifest) throw faulty('its end is missing');
  const found = {
    tables: Object.fromEntries([...tallies.tables].map(([name, tally]) => [name, tally.end()])),
    files: Object.fromEntries([...tallies.files].map(([name, tally]) => [name, tally.end()])),
  };
  for (const kind of ['tables', 'files'] as const)
    if (!isDeepStrictEqual(found[kind], manifest[kind]))
      throw faulty(`its ${kind} are not those of its manifest`);
  return { about, manifest };
}

const damaged = (file: string, what: string) =>
  new StartError(`${file} is damaged or cut short: ${what}.`);

/** Returns the value of a JSON text. A byte that was changed shows here, before the sum of the archive. */
function parsed<T>(file: string, json: string): T {
  try {
    return JSON.parse(json);
  } catch {
    throw damaged(file, 'a part of it is no JSON');
  }
}

async function readPart(
  file: string,
  part: ArchivedFile,
  { tables, files }: { tables: Map<string, RowTally>; files: Map<string, ByteTally> },
  reader: PartReader,
): Promise<void> {
  const [, table] = /^tables\/([^/]+)\/\d+\.json$/.exec(part.name) ?? [];
  const tally = table === undefined ? undefined : tables.get(table);
  if (table !== undefined && tally) {
    const json = await textOf(part);
    tally.add(parsed(file, json));
    await reader.rows?.(table, json);
    return;
  }
  const name = part.name.slice(FILES.length);
  if (!part.name.startsWith(FILES) || !isSafe(name))
    throw new StartError(`A part of the backup has a name that is not known: ${part.name}.`);
  const measured = new ByteTally();
  files.set(name, measured);
  const bytes = measuring(part.bytes, measured);
  if (reader.file) await reader.file(name, bytes);
  for await (const _ of bytes); // what nobody has read
}

/** Whether a path stays below the folder that it is joined to. */
const isSafe = (name: string) =>
  name.split('/').every((part) => !['', '.', '..'].includes(part)) && !/[\\\0:]/.test(name);

async function* measuring(bytes: AsyncIterable<Uint8Array>, tally: ByteTally) {
  for await (const chunk of bytes) {
    tally.add(chunk);
    yield chunk;
  }
}

async function textOf({ bytes }: ArchivedFile): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** The name of a part of a table. */
export const partOf = (table: string, number: number): string =>
  `${TABLES}${table}/${String(number).padStart(6, '0')}.json`;
