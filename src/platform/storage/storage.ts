import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';

/** A part of a file: the bytes from `start` to `end`, both included and counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** What may be sent to an address for a PUT. */
export interface PutGrant {
  readonly bytes: number;
  readonly mimeType: string;
  /** Seconds for which the address is good. */
  readonly seconds: number;
}

/** The storage cannot be reached, or cannot do it now. The same may work soon. */
export class StorageOutage extends Error {
  constructor(cause: unknown) {
    super('The storage of files did not answer.', { cause });
  }
}

/**
 * Where files are kept: a folder, or a storage that speaks S3. A file has a key of `newKey`, which
 * says nothing about what it is or whose, and is never changed: another file has another key. Each
 * function throws for a key that `newKey` cannot have made, and StorageOutage.
 */
export interface Storage {
  readonly kind: 'folder' | 's3';
  /** Stores a file whole, or not at all: when `body` fails, nothing of it is left. */
  put(key: string, body: Readable, bytes: number): Promise<void>;
  /** Returns the bytes of a file, or a part of them; undefined when there is no such file. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Deletes a file. Does nothing when there is none, so that it can be repeated. */
  delete(key: string): Promise<void>;
  /** Deletes what began to arrive before an instant and was never whole: its process died. */
  deleteLeftovers?(before: Date): Promise<void>;
  /**
   * Returns an address of the storage itself that takes one file by PUT. Undefined for a folder: the
   * service takes the file then.
   */
  putAddress?(key: string, grant: PutGrant): Promise<string>;
}

const KEY = /^[0-9a-f]{32}$/;

/** Returns the key of a new file: 128 random bits, as hexadecimal digits. */
export const newKey = (): string => randomBytes(16).toString('hex');

/** Returns whether a text is a key of a file. */
export const isKey = (text: string): boolean => KEY.test(text);

/** Throws for what is no key: it could name another place. */
export function requireKey(key: string): void {
  if (!isKey(key)) throw new Error('This is not the key of a file.');
}
