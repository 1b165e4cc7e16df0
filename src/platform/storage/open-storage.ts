import { join } from 'node:path';
import { FolderStorage } from './folder-storage.js';

/** Returns the storage for files: the folder `files` of DATA_DIR. */
export const openStorage = ({ DATA_DIR }: { readonly DATA_DIR: string }) =>
  new FolderStorage(join(DATA_DIR, 'files'));
