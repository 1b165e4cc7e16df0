import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { firstOf } from '../../../core/row.js';
import { hold, transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { isTaken, SVG } from '../../../platform/media/file-type.js';
import { newKey } from '../../../platform/storage/storage.js';
import { refuseType } from '../kept/file-refusals.js';
import type { StagedUploadInput } from './staged-upload.inputs.js';
import { StagedUpload } from './staged-upload.types.js';
import { ARRIVAL, LIFETIME, type UploadRow } from './upload.row.js';
import { UPLOAD_COLUMNS } from './upload.sql.js';
import { uploadPath } from './upload-address.js';

const { sql } = Prisma;
/** Files that an account may have announced within a day without making media of them. */
const MOST_OPEN = 100;
const MEGABYTE = 1024 * 1024;

/**
 * Announces a file, for the viewer. Throws UPLOAD_TOO_LARGE beyond UPLOAD_MEGABYTES, FILE_TYPE_REFUSED
 * for a type that is not taken, and UPLOADS_TOO_MANY when the account has 100 uploads of which no
 * media were made within a day, or when its files would take more than UPLOAD_ACCOUNT_MEGABYTES.
 */
export async function stageUpload(
  context: RequestContext,
  { name, mimeType, bytes }: StagedUploadInput,
): Promise<StagedUpload> {
  const { UPLOAD_MEGABYTES: most } = context.deps.config;
  if (bytes > most * MEGABYTE)
    throw refuse('UPLOAD_TOO_LARGE', `A file has at most ${most} MB.`, { param: 'bytes' });
  if (mimeType === SVG || !isTaken(mimeType)) throw refuseType(mimeType, 'mimeType');
  const work = async (inner: RequestContext) => {
    const { db, viewer } = inner;
    await hold(inner, `uploads:${viewer.id}`);
    await refuseTooMany(inner, bytes);
    const key = newKey();
    const createdAt = inner.now();
    // Written before any file can be, so that one that nobody uses is found.
    const dueAt = new Date(createdAt.getTime() + LIFETIME);
    await db.fileDeletion.create({ data: { key, dueAt } });
    const data = { accountId: viewer.id, key, name, mimeType, bytes, createdAt };
    return (await db.upload.create({ data, select: { id: true } })).id;
  };
  const id = await transact(context, work, { replayable: true });
  return firstOf(await uploadsById(context, [id]), uploadNotFound);
}

async function refuseTooMany(inner: RequestContext, bytes: number): Promise<void> {
  const { UPLOAD_ACCOUNT_MEGABYTES: most } = inner.deps.config;
  const { id } = inner.viewer;
  const open = sql`FROM upload WHERE account_id = ${id} AND used_at IS NULL
    AND created_at > ${new Date(inner.deps.clock() - LIFETIME)}`;
  const [held] = await inner.rows<{ count: number; kilobytes: number }>(sql`
    SELECT (SELECT count(*)::int ${open}) AS count,
      (((SELECT coalesce(sum(bytes), 0) ${open}) + (
        SELECT coalesce(sum(f.bytes), 0) FROM media m JOIN media_file f ON f.media_id = m.id
        WHERE m.author_id = ${id})) / 1024)::int AS kilobytes`);
  const { count, kilobytes } = held as { count: number; kilobytes: number };
  if (count >= MOST_OPEN)
    throw refuse(
      'UPLOADS_TOO_MANY',
      `There are ${MOST_OPEN} uploads already of which no media were made.`,
    );
  if (kilobytes + bytes / 1024 > most * 1024)
    throw refuse('UPLOADS_TOO_MANY', `The files of an account have at most ${most} MB together.`, {
      param: 'bytes',
    });
}

/** Returns the viewer's uploads of these ids that have not ended, for `context.loader` and `node`. */
export async function uploadsById(
  context: RequestContext,
  ids: readonly number[],
): Promise<StagedUpload[]> {
  const rows = await context.rows<UploadRow>(sql`
    SELECT ${UPLOAD_COLUMNS} FROM upload u WHERE u.id = ANY(${ids}::int[])
      AND u.account_id = ${context.viewer.id}
      AND u.created_at > ${new Date(context.deps.clock() - LIFETIME)}`);
  return Promise.all(rows.map((row) => shown(context, row)));
}

/** The refusal of an upload that does not exist, has ended, or is another's. */
export const uploadNotFound = () =>
  refuse('UPLOAD_NOT_FOUND', 'There is no such upload, or it has ended.');

async function shown(context: RequestContext, row: UploadRow): Promise<StagedUpload> {
  const { id, name, mimeType, bytes, createdAt, usedAt } = row;
  const expiresAt = new Date(createdAt.getTime() + ARRIVAL);
  const isOpen = !usedAt && expiresAt > context.now();
  const url = isOpen ? await addressOf(context, row, expiresAt) : null;
  const headers = [{ name: 'Content-Type', value: mimeType }];
  return Object.assign(new StagedUpload(), { id, name, mimeType, bytes, url, headers, expiresAt });
}

/** Returns where a file is sent: to the storage, where that takes files, else to the service. */
async function addressOf(
  { deps, siteUrl }: RequestContext,
  { key, bytes, mimeType }: UploadRow,
  expiresAt: Date,
): Promise<string> {
  const milliseconds = expiresAt.getTime() - deps.clock();
  const seconds = Math.max(1, Math.floor(milliseconds / 1000));
  const own = uploadPath(deps.keys, { key, expiresAt: expiresAt.getTime() });
  return (
    (await deps.storage.putAddress?.(key, { bytes, mimeType, seconds })) ??
    new URL(own, siteUrl).href
  );
}
