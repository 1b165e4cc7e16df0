import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StartError } from '../../../platform/database/database.js';

/** The lines of an export, in its folder. */
export const LINES = 'care.ndjson';
/** The Bundles of FHIR, one a line. */
export const BUNDLES = 'fhir.ndjson';
/** The content as WXR. */
export const CONTENT = 'content.xml';
/** What an export holds: the file that is written last. */
export const MANIFEST = 'manifest.json';
/** The folder of files of media, by their keys. */
export const FILES = 'files';

/** A file as it was written. */
export interface Measure {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** What the content of an export could not have as it is. */
export interface Replacements {
  /** Characters that XML does not allow; U+FFFD stands for each. */
  readonly characters: number;
  /** The first elements that had some, such as `post 7`. */
  readonly in: readonly string[];
}

/** What an export holds. */
export interface ExportManifest {
  readonly format: 'care-export';
  readonly formatVersion: number;
  /** Version of the service that wrote it. */
  readonly version: string;
  readonly madeAt: string;
  /** How many lines there are of each kind. */
  readonly lines: Readonly<Record<string, number>>;
  readonly bundles: number;
  /** The authors, terms, items and media of the WXR. */
  readonly content: { readonly elements: number; readonly replaced: Replacements };
  /** The files beside it. Those of media are measured in their lines. */
  readonly files: Readonly<Record<string, Measure>>;
  readonly mediaFiles: { readonly count: number; readonly bytes: number };
}

/** Bytes that are collected before they are written. */
const CHUNK = 256 * 1024;

/** A file of lines that is written from its beginning to its end, readable by its owner alone. */
export class LineFile {
  readonly #hash: Hash = createHash('sha256');
  #waiting: string[] = [];
  #length = 0;
  #bytes = 0;

  private constructor(private readonly handle: FileHandle) {}

  static async create(path: string): Promise<LineFile> {
    return new LineFile(await open(path, 'wx', 0o600));
  }

  async add(line: string): Promise<void> {
    this.#waiting.push(line, '\n');
    this.#length += line.length + 1;
    if (this.#length > CHUNK) await this.#write();
  }

  /** Writes what is left, waits until it would outlive a failure of power, and closes the file. */
  async end(): Promise<Measure> {
    await this.#write();
    await this.handle.sync();
    await this.handle.close();
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  /** Closes a file that is not finished. */
  async abandon(): Promise<void> {
    await this.handle.close().catch(() => undefined); // it was closed already
  }

  async #write(): Promise<void> {
    const bytes = Buffer.from(this.#waiting.join(''));
    this.#waiting = [];
    this.#length = 0;
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    await this.handle.writeFile(bytes);
  }
}

/** Makes the folder of an export, unless it is there and empty. Throws StartError. */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await readdir(folder);
  if (found.length > 0)
    throw new StartError(`${folder} is not empty: choose a new folder for the export.`);
  await mkdir(join(folder, FILES), { mode: 0o700 });
}

/** Writes a stream into a file. Returns what was written. */
export async function writeStream(path: string, body: Readable): Promise<Measure> {
  const hash = createHash('sha256');
  let bytes = 0;
  const measuring = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  // Flushed: what the manifest names is there after the power failed.
  await pipeline(
    body,
    measuring,
    createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
  );
  return { bytes, sha256: hash.digest('hex') };
}

/** Writes the manifest whole or not at all, and then makes the names in the folder last. */
export async function writeManifest(folder: string, manifest: ExportManifest): Promise<void> {
  const part = join(folder, `${MANIFEST}.part`);
  const file = await LineFile.create(part);
  try {
    await file.add(JSON.stringify(manifest, undefined, 2));
    await syncFolder(join(folder, FILES));
    await file.end();
  } finally {
    await file.abandon();
  }
  await rename(part, join(folder, MANIFEST));
  await syncFolder(folder);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
