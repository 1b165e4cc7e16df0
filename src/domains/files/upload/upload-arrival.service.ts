import type { Readable } from 'node:stream';
import type { Deps } from '../../../core/deps.js';
import { refuse } from '../../../core/errors.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { FolderStorage } from '../../../platform/storage/folder-storage.js';
import { uploadNotFound } from './staged-upload.service.js';
import { ARRIVAL, type UploadRow } from './upload.row.js';
import { UPLOAD_COLUMNS } from './upload.sql.js';
import { readUploadAddress } from './upload-address.js';

const { sql } = Prisma;

/** An upload whose file may arrive now. */
export interface ExpectedUpload extends Pick<UploadRow, 'id' | 'key' | 'bytes'> {
  /** Until when it may arrive, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/**
 * Returns the upload whose file may be sent to an address. Throws UPLOAD_NOT_FOUND when it is none of
 * this service, or has expired, when its account is gone or suspended, and when a medium was made of it.
 */
export async function expectedUpload(
  { keys, database, clock }: Deps,
  key: string,
  query: URLSearchParams,
): Promise<ExpectedUpload> {
  const address = readUploadAddress(keys, key, query);
  if (!address || address.expiresAt <= clock()) throw uploadNotFound();
  const { text, values } = sql`SELECT ${UPLOAD_COLUMNS} FROM upload u
    JOIN account a ON a.id = u.account_id AND a.suspended_at IS NULL
    WHERE u.key = ${key} AND u.used_at IS NULL AND u.created_at > ${new Date(clock() - ARRIVAL)}`;
  const [upload] = await database.query<UploadRow>(text, values);
  if (!upload) throw uploadNotFound();
  return { ...upload, expiresAt: address.expiresAt };
}

/**
 * Takes the file of an upload into the folder, chunk by chunk. Its bytes are counted: the first that
 * is too many ends it. The same file may come again, as after a lost response. Throws
 * UPLOAD_SIZE_WRONG, and UPLOAD_CHANGED when another file came to the address before. Then, and when
 * `body` fails, nothing of it is left.
 */
export async function receiveUpload(
  deps: Deps,
  { id, key, bytes }: ExpectedUpload,
  body: Readable,
): Promise<void> {
  const { storage } = deps;
  if (!(storage instanceof FolderStorage)) throw uploadNotFound();
  const arrived = await storage.receive(atMost(body, bytes));
  try {
    if (arrived.bytes !== bytes) throw sizeWrong(bytes);
    await noteArrival(deps, id, arrived.sha256);
    await arrived.keep(key);
  } catch (error) {
    await arrived.drop();
    throw error;
  }
}

/** Leaves the body open when it ends: the caller still reads why. */
async function* atMost(body: Readable, most: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > most) throw sizeWrong(most);
    yield chunk;
  }
}

/** The refusal of a file that has not as many bytes as were announced, UPLOAD_SIZE_WRONG. */
export const sizeWrong = (bytes: number) =>
  refuse('UPLOAD_SIZE_WRONG', `The file was announced with ${bytes} bytes.`);

/** Of several requests at once that bring different files, the first to end wins. */
async function noteArrival({ database }: Deps, id: number, sha256: string): Promise<void> {
  const { count } = await database.prisma.upload.updateMany({
    where: { id, usedAt: null, OR: [{ sha256: null }, { sha256 }] },
    data: { sha256 },
  });
  if (count === 0)
    throw refuse('UPLOAD_CHANGED', 'Another file came to this address before: announce a new one.');
}
