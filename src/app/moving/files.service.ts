import { createReadStream } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { basename, join, normalize } from 'node:path';
import type { RequestContext } from '../../core/context.js';
import { DomainError } from '../../core/errors.js';
import { digestOf, keepLocalFile, takenTypeOf } from '../../domains/files/kept/keeping.service.js';
import type { KeptFile } from '../../domains/files/kept/kept-file.js';
import { Prisma } from '../../generated/prisma/client.js';
import { StartError } from '../../platform/database/database.js';
import type { Db } from '../../platform/database/transaction.js';
import { identified } from './batches.js';
import type { Import, ImportedKind, Left, Mapped, Verdict } from './kind.js';
import { folderOf, pathsOf } from './media.js';
import type { SourceRow } from './mysql-source.js';

const { sql } = Prisma;
const MEGABYTE = 1024 * 1024;

/** A file of a medium that is to be taken over; `kept` is undefined where nothing is written. */
interface NewFile {
  readonly path: string;
  readonly kept: KeptFile | undefined;
}

/** A file of the original that is here. */
interface FileHere {
  readonly mediaId: number;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

const missing: Left = {
  outcome: 'skipped',
  reason: 'a file of it is not in the folder of uploads',
};
const refused = (reason: string): Left => ({ outcome: 'refused', reason });

/**
 * Returns the files of attachments in a folder of uploads, as a kind with a row for each attachment.
 * They keep their bytes and their paths. A file is stored before the transaction that makes it one of a
 * medium, and is deleted when that never comes. Throws StartError for what is no folder.
 */
export async function filesIn(uploads: string): Promise<ImportedKind> {
  const folder = await realpath(uploads).catch(() => undefined);
  if (!folder || !(await lstat(folder)).isDirectory())
    throw new StartError(`There is no folder ${uploads}: --uploads names the folder of uploads.`);
  return identified({
    name: 'files',
    from: 'posts',
    table: 'media_file',
    columns: [],

    ids: ({ content }) => content.media.ids(),

    read: ({ content }, ids) => content.media.read(ids),

    async map(run, rows) {
      const here = await filesHere(run.context, rows);
      const mapped: (Mapped | Left)[] = [];
      for (const row of rows) mapped.push(await filesOf(run, row, folder, here));
      return mapped;
    },

    write: writeFiles,
  });
}

/** Returns the files that are here, by their media and paths. */
async function filesHere(
  { deps: { database } }: RequestContext,
  rows: readonly SourceRow[],
): Promise<Map<string, FileHere>> {
  const ids = rows.map(({ ID }) => Number(ID));
  const { text, values } = sql`
    SELECT media_id AS "mediaId", path, bytes, sha256 FROM media_file
    WHERE media_id = ANY(${ids}::int[]) AND path IS NOT NULL`;
  const files = await database.query<FileHere>(text, values);
  return new Map(files.map((file) => [`${file.mediaId} ${file.path}`, file]));
}

async function filesOf(
  run: Import,
  row: SourceRow,
  folder: string,
  here: ReadonlyMap<string, FileHere>,
): Promise<Mapped | Left> {
  const id = Number(row.ID);
  const paths = pathsOf(row);
  // By this path below `/wp-content/uploads/` they are read here.
  const below = folderOf(run, row);
  const files: NewFile[] = [];
  const left: Left[] = [];
  for (const path of paths) {
    const known = here.get(`${id} ${below}${path}`);
    const file = await fileOf(run, folder, path, known);
    if (file && 'outcome' in file) left.push(file);
    else if (file) files.push({ ...file, path: below + path });
  }
  const [first] = left;
  if (first && left.length === paths.length) return first;
  const remarks = [...new Set(left.map(({ reason }) => reason))];
  return {
    own: { id },
    parts: { files, isNew: !paths.some((p) => here.has(`${id} ${below}${p}`)) },
    remarks,
  };
}

/** Stores a file, unless it is here already. Returns undefined then. */
async function fileOf(
  { context, check }: Import,
  folder: string,
  path: string,
  known: FileHere | undefined,
): Promise<NewFile | Left | undefined> {
  const place = join(folder, path);
  if (normalize(path) !== path || path.split('/').includes('..') || path.includes('\0'))
    return refused('a file of it has a path that leads out of the folder of uploads');
  const state = await lstat(place).catch(() => undefined);
  if (!state) return missing;
  if ((await realpath(place)) !== place)
    return refused('a file of it is a symbolic link, or lies behind one');
  if (!state.isFile()) return refused('a file of it is a folder or a device');
  const most = context.deps.config.UPLOAD_MEGABYTES;
  if (state.size > most * MEGABYTE)
    return refused(`a file of it is larger than ${most} MB (UPLOAD_MEGABYTES)`);
  if (known?.bytes === state.size && known.sha256 === (await digestOf(createReadStream(place))))
    return undefined;
  try {
    if (!check) return { path, kept: await keepLocalFile(context, place, basename(path)) };
    await takenTypeOf(place, 'path');
    return { path, kept: undefined };
  } catch (error) {
    if (error instanceof DomainError) return refused('a file of it has a type that is not taken');
    throw error;
  }
}

/** Makes files those of their media. One that has changed takes the place of the one that was here. */
async function writeFiles(db: Db, rows: readonly Mapped[], { check }: Import): Promise<Verdict[]> {
  const ids = rows.map(({ own }) => own.id);
  const media = await db.media.findMany({ where: { id: { in: ids } }, select: { id: true } });
  const present = new Set(media.map(({ id }) => id));
  const verdicts: Verdict[] = [];
  for (const { own, parts } of rows) {
    const { files, isNew } = parts as unknown as { files: NewFile[]; isNew: boolean };
    if (!check && !present.has(own.id))
      verdicts.push({ outcome: 'skipped', reason: 'its medium is not here' });
    else if (files.length === 0) verdicts.push({ outcome: 'unchanged' });
    else {
      if (!check) await claim(db, own.id, files);
      verdicts.push({ outcome: isNew ? 'imported' : 'changed' });
    }
  }
  return verdicts;
}

async function claim(db: Db, mediaId: number, files: readonly NewFile[]): Promise<void> {
  const data = files.flatMap(({ path, kept }) => (kept ? [{ ...kept, path, mediaId }] : []));
  const paths = data.map(({ path }) => path);
  await db.mediaFile.deleteMany({ where: { mediaId, path: { in: paths } } });
  await db.fileDeletion.deleteMany({ where: { key: { in: data.map(({ key }) => key) } } });
  await db.mediaFile.createMany({ data });
}
