import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

function nearestPackage(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder)
    throw new Error('No package.json above this module: the project was copied without it.');
  return nearestPackage(parent);
}

/**
 * Absolute path of the project root: the nearest folder above this module that holds package.json.
 */
export const projectRoot: string = nearestPackage(dirname(fileURLToPath(import.meta.url)));
