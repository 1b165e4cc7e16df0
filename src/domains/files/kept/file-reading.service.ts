import type { Deps } from '../../../core/deps.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { isKey } from '../../../platform/storage/storage.js';
import type { KeptFile } from './kept-file.js';

/**
 * Returns the file of a medium at an address; undefined when there is none. Whoever knows the address
 * may read it, as at the original platform: its key is secret, and nothing lists those of media that
 * the reader may not see.
 */
export async function fileAt(
  { database }: Deps,
  key: string,
  name: string,
): Promise<KeptFile | undefined> {
  if (!isKey(key)) return undefined;
  const { text, values } = Prisma.sql`
    SELECT key, name, mime_type AS "mimeType", bytes, sha256 FROM media_file
    WHERE key = ${key} AND name = ${name}`;
  const [file] = await database.query<KeptFile>(text, values);
  return file;
}

/**
 * Returns the file that stood at a path below the original's folder of uploads; undefined when none
 * was imported. Of several media with one file, that of the first.
 */
export async function importedFileAt(
  { database }: Deps,
  path: string,
): Promise<KeptFile | undefined> {
  const { text, values } = Prisma.sql`
    SELECT key, name, mime_type AS "mimeType", bytes, sha256 FROM media_file
    WHERE path = ${path} ORDER BY media_id LIMIT 1`;
  const [file] = await database.query<KeptFile>(text, values);
  return file;
}
