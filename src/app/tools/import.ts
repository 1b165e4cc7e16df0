import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readConfig } from '../../config/config.js';
import { StartError } from '../../platform/database/database.js';
import { importFrom } from '../moving/importing.service.js';
import { readMapping } from '../moving/mapping/mapping.js';
import { MysqlSource } from '../moving/mysql-source.js';
import { WxrSource } from '../moving/wxr/wxr-source.js';
import { requireDatabase, withDeps } from './with-deps.js';

const USAGE = `Usage: npm run import -- SOURCE [--uploads FOLDER] [--mapping FILE] [--check] [--overwrite] [--json FILE]
  SOURCE         mysql://USER:PASSWORD@HOST/DATABASE, or an export of content: FILE.xml or FILE.xml.gz (WXR)
  --uploads FOLDER  the original's folder of uploads: takes over the files of its media
  --mapping FILE where reminders and other rows of applications stand: YAML or JSON
  --check        reads everything, writes nothing, and reports what would happen
  --overwrite    takes the original's rows also where people have changed them here
  --json FILE    writes the report as JSON too`;

/** A line of progress is written at most so often, in milliseconds. */
const PAUSE = 5_000;

/** Where the tool writes. */
export interface ImportOutput {
  readonly say: (line: string) => void;
}

/**
 * Runs `npm run import`: takes over accounts and content of a database of the original into the one
 * that the environment names. The embedded database must not be open. Returns the exit code: 1 when a
 * row was refused. Throws StartError.
 */
export async function importTool(
  environment: NodeJS.ProcessEnv,
  args: readonly string[],
  { say }: ImportOutput,
): Promise<number> {
  const { address, check, overwrite, json, mapping: file, uploads } = readArguments(args);
  const config = readConfig(environment);
  requireDatabase(config);
  const mapping = file ? await readMapping(file) : [];
  const source = await sourceAt(address);
  try {
    if (file && source instanceof WxrSource)
      throw new StartError('--mapping needs a database: an export has no tables of applications.');
    const progress = progressLines(say);
    const report = await withDeps(config, (deps) =>
      importFrom(source, deps, { check, overwrite, mapping, uploads, progress }),
    );
    for (const line of report.lines()) say(line);
    if (json) await writeFile(json, `${JSON.stringify(report, undefined, 2)}\n`);
    if (check) say('Nothing was written: --check.');
    return [...report.kinds.values()].some(({ refused }) => refused > 0) ? 1 : 0;
  } finally {
    await source.close();
  }
}

const DATABASE = /^(?:mysql|mariadb):\/\//;

/** Opens a database of the original by its address, or an export by its name. */
const sourceAt = (address: string): Promise<MysqlSource | WxrSource> =>
  DATABASE.test(address)
    ? MysqlSource.open(address.replace(DATABASE, 'mysql://'))
    : WxrSource.open(address);

function readArguments(args: readonly string[]) {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (cause) {
    throw new StartError(`${(cause as Error).message}\n${USAGE}`, { cause });
  }
  const { values, positionals } = parsed;
  const [address, ...more] = positionals;
  if (!address || more.length > 0) throw new StartError(USAGE);
  return { ...values, address };
}

const parse = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      check: { type: 'boolean', default: false },
      overwrite: { type: 'boolean', default: false },
      json: { type: 'string' },
      mapping: { type: 'string' },
      uploads: { type: 'string' },
    },
  });

/** Says how far each kind is: when it is done, and every five seconds. */
function progressLines(say: (line: string) => void) {
  let last = Date.now();
  return (kind: string, done: number, all: number) => {
    if (done < all && Date.now() - last < PAUSE) return;
    last = Date.now();
    say(`${kind}: ${done} of ${all}`);
  };
}
