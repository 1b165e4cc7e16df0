import { lstat } from 'node:fs/promises';
import { DomainError } from '../../../core/errors.js';
import { keepMovedFile, takenTypeOf } from '../../../domains/files/kept/keeping.service.js';
import type { KeptFile } from '../../../domains/files/kept/kept-file.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { Db } from '../../../platform/database/transaction.js';
import { isKey } from '../../../platform/storage/storage.js';
import type { ImportedKind, ImportRun, Left, Mapped, Verdict } from '../kind.js';
import type { Line } from '../lines/line.js';
import type { LineFile } from '../lines/media.lines.js';
import type { NdjsonSource } from './ndjson-source.js';

const MEGABYTE = 1024 * 1024;

/** A file of a medium that was stored; `kept` is undefined where nothing is written. */
interface MovedFile {
  readonly path: string | null;
  readonly kept: KeptFile | undefined;
}

const refused = (reason: string): Left => ({ outcome: 'refused', reason });
const MISSING: Left = { outcome: 'skipped', reason: 'a file of it is not beside the export' };

/** Returns the files of media as a kind with a row for each medium. They keep their keys and their bytes. */
export const lineFiles = (source: NdjsonSource, media: string): ImportedKind<ImportRun, Line> => ({
  name: 'files',
  from: media,
  table: 'media_file',
  columns: [],
  rows: async () => source.rowsOf(media),
  async map(run, lines) {
    const here = await filesHere(run, lines);
    const mapped: (Mapped | Left)[] = [];
    for (const line of lines) mapped.push(await filesOf(run, line, source, here));
    return mapped;
  },
  write: writeFiles,
});

/** The files that have keys of lines: of which medium they are, and their digests. */
type FilesHere = ReadonlyMap<string, { readonly mediaId: number; readonly sha256: string }>;

const filesIn = ({ files }: Line): LineFile[] =>
  Array.isArray(files) ? files.filter((file) => isKey(String(file?.key))) : [];

async function filesHere({ context }: ImportRun, lines: readonly Line[]): Promise<FilesHere> {
  const keys = lines.flatMap((line) => filesIn(line).map(({ key }) => key));
  const { text, values } = Prisma.sql`
    SELECT key, media_id AS "mediaId", sha256 FROM media_file WHERE key = ANY(${keys}::text[])`;
  const files = await context.deps.database.query<{ key: string; mediaId: number; sha256: string }>(
    text,
    values,
  );
  return new Map(files.map((file) => [file.key, file]));
}

async function filesOf(
  run: ImportRun,
  line: Line,
  source: NdjsonSource,
  here: FilesHere,
): Promise<Mapped | Left> {
  const id = Number(line.id);
  const all = filesIn(line);
  const files: MovedFile[] = [];
  const left: Left[] = [];
  for (const file of all) {
    const known = here.get(file.key);
    if (known?.mediaId === id && known.sha256 === file.sha256) continue;
    const moved = known
      ? refused('a file of it has the key of another file')
      : await movedFile(run, file, source.fileOf(file.key));
    if ('outcome' in moved) left.push(moved);
    else files.push(moved);
  }
  const [first] = left;
  if (first && left.length === all.length) return first;
  return { own: { id }, parts: { files }, remarks: left.map(({ reason }) => reason) };
}

async function movedFile(
  { context, check }: ImportRun,
  { key, name, sha256, path }: LineFile,
  place: string,
): Promise<MovedFile | Left> {
  const state = await lstat(place).catch(() => undefined);
  if (!state) return MISSING;
  if (!state.isFile()) return refused('a file of it is none beside the export, or is a link');
  const most = context.deps.config.UPLOAD_MEGABYTES;
  if (state.size > most * MEGABYTE)
    return refused(`a file of it is larger than ${most} MB (UPLOAD_MEGABYTES)`);
  try {
    if (check) await takenTypeOf(place, 'path');
    const kept = check ? undefined : await keepMovedFile(context, place, { key, name });
    if (kept && kept.sha256 !== sha256) return refused('a file of it is not as its line says');
    return { path, kept };
  } catch (error) {
    if (error instanceof DomainError) return refused('a file of it has a type that is not taken');
    throw error;
  }
}

/** Makes files those of their media. */
async function writeFiles(
  db: Db,
  rows: readonly Mapped[],
  { check }: ImportRun,
): Promise<Verdict[]> {
  const ids = rows.map(({ own }) => own.id);
  const media = await db.media.findMany({ where: { id: { in: ids } }, select: { id: true } });
  const present = new Set(media.map(({ id }) => id));
  const verdicts: Verdict[] = [];
  for (const { own, parts } of rows) {
    const { files } = parts as unknown as { files: readonly MovedFile[] };
    if (files.length === 0) verdicts.push({ outcome: 'unchanged' });
    else if (!check && !present.has(own.id))
      verdicts.push({ outcome: 'skipped', reason: 'its medium is not here' });
    else {
      if (!check) await claim(db, own.id, files);
      verdicts.push({ outcome: 'imported' });
    }
  }
  return verdicts;
}

async function claim(db: Db, mediaId: number, files: readonly MovedFile[]): Promise<void> {
  const data = files.flatMap(({ path, kept }) => (kept ? [{ ...kept, path, mediaId }] : []));
  await db.fileDeletion.deleteMany({ where: { key: { in: data.map(({ key }) => key) } } });
  await db.mediaFile.createMany({ data });
}
