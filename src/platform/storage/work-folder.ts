import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Runs work with a new folder inside another, which is deleted afterwards with all that is in it. */
export async function inWorkFolder<T>(
  parent: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(parent, 'work-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Deletes what lies in a folder and has not changed since an instant: the process that worked with it
 * died.
 */
export async function deleteLeftovers(folder: string, before: Date): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const state = await stat(path).catch(() => undefined);
    if (state && state.mtime < before) await rm(path, { recursive: true, force: true });
  }
}
