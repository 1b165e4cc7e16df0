import type { RequestContext } from '../../core/context.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { Database } from '../../platform/database/database.js';
import { keyPath } from '../../platform/storage/folder-storage.js';

const { sql } = Prisma;

type Db = RequestContext['db'];

/** How many keys are read at a time. */
const BATCH = 10_000;

/** The name in a backup of the file of a key. */
export const nameOfKey = (key: string): string => `files/${keyPath(key).join('/')}`;

/** Returns the keys of files of media that are not among files by name. */
export async function missingMedia(
  db: Db,
  files: Readonly<Record<string, unknown>>,
): Promise<string[]> {
  const missing: string[] = [];
  for (let last = ''; ; ) {
    const rows = await db.$queryRaw<{ key: string }[]>(
      sql`SELECT key FROM media_file WHERE key > ${last} ORDER BY key LIMIT ${BATCH}`,
    );
    for (const { key } of rows) if (!Object.hasOwn(files, nameOfKey(key))) missing.push(key);
    last = rows.at(-1)?.key ?? '';
    if (rows.length < BATCH) return missing;
  }
}

/** Returns those of some keys whose media were not deleted since, with their files. */
export async function stillNamed({ db }: Database, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const rows = await db.$queryRaw<{ key: string }[]>(
    sql`SELECT key FROM media_file WHERE key = ANY(${keys}) ORDER BY key`,
  );
  return rows.map(({ key }) => key);
}
