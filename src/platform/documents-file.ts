import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { StartError } from './database/database.js';

/**
 * Returns the documents of the file of PERSISTED_DOCUMENTS, each with its hash. Throws a StartError for a file
 * that cannot be read, and for a hash of another text.
 */
export function documentsIn(file: string): [string, string][] {
  const entries = Object.entries(jsonOf(file));
  return entries.map(([name, text]) => {
    const hash = name.replace(/^sha256:/, '');
    if (typeof text !== 'string' || createHash('sha256').update(text).digest('hex') !== hash)
      throw wrongFile(`${hash.slice(0, 80)} is not the SHA-256 of its document`);
    return [hash, text];
  });
}

function jsonOf(file: string): object {
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw wrongFile(`it cannot be read: ${(error as Error).message}`);
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw wrongFile('it is no JSON object of documents by their hashes');
  return read;
}

/** Returns the error for a file of documents that is wrong. */
export const wrongFile = (why: string) =>
  new StartError(`The file of PERSISTED_DOCUMENTS: ${why}.`);
