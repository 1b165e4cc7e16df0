import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readConfig } from '../../config/config.js';
import type { RequestContext } from '../../core/context.js';
import { DomainError } from '../../core/errors.js';
import { serviceContext } from '../../core/service-context.js';
import { type FileModel, readModelFile } from '../../domains/models/file/model-file.js';
import {
  compareModels,
  exportModels,
  importModels,
  type ModelComparison,
} from '../../domains/models/file/model-file.service.js';
import { StartError } from '../../platform/database/database.js';
import { withDeps } from './with-deps.js';

type Say = (line: string) => void;

const USAGE = `Usage: npm run models -- COMMAND FILE
  export FILE               writes all definitions to a file
  diff FILE                 prints how the file differs from the database; exit code 1 when it does
  import FILE [--lose N]    makes definitions as the file has them; at most N values of items may be lost`;

/**
 * Runs `npm run models` on the database that the environment names. The embedded database must not
 * be open, so the service must be stopped first. Returns the exit code: 1 when `diff` finds a
 * difference. Throws StartError with one sentence when the command cannot be done.
 */
export async function modelsTool(
  environment: NodeJS.ProcessEnv,
  args: readonly string[],
  say: Say,
): Promise<number> {
  const { command, file, lose } = readArguments(args);
  const models = command === 'export' ? [] : await readModels(file);
  const config = readConfig(environment);
  try {
    return await withDeps(config, async (deps) => {
      const context = await serviceContext(deps, 'models command');
      return COMMANDS[command](context, { file, models, lose, say });
    });
  } catch (error) {
    throw error instanceof DomainError ? new StartError(error.message) : error;
  }
}

interface CommandInput {
  readonly file: string;
  readonly models: readonly FileModel[];
  readonly lose: number;
  readonly say: Say;
}

const COMMANDS = {
  async export(context: RequestContext, { file, say }: CommandInput): Promise<number> {
    await writeFile(file, await exportModels(context));
    say(`The definitions are in ${file}.`);
    return 0;
  },
  async diff(context: RequestContext, { models, say }: CommandInput): Promise<number> {
    const compared = (await compareModels(context, models)).filter(({ state }) => state !== 'same');
    for (const comparison of compared) for (const line of linesOf(comparison)) say(line);
    if (compared.length === 0) say('There is no difference.');
    return compared.length === 0 ? 0 : 1;
  },
  async import(context: RequestContext, { models, lose, say }: CommandInput): Promise<number> {
    const done = await importModels(context, models, lose);
    for (const comparison of done) for (const line of linesOf(comparison)) say(line);
    say(done.length === 0 ? 'There was nothing to change.' : `${done.length} definitions changed.`);
    return 0;
  },
} as const;

function linesOf({ name, state, differences }: ModelComparison): string[] {
  if (state === 'new') return [`+ ${name}`];
  if (state === 'absent') return [`- ${name}: not in the file`];
  const shown = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value));
  return differences.map(
    ({ what, before, after }) => `~ ${name}: ${what}: ${shown(before)} becomes ${shown(after)}`,
  );
}

async function readModels(file: string): Promise<FileModel[]> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new StartError(`${file} cannot be read.`);
  });
  try {
    return readModelFile(text);
  } catch (error) {
    throw error instanceof DomainError ? new StartError(error.message) : error;
  }
}

function readArguments(args: readonly string[]) {
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { lose: { type: 'string' } },
    });
    const [command = '', file] = positionals;
    const lose = Number(values.lose ?? 0);
    const known = command === 'export' || command === 'diff' || command === 'import';
    if (known && file && positionals.length === 2 && Number.isInteger(lose) && lose >= 0)
      return { command, file, lose } as const;
  } catch {
    // Arguments that parseArgs rejects get the usage, like an unknown command.
  }
  throw new StartError(USAGE);
}
