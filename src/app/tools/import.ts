import { statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../../config/config.js';
import { StartError } from '../../platform/database/database.js';
import { sentenceOf } from '../backup/making.js';
import { importFrom } from '../moving/importing.service.js';
import { readMapping } from '../moving/mapping/mapping.js';
import { MysqlSource, type SourceChoice } from '../moving/mysql-source.js';
import { importLines } from '../moving/ndjson/ndjson-import.service.js';
import { NdjsonSource } from '../moving/ndjson/ndjson-source.js';
import { Report } from '../moving/report.js';
import { WxrSource } from '../moving/wxr/wxr-source.js';
import { progressOf } from './progress.js';
import { hasDatabase, withDeps } from './with-deps.js';

const USAGE = `Usage: npm run import -- SOURCE… [--uploads FOLDER] [--mapping FILE] [--prefix PREFIX]
                                     [--charset CHARSET] [--zone CITY] [--since INSTANT] [--check] [--overwrite]
                                     [--json FILE]
  SOURCE         mysql://USER@HOST/DATABASE, its password in SOURCE_PASSWORD, an export of its content: FILE.xml or FILE.xml.gz (WXR), several
                 where it has parts, or an export of this service: its FOLDER, or its lines alone (FILE.ndjson)
  --uploads FOLDER  the original's folder of uploads: takes over the files of its media
  --mapping FILE where reminders and other rows of applications stand: YAML or JSON
  --prefix PREFIX   of the tables of the site, such as wp_2_, where the database has several sites
  --charset CHARSET as which a database has its texts, such as latin1: the original's DB_CHARSET where it is not utf8mb4
  --zone CITY       the time zone of the site, such as Asia/Tehran, in place of the one that its settings have
  --since INSTANT   when the source was stopped, such as 2026-03-10T10:00:00Z: what was due since then is made up for
  --check        reads everything, writes nothing, and reports what would happen
  --overwrite    takes the original's rows also where people have changed them here
  --json FILE    writes the report as JSON too`;

/** Where the tool writes. */
export interface ImportOutput {
  readonly say: (line: string) => void;
}

/**
 * Runs `npm run import`: takes over accounts and content of a database of the original, or an export of
 * this service, into the database that the environment names. The embedded database must not be open, and is
 * made where there is none; a check then looks at an empty one, which is not kept. Returns the exit code: 1 when
 * a row was refused. Throws StartError.
 */
export async function importTool(
  environment: NodeJS.ProcessEnv,
  args: readonly string[],
  { say }: ImportOutput,
): Promise<number> {
  const {
    addresses,
    check,
    overwrite,
    json,
    mapping: file,
    uploads,
    prefix,
    charset,
    zone,
    since: stopped,
  } = readArguments(args);
  const config = readConfig(environment);
  const mapping = file ? await readMapping(file) : [];
  const access = { prefix, charset, password: environment.SOURCE_PASSWORD };
  const source = await open(addresses, access).catch((error: unknown) => {
    throw sentenceOf(error, 'the import did not begin');
  });
  const shown = progressOf(say);
  const report = new Report();
  const scratch =
    check && !hasDatabase(config) ? await mkdtemp(join(tmpdir(), 'care-check-')) : undefined;
  try {
    if (file && !(source instanceof MysqlSource))
      throw new StartError('--mapping needs a database: an export has no tables of applications.');
    if (zone !== undefined && source instanceof NdjsonSource)
      throw new StartError('--zone is of the original: an export of this service has its own.');
    if (uploads && source instanceof NdjsonSource)
      throw new StartError(
        '--uploads is of the original: files of this service lie in its export.',
      );
    const run = withDeps(
      scratch ? { ...config, DATA_DIR: scratch } : config,
      (deps) => {
        const since = stopped === undefined ? undefined : stoppedAt(stopped, deps.clock());
        const how = { check, overwrite, since, report, progress: shown.step };
        return source instanceof NdjsonSource
          ? importLines(source, deps, how)
          : importFrom(source, deps, { ...how, mapping, uploads, zone });
      },
      { mayMake: true },
    );
    await run.catch(async (error) => {
      shown.end();
      // What was done until then; of two faults the first is told.
      if (report.kinds.size > 0) await tell(report, json, say).catch(() => undefined);
      throw sentenceOf(error, 'the import did not end; run it again, and it goes on');
    });
    shown.end();
    await tell(report, json, say);
    if (check) say('Nothing was written: --check.');
    return [...report.kinds.values()].some(({ refused }) => refused > 0) ? 1 : 0;
  } finally {
    shown.end();
    await source.close();
    if (scratch) await rm(scratch, { recursive: true, force: true });
  }
}

const DAY = 24 * 60 * 60_000;
/** A source was stopped at most so many days ago. */
const LONGEST_STOP = 7;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Returns the instant at which the source was stopped. Throws StartError for one that cannot be. */
export function stoppedAt(text: string, now: number): Date {
  const at = INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  const wrong = Number.isNaN(at)
    ? 'it is no instant such as 2026-03-10T10:00:00Z'
    : at > now
      ? 'it lies in the future'
      : now - at > LONGEST_STOP * DAY && `it is more than ${LONGEST_STOP} days ago`;
  if (wrong) throw new StartError(`--since ${text} is refused: ${wrong}.`);
  return new Date(at);
}

/** Prints a report, and writes it. Throws StartError where it cannot be written. */
async function tell(report: Report, json: string | undefined, say: ImportOutput['say']) {
  for (const line of report.lines()) say(line);
  if (!json) return;
  await writeFile(json, `${JSON.stringify(report, undefined, 2)}\n`).catch((cause: Error) => {
    throw new StartError(`The report cannot be written: ${cause.message}.`, { cause });
  });
}

/** Whether an address is that of an export of this service: a folder, or a file of lines. */
const isOwnExport = (address: string): boolean =>
  address.endsWith('.ndjson') ||
  (statSync(address, { throwIfNoEntry: false })?.isDirectory() ?? false);

const DATABASE = /^(?:mysql|mariadb):\/\//;

/** Opens a database of the original by its address, or an export by its files. Throws StartError. */
async function open(
  addresses: readonly [string, ...string[]],
  access: SourceChoice,
): Promise<MysqlSource | NdjsonSource | WxrSource> {
  const [address] = addresses;
  const isWhole = (one: string) => DATABASE.test(one) || isOwnExport(one);
  if (addresses.length > 1 && addresses.some(isWhole))
    throw new StartError(
      'Several sources are the parts of one export (WXR). A database, and an export of this service, are imported by themselves.',
    );
  if (access.prefix !== undefined && !DATABASE.test(address))
    throw new StartError('--prefix is of the tables of a database: an export has one site.');
  if (access.charset !== undefined && !DATABASE.test(address))
    throw new StartError('--charset is of the texts of a database: an export says its own.');
  if (isOwnExport(address)) return NdjsonSource.open(address);
  return DATABASE.test(address)
    ? MysqlSource.open(address.replace(DATABASE, 'mysql://'), access)
    : WxrSource.open(addresses);
}

function readArguments(args: readonly string[]) {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (cause) {
    throw new StartError(`${(cause as Error).message}\n${USAGE}`, { cause });
  }
  const { values, positionals } = parsed;
  const [address, ...more] = positionals;
  if (!address) throw new StartError(USAGE);
  return { ...values, addresses: [address, ...more] as const };
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
      charset: { type: 'string' },
      prefix: { type: 'string' },
      since: { type: 'string' },
      uploads: { type: 'string' },
      zone: { type: 'string' },
    },
  });
