import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Returns why this process could not write into a folder, which need not be there yet; undefined
 * when it could. Changes nothing.
 */
export function whyNoFolder(path: string): string | undefined {
  const kind = kindOf(path);
  if (kind === 'folder') return whyNotWritten(path, constants.W_OK | constants.X_OK);
  if (kind === 'file' || dirname(path) === path) return `cannot be written: ${path} is no folder`;
  return whyNoFolder(dirname(path));
}

/**
 * Returns why this process could not append to a file, which need not be there yet; undefined when
 * it could. Changes nothing.
 */
export function whyNoFile(path: string): string | undefined {
  const kind = kindOf(path);
  if (kind === 'folder') return 'is a folder';
  return kind === 'file'
    ? whyNotWritten(path, constants.R_OK | constants.W_OK)
    : whyNoFolder(dirname(path));
}

function kindOf(path: string): 'folder' | 'file' | undefined {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch {
    return undefined; // it is not there, or a folder above it says why it cannot be
  }
}

function whyNotWritten(path: string, mode: number): string | undefined {
  try {
    accessSync(path, mode);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return `cannot be written: ${path} is refused to this user (${code})`;
  }
}
