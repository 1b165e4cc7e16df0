import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RequestContext } from '../../../core/context.js';
import { DomainError, refuse } from '../../../core/errors.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { endingOf, isTaken, typeOfFile } from '../../../platform/media/file-type.js';
import {
  ImageError,
  isImage,
  MAKING,
  pixelsOf,
  writeImage,
} from '../../../platform/media/image.js';
import { newKey } from '../../../platform/storage/storage.js';
import { inWorkFolder } from '../../../platform/storage/work-folder.js';
import { uploadNotFound } from '../upload/staged-upload.service.js';
import { LIFETIME, type UploadRow } from '../upload/upload.row.js';
import { UPLOAD_COLUMNS } from '../upload/upload.sql.js';
import { refuseType } from './file-refusals.js';
import { type KeptFile, type KeptFiles, plainFileName } from './kept-file.js';

const { sql } = Prisma;
const PARAM = 'uploadId';
/** Milliseconds within which what was made of an upload becomes a medium, or is deleted. */
const UNCLAIMED = 60 * 60 * 1000;
const MILLION = 1_000_000;
/** Points follow the processor: 10 ms each. */
const MILLISECONDS_PER_POINT = 10;

/** An upload whose file has arrived, and what was made of it. */
export interface KeptUpload extends KeptFiles {
  readonly upload: Pick<UploadRow, 'id' | 'key' | 'name'>;
}

/**
 * Makes the files of a medium out of the file of one of the viewer's uploads: its type by its
 * content; an image written anew with its renditions, anything else byte by byte. They are deleted
 * unless `claimFiles` is called within an hour. Throws UPLOAD_NOT_FOUND, UPLOAD_USED, UPLOAD_MISSING for a
 * file that has not arrived, FILE_TYPE_REFUSED, FILE_UNREADABLE for a broken image and one of too many pixels,
 * TOO_MANY_REQUESTS.
 */
export async function keepUpload(context: RequestContext, id: number): Promise<KeptUpload> {
  const upload = await arrivedUpload(context, id);
  const { DATA_DIR } = context.deps.config;
  const files = await inWorkFolder(join(DATA_DIR, WORK), async (folder) => {
    const path = await copyOf(context, upload, folder);
    const mimeType = await takenTypeOf(path, PARAM);
    const name = plainFileName(upload.name);
    return isImage(mimeType)
      ? keepImage(context, { path, mimeType, name, folder })
      : keepOther(context, { path, mimeType, name });
  });
  return { ...files, upload };
}

/** The folder in DATA_DIR in which files are worked with. */
export const WORK = 'work';

async function arrivedUpload(context: RequestContext, id: number): Promise<UploadRow> {
  const [upload] = await context.rows<UploadRow>(sql`SELECT ${UPLOAD_COLUMNS} FROM upload u
    WHERE u.id = ${id} AND u.account_id = ${context.viewer.id}
      AND u.created_at > ${new Date(context.deps.clock() - LIFETIME)}`);
  if (!upload) throw new DomainError({ ...uploadNotFound().refusal, param: PARAM });
  if (upload.usedAt) throw uploadUsed();
  return upload;
}

const uploadUsed = () =>
  refuse('UPLOAD_USED', 'A medium was made of this upload before.', { param: PARAM });
const missing = () =>
  refuse('UPLOAD_MISSING', 'The file has not arrived yet: send it to the address of the upload.', {
    param: PARAM,
  });

/** Copies the file of an upload to a folder: nobody can change the copy while it is judged. */
async function copyOf(
  { deps }: RequestContext,
  { key, bytes, sha256 }: UploadRow,
  folder: string,
): Promise<string> {
  const body = await deps.storage.read(key);
  if (!body) throw missing();
  const path = join(folder, 'upload');
  const hash = createHash('sha256');
  await pipeline(body, hashing(hash), createWriteStream(path));
  // A storage that took the file itself may have another than was announced, or begin to have it.
  const isWhole = (await stat(path)).size === bytes;
  if (!isWhole || (sha256 !== null && sha256 !== hash.digest('hex'))) throw missing();
  return path;
}

const hashing = (hash: ReturnType<typeof createHash>) =>
  async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };

interface Work {
  readonly path: string;
  readonly mimeType: string;
  /** Without its ending. */
  readonly name: string;
}

/** Returns the type of a file by its content. Throws FILE_TYPE_REFUSED for one that is not taken. */
export async function takenTypeOf(path: string, param: string): Promise<string> {
  const mimeType = await typeOfFile(path);
  if (!mimeType || !isTaken(mimeType)) throw refuseType(mimeType, param);
  return mimeType;
}

/**
 * Stores a local file byte by byte, under a name of its own. It is deleted unless it becomes one of a
 * medium within an hour. Throws FILE_TYPE_REFUSED, by its content.
 */
export async function keepLocalFile(
  context: RequestContext,
  path: string,
  name: string,
): Promise<KeptFile> {
  const mimeType = await takenTypeOf(path, 'path');
  const [key] = await reserveKeys(context, 1);
  return keep(context, key as string, { path, mimeType, name: plainFileName(name) });
}

/**
 * Stores a local file byte by byte under the key that it had in another service, whose addresses name it.
 * It is deleted unless it becomes one of a medium within an hour. No medium may have a file of that key.
 * Throws FILE_TYPE_REFUSED, by its content.
 */
export async function keepMovedFile(
  context: RequestContext,
  path: string,
  { key, name }: Pick<KeptFile, 'key' | 'name'>,
): Promise<KeptFile> {
  const mimeType = await takenTypeOf(path, 'path');
  const { prisma } = context.deps.database;
  const dueAt = new Date(context.deps.clock() + UNCLAIMED);
  await prisma.fileDeletion.upsert({ where: { key }, create: { key, dueAt }, update: { dueAt } });
  return keep(context, key, { path, mimeType, name: plainFileName(name) });
}

async function keepOther(context: RequestContext, work: Work): Promise<KeptFiles> {
  const [key] = await reserveKeys(context, 1);
  const original = await keep(context, key as string, work);
  return { original: { ...original, width: 0, height: 0 }, sizes: [] };
}

async function keepImage(
  context: RequestContext,
  { path, mimeType, name, folder }: Work & { readonly folder: string },
): Promise<KeptFiles> {
  if (!isImage(mimeType)) throw refuseType(mimeType, PARAM);
  const most = context.deps.config.UPLOAD_MEGAPIXELS * MILLION;
  const { image, sizes } = await readable(most, async () => {
    const pixels = await pixelsOf(path);
    if (pixels > most) throw new ImageError('It has too many pixels.');
    const milliseconds = (pixels / MILLION) * MAKING[mimeType];
    const spent = await context.quota.add(milliseconds / MILLISECONDS_PER_POINT);
    if (spent) throw new DomainError(spent);
    return writeImage(path, mimeType, folder, most);
  });
  const [key = '', ...keys] = await reserveKeys(context, 1 + sizes.length);
  const { width, height } = image;
  const original = await keep(context, key, { path: image.path, mimeType, name });
  const kept: KeptFiles['sizes'][number][] = [];
  for (const [i, size] of sizes.entries()) {
    const named = { path: size.path, mimeType, name: `${name}-${size.width}x${size.height}` };
    const file = await keep(context, keys[i] as string, named);
    kept.push({ ...file, size: size.name, width: size.width, height: size.height });
  }
  return { original: { ...original, width, height }, sizes: kept };
}

async function readable<T>(most: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    const message = `The image is broken, or has more than ${most / MILLION} million pixels.`;
    throw refuse('FILE_UNREADABLE', message, { param: PARAM });
  }
}

/** Returns keys for files that are deleted unless they are claimed: so each has a row before it is. */
async function reserveKeys({ deps }: RequestContext, count: number): Promise<string[]> {
  const keys = Array.from({ length: count }, newKey);
  const dueAt = new Date(deps.clock() + UNCLAIMED);
  await deps.database.prisma.fileDeletion.createMany({ data: keys.map((key) => ({ key, dueAt })) });
  return keys;
}

async function keep(
  { deps: { storage } }: RequestContext,
  key: string,
  { path, mimeType, name }: Work,
): Promise<KeptFile> {
  const { size: bytes } = await stat(path);
  const sha256 = await digestOf(createReadStream(path));
  await storage.put(key, createReadStream(path), bytes);
  return { key, name: `${name}.${endingOf(mimeType)}`, mimeType, bytes, sha256 };
}

/** Returns the SHA-256 of bytes, in hexadecimal digits. */
export async function digestOf(body: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of body) hash.update(chunk);
  return hash.digest('hex');
}

/**
 * Makes the files of an upload those of a medium, within the transaction that makes the medium. Throws
 * UPLOAD_USED when another did so, UPLOAD_NOT_FOUND when they were not claimed in time. Four
 * statements.
 */
export async function claimFiles(
  inner: RequestContext,
  { upload, original, sizes }: KeptUpload,
  mediaId: number,
): Promise<void> {
  const { db } = inner;
  const used = { where: { id: upload.id, usedAt: null }, data: { usedAt: inner.now() } };
  if ((await db.upload.updateMany(used)).count === 0) throw uploadUsed();
  const files = [original, ...sizes];
  const keys = files.map(({ key }) => key);
  const unclaimed = { key: { in: keys }, dueAt: { gt: inner.now() } };
  const claimed = await db.fileDeletion.deleteMany({ where: unclaimed });
  if (claimed.count < keys.length) throw uploadNotFound();
  const data = files.map(({ key, name, mimeType, bytes, sha256 }) => ({
    ...{ key, mediaId, name, mimeType, bytes, sha256 },
  }));
  await db.mediaFile.createMany({ data });
  await db.fileDeletion.updateMany({ where: { key: upload.key }, data: { dueAt: inner.now() } });
}
