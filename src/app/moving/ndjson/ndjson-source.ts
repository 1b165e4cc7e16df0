import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { StartError } from '../../../platform/database/database.js';
import { type ExportManifest, FILES, LINES, MANIFEST } from '../export/export-folder.js';
import type { SourceRows } from '../kind.js';
import type { Line } from '../lines/line.js';
import { FORMAT } from '../lines/line-kinds.js';
import { Examination, type Extent, lineIn, objectIn } from './examination.js';
import { textLines } from './text-lines.js';

/** Lines that are read at a time, and bytes of them. */
const AT_ONCE = 200;
const BYTES_AT_ONCE = 4 * 2 ** 20;

/** An export: a folder, or its lines alone. It was read once when it is open, and is whole. */
export class NdjsonSource {
  private constructor(
    readonly name: string,
    private readonly extents: ReadonlyMap<string, Extent>,
    /** The last number of each table that its service has given. */
    readonly lastIds: Readonly<Record<string, number>>,
  ) {}

  /** Opens a folder or a file. Throws StartError with one sentence for what is no export, or not whole. */
  static async open(path: string): Promise<NdjsonSource> {
    const state = await stat(path).catch((cause: NodeJS.ErrnoException) => {
      throw new StartError(`${path} cannot be read (${cause.code}).`, { cause });
    });
    if (!state.isDirectory()) return NdjsonSource.#read(path, undefined);
    return NdjsonSource.#read(join(path, LINES), await manifestOf(path));
  }

  static async #read(name: string, manifest: ExportManifest | undefined): Promise<NdjsonSource> {
    const examination = new Examination(name);
    for await (const line of textLines(name)) examination.take(line);
    const { extents, lastIds, sha256 } = examination.end();
    if (manifest && manifest.files[LINES]?.sha256 !== sha256)
      throw new StartError(`${name} is not as its manifest says: it was cut or changed.`);
    return new NdjsonSource(name, extents, lastIds);
  }

  /** Where the file of a medium is. */
  fileOf(key: string): string {
    return join(dirname(this.name), FILES, basename(key));
  }

  /** Returns the lines of a kind. */
  rowsOf(kind: string): SourceRows<Line> {
    const extent = this.extents.get(kind);
    return { count: extent?.count ?? 0, batches: this.#batches(extent) };
  }

  async *#batches(extent: Extent | undefined): AsyncGenerator<readonly Line[]> {
    if (!extent) return;
    let batch: Line[] = [];
    let size = 0;
    for await (const { bytes } of textLines(this.name, extent)) {
      if (batch.length === AT_ONCE || (batch.length > 0 && size + bytes.length > BYTES_AT_ONCE)) {
        yield batch;
        batch = [];
        size = 0;
      }
      batch.push(lineIn(bytes) as Line);
      size += bytes.length;
    }
    if (batch.length > 0) yield batch;
  }

  async close(): Promise<void> {}
}

async function manifestOf(folder: string): Promise<ExportManifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((cause: unknown) => {
    throw new StartError(`${folder} is no whole export: its ${MANIFEST} is missing.`, { cause });
  });
  const manifest = objectIn(text) as Partial<ExportManifest> | undefined;
  if (manifest?.format !== FORMAT || !manifest.files)
    throw new StartError(`${join(folder, MANIFEST)} is no manifest of an export.`);
  return manifest as ExportManifest;
}
