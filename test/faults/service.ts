// The service as a process of its own, on the embedded database, as `npm start` starts it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../src/platform/root.js';
import { whenOver } from '../support/running.js';
import { type Child, run } from './processes.js';

/** The program that `npm start` runs, of the same sources as these tests. */
export const MAIN = join(projectRoot, 'dist-service/main.js');

/** What starts the service, and with which variables. */
export interface Starting {
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Service {
  readonly child: Child;
  readonly port: number;
  readonly url: string;
}

/** A folder for data, removed when the tests of the process are over. */
export function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'care-data-'));
  whenOver(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Variables of the environment under which nothing of the machine's own configuration matters. */
export function variables(own: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: process.env.HOME, SEED: 'none', PORT: '0', ...own };
}

/** Starts the service, and resolves when it is ready. */
export async function startService({
  command = [process.execPath, MAIN],
  environment = {},
}: Starting = {}): Promise<Service> {
  const child = run('the service', command, {
    env: variables({ DATA_DIR: dataFolder(), ...environment }),
  });
  await child.says('"msg":"ready"');
  const port = Number(/"baseUrl":"http:\/\/localhost:(\d+)"/.exec(child.output.text)?.[1]);
  return { child, port, url: `http://127.0.0.1:${port}` };
}
