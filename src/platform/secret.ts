import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from './database/database.js';

/** Characters that a key has at least. */
const LEAST = 32;

/** The file of a data directory that holds its key. */
export const secretFile = (dataDir: string): string => join(dataDir, 'secret.key');

/**
 * Returns the secret key stored in a data directory. Creates it on the first call; only its owner
 * can read it. Throws StartError for a file that cannot be read or holds no key.
 */
export async function storedSecret(dataDir: string): Promise<string> {
  const file = secretFile(dataDir);
  await mkdir(dataDir, { recursive: true });
  await writeFile(file, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  const secret = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new StartError(`The key in ${file} cannot be read (${cause.code}).`, { cause });
  });
  if (secret.length < LEAST)
    throw new StartError(`${file} holds no key: restore it from a backup, or set SECRET_KEY.`);
  return secret;
}
