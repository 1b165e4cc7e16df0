import { join } from 'node:path';
import { FolderStorage } from './folder-storage.js';
import { type Bucket, S3Storage } from './s3-storage.js';
import type { Storage } from './storage.js';

interface Settings {
  readonly DATA_DIR: string;
  readonly STORAGE_URL?: Bucket | undefined;
}

/** Returns the storage for files: the bucket of STORAGE_URL, else the folder `files` of DATA_DIR. */
export const openStorage = ({ DATA_DIR, STORAGE_URL }: Settings): Storage =>
  STORAGE_URL ? new S3Storage(STORAGE_URL) : new FolderStorage(join(DATA_DIR, 'files'));
