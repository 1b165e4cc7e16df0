import { join } from 'node:path';
import { RequestContext } from '../../../core/context.js';
import type { Deps } from '../../../core/deps.js';
import { serviceContext } from '../../../core/service-context.js';
import { ownVersion } from '../../../platform/database/migrations.js';
import type { Db } from '../../../platform/database/transaction.js';
import { sentenceOf } from '../../backup/making.js';
import { beginReading } from '../../backup/rows.service.js';
import { bundleText } from '../fhir/care-resources.js';
import { careBundles, countMembers } from '../fhir/fhir-export.service.js';
import type { MovingProgress } from '../kind-import.service.js';
import type { Line, LineKind } from '../lines/line.js';
import { countOf, linesBehind } from '../lines/line.sql.js';
import { FORMAT, FORMAT_VERSION, LINE_KINDS } from '../lines/line-kinds.js';
import type { LineFile as MediaFile } from '../lines/media.lines.js';
import { sequencesOf } from '../sequence.service.js';
import { inBatches } from './batches.js';
import { countContent } from './content.service.js';
import {
  BUNDLES,
  CONTENT,
  type ExportManifest,
  FILES,
  LINES,
  LineFile,
  makeFolder,
  writeManifest,
  writeStream,
} from './export-folder.js';
import { WxrExport } from './wxr-export.js';

/** Milliseconds that an export may take. */
const LONGEST = 24 * 60 * 60 * 1000;

/** What an export is, and what of it is missing. */
export interface Exported {
  readonly manifest: ExportManifest;
  readonly missing: readonly MissingFile[];
}

/** A file of a medium that the storage does not have, or has otherwise. */
interface MissingFile {
  readonly mediaId: number;
  readonly key: string;
}

/**
 * Exports one state of the database into a new folder, with the files of media beside it. The service
 * may go on. Memory is that of a batch of lines. The manifest is written last: an export without one is
 * not whole. Throws StartError with one sentence.
 */
export async function exportTo(
  folder: string,
  deps: Deps,
  progress: MovingProgress,
): Promise<Exported> {
  try {
    await makeFolder(folder);
    const context = await serviceContext(deps, 'export');
    const file = await LineFile.create(join(folder, LINES));
    try {
      const begun = { context, folder, file, progress, missing: [], media: { count: 0, bytes: 0 } };
      return await deps.database.transaction((db) => fill({ ...begun, db }), { timeout: LONGEST });
    } finally {
      await file.abandon();
    }
  } catch (error) {
    throw sentenceOf(error, `the export in ${folder} is not whole`);
  }
}

/** What an export reads by, where it goes, and how far it is. */
interface Exporting {
  readonly context: RequestContext;
  readonly db: Db;
  readonly folder: string;
  readonly file: LineFile;
  readonly progress: MovingProgress;
  readonly media: { count: number; bytes: number };
  readonly missing: MissingFile[];
}

/** Writes the lines of all kinds, and then the manifest. */
async function fill(exporting: Exporting): Promise<Exported> {
  const { context, db, folder, file, media, missing } = exporting;
  await beginReading(db);
  const lines: Record<string, number> = {};
  const lastIds = await sequencesOf(db);
  await file.add(JSON.stringify({ kind: FORMAT, version: FORMAT_VERSION, lastIds }));
  for (const kind of LINE_KINDS) lines[kind.name] = await addLines(exporting, kind);
  const bundles = await addBundles(exporting);
  const content = await addContent(exporting);
  const sum = Object.values(lines).reduce((a, b) => a + b, 0);
  await file.add(JSON.stringify({ kind: 'end', lines: sum }));
  const manifest: ExportManifest = {
    format: FORMAT,
    formatVersion: FORMAT_VERSION,
    version: ownVersion,
    madeAt: context.now().toISOString(),
    lines,
    bundles: bundles.count,
    content: { elements: content.elements, replaced: content.replaced },
    files: {
      [LINES]: await file.end(),
      [BUNDLES]: bundles.measure,
      [CONTENT]: content.measure,
    },
    mediaFiles: media,
  };
  await writeManifest(folder, manifest);
  return { manifest, missing };
}

/** Writes the lines of a kind, and the files that they name. Returns how many. */
async function addLines(exporting: Exporting, kind: LineKind): Promise<number> {
  const { context, db, file, progress } = exporting;
  const [{ count = 0 } = {}] = await db.$queryRaw<{ count: number }[]>(countOf(kind));
  let done = 0;
  for await (const lines of linesOf(db, kind)) {
    for (const line of lines) {
      await file.add(kind.opened ? opened(kind, line, context.deps) : line);
      if (kind.parts?.files) await copyFiles(exporting, JSON.parse(line));
    }
    done += lines.length;
    progress(kind.name, done, count);
  }
  return done;
}

/** Writes the care of all members as Bundles of FHIR. */
async function addBundles({ context: { deps, input }, db, folder, progress }: Exporting) {
  const context = new RequestContext(deps, input, db);
  const file = await LineFile.create(join(folder, BUNDLES));
  try {
    const all = await countMembers(context);
    let count = 0;
    let members = 0;
    for await (const { bundle, isFirst } of careBundles(context)) {
      await file.add(bundleText(bundle));
      count++;
      if (isFirst) progress('fhir', ++members, all);
    }
    return { count, measure: await file.end() };
  } finally {
    await file.abandon();
  }
}

/** Writes the site and its content as WXR. */
async function addContent({ context: { deps }, db, folder, progress }: Exporting) {
  const file = await LineFile.create(join(folder, CONTENT));
  try {
    const wxr = await WxrExport.of(db, deps.config.BASE_URL ?? 'http://localhost');
    const all = await countContent(db);
    let elements = 0;
    for await (const part of wxr.parts()) {
      await file.add(part.text);
      elements += part.elements;
      if (part.elements > 0) progress('wxr', elements, all);
    }
    return { elements, replaced: wxr.replaced, measure: await file.end() };
  } finally {
    await file.abandon();
  }
}

const opened = (kind: LineKind, line: string, { keys }: Deps): string =>
  JSON.stringify(kind.opened?.(JSON.parse(line) as Line, keys));

/** A line as it is read, with the numbers of its key. */
interface LineRow {
  readonly line: string;
  readonly key: number[];
}

/** Yields the lines of a kind in the order of its key, some megabytes at a time. */
async function* linesOf(db: Db, kind: LineKind): AsyncGenerator<string[]> {
  const batches = inBatches<LineRow>(
    (last, most) => db.$queryRaw(linesBehind(kind, last?.key, most)),
    ({ line }) => line.length,
  );
  for await (const rows of batches) yield rows.map(({ line }) => line);
}

/** Copies the files of a medium out of the storage. */
async function copyFiles(
  { folder, context: { deps }, media, missing }: Exporting,
  { id, files }: { readonly id: number; readonly files: readonly MediaFile[] },
): Promise<void> {
  for (const { key, bytes, sha256 } of files) {
    const body = await deps.storage.read(key);
    const measure = body && (await writeStream(join(folder, FILES, key), body));
    if (measure) media.count++;
    media.bytes += measure?.bytes ?? 0;
    if (measure?.bytes !== bytes || measure.sha256 !== sha256) missing.push({ mediaId: id, key });
  }
}
