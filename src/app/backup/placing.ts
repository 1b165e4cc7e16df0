import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../../config/config.js';
import { StartError } from '../../platform/database/database.js';
import { HEADS, KEY_FILE, measureOf } from './data-files.js';
import type { Manifest, Measure } from './manifest.js';

/** Throws StartError when a file stands where one of the backup belongs, unless its bytes are the same. */
export async function requirePlaces(config: Config, { files }: Manifest): Promise<void> {
  for (const [name, measure] of Object.entries(files))
    if (name !== KEY_FILE) await isPlaced(placeOf(config, name), measure);
}

/**
 * Moves files of a backup from a folder to their places, and notes these. One that is there with the same
 * bytes stays: a restore that was killed left it. Throws as `requirePlaces` does.
 */
export async function placeFiles(
  config: Config,
  { files }: Manifest,
  from: string,
  placed: string[],
): Promise<void> {
  for (const [name, measure] of Object.entries(files)) {
    const place = placeOf(config, name);
    if (name === KEY_FILE && (config.SECRET_KEY || existsSync(place))) continue;
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    if (await isPlaced(place, measure)) continue;
    placed.push(place);
    await moveFile(join(from, name), place);
  }
}

/** Runs work that gives files their places, which are removed when it fails. */
export async function orRemove(work: (placed: string[]) => Promise<void>): Promise<void> {
  const placed: string[] = [];
  try {
    await work(placed);
  } catch (error) {
    for (const place of placed) await rm(place, { force: true });
    throw error;
  }
}

async function isPlaced(place: string, measure: Measure): Promise<boolean> {
  if (!existsSync(place)) return false;
  if (isDeepStrictEqual(await measureOf(place), measure)) return true;
  throw new StartError(`${place} is there already: restore into another DATA_DIR.`);
}

const placeOf = ({ DATA_DIR, AUDIT_HEAD_FILE }: Config, name: string) =>
  name === HEADS ? AUDIT_HEAD_FILE : join(DATA_DIR, name);

/** Moves a file, by a copy alone where its place is on another device. */
async function moveFile(from: string, to: string): Promise<void> {
  await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EXDEV') throw error;
    await copyFile(from, `${to}.part`);
    await rename(`${to}.part`, to);
  });
}
