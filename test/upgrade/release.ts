// The release before this one, built from its commit.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/platform/root.js';

/** Version and commit of the last release. */
const [version = '', commit = ''] = readFileSync(join(projectRoot, '.ci/released'), 'utf8')
  .trim()
  .split(' ');

/** Returns the folder of the last release, ready to run on PostgreSQL. Builds it the first time. */
export function releasedTree(): string {
  const folder = join(projectRoot, '.cache/releases', `${version}-${commit.slice(0, 12)}`);
  if (existsSync(join(folder, 'dist-service/.made'))) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const unpack = `git archive ${commit} | tar --extract --directory "$FOLDER"`;
  done(
    'Unpacking',
    spawnSync('bash', ['-o', 'pipefail', '-c', unpack], options(projectRoot, folder)),
  );
  const prepare = "await (await import('./scripts/prepare.mjs')).prepare('start')";
  const args = ['--input-type=module', '--eval', prepare];
  done('Building', spawnSync(process.execPath, args, options(folder, folder)));
  return folder;
}

const options = (cwd: string, folder: string) => ({
  cwd,
  encoding: 'utf8' as const,
  env: {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    FOLDER: folder,
    DATABASE_URL: 'postgres://of-no-use.invalid/care', // it needs no embedded database
  },
});

function done(what: string, { status, stderr }: { status: number | null; stderr: string }): void {
  const hint = 'A shallow clone lacks its commit: git fetch --unshallow.';
  if (status !== 0) throw new Error(`${what} release ${version} failed. ${hint}\n${stderr}`);
}
