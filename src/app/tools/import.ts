import { statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readConfig } from '../../config/config.js';
import type { Deps } from '../../core/deps.js';
import { StartError } from '../../platform/database/database.js';
import { sentenceOf } from '../backup/making.js';
import { importFrom } from '../moving/importing.service.js';
import { readMapping } from '../moving/mapping/mapping.js';
import { MysqlSource } from '../moving/mysql-source.js';
import { importLines } from '../moving/ndjson/ndjson-import.service.js';
import { NdjsonSource } from '../moving/ndjson/ndjson-source.js';
import { Report } from '../moving/report.js';
import { WxrSource } from '../moving/wxr/wxr-source.js';
import { progressOf } from './progress.js';
import { requireDatabase, withDeps } from './with-deps.js';

const USAGE = `Usage: npm run import -- SOURCE… [--uploads FOLDER] [--mapping FILE] [--since INSTANT]
                                     [--check] [--overwrite] [--json FILE]
  SOURCE         mysql://USER:PASSWORD@HOST/DATABASE, an export of its content: FILE.xml or FILE.xml.gz (WXR),
                 or an export of this service: its FOLDER, or its lines alone (FILE.ndjson)
                 Several are imported one after the other, each with a report of its own.
  --uploads FOLDER  the original's folder of uploads: takes over the files of its media
  --mapping FILE where reminders and other rows of applications stand: YAML or JSON
  --since INSTANT   when the source was stopped, such as 2026-03-10T10:00:00Z: what was due since then is made up for
  --check        reads everything, writes nothing, and reports what would happen
  --overwrite    takes the original's rows also where people have changed them here
  --json FILE    writes the report as JSON too`;

/** Where the tool writes. */
export interface ImportOutput {
  readonly say: (line: string) => void;
}

/** A source that is open, and what becomes of its rows. */
interface Opened {
  /** Without the password. */
  readonly name: string;
  readonly source: MysqlSource | NdjsonSource | WxrSource;
  readonly report: Report;
}

/**
 * Runs `npm run import`: takes over accounts and content of databases of the original, of its exports, or of
 * exports of this service, one after the other, into the database that the environment names. All are opened
 * before anything is written. The embedded database must not be open; for exports of this service alone it
 * is made where there is none. Returns the exit code: 1 when a row was refused. Throws StartError.
 */
export async function importTool(
  environment: NodeJS.ProcessEnv,
  args: readonly string[],
  { say }: ImportOutput,
): Promise<number> {
  const { addresses, json, ...options } = readArguments(args);
  const config = readConfig(environment);
  const areOwn = addresses.every(isOwnExport);
  if (!areOwn || options.check) requireDatabase(config);
  const told = { areSeveral: addresses.length > 1, json };
  const shown = progressOf(say);
  const opened: Opened[] = [];
  try {
    for (const address of addresses)
      opened.push({ name: nameOf(address), source: await open(address), report: new Report() });
    refuseOptions(opened, options);
    const mapping = options.mapping ? await readMapping(options.mapping) : [];
    const importAll = async (deps: Deps) => {
      const since =
        options.since === undefined ? undefined : stoppedAt(options.since, deps.clock());
      for (const { name, source, report } of opened) {
        if (told.areSeveral) say(`\n${name}`);
        const how = { ...options, since, report, progress: shown.step };
        await (source instanceof NdjsonSource
          ? importLines(source, deps, how)
          : importFrom(source, deps, {
              ...how,
              mapping: source instanceof MysqlSource ? mapping : [],
            }));
      }
    };
    const run = withDeps(config, importAll, { mayMake: areOwn && !options.check });
    await run.catch(async (error) => {
      shown.end();
      // What was done until then; of two faults the first is told.
      const begun = opened.filter(({ report }) => report.kinds.size > 0);
      if (begun.length > 0) await tell(begun, told, say).catch(() => undefined);
      throw sentenceOf(error, 'the import did not end; run it again, and it goes on');
    });
    shown.end();
    await tell(opened, told, say);
    if (options.check) say('Nothing was written: --check.');
    const isRefused = ({ report }: Opened) =>
      [...report.kinds.values()].some(({ refused }) => refused > 0);
    return opened.some(isRefused) ? 1 : 0;
  } finally {
    shown.end();
    for (const { source } of opened) await source.close();
  }
}

/** Throws StartError for options that none of the sources has a use for. */
function refuseOptions(
  opened: readonly Opened[],
  { mapping, uploads }: { readonly mapping?: string; readonly uploads?: string },
): void {
  if (mapping && !opened.some(({ source }) => source instanceof MysqlSource))
    throw new StartError('--mapping needs a database: an export has no tables of applications.');
  if (uploads && opened.every(({ source }) => source instanceof NdjsonSource))
    throw new StartError('--uploads is of the original: files of this service lie in its export.');
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

/**
 * Prints reports of sources, and writes them to a file: of several sources as a list, each with the name of its
 * `source`. Throws StartError where it cannot be written.
 */
async function tell(
  reports: readonly Opened[],
  { areSeveral, json }: { readonly areSeveral: boolean; readonly json?: string | undefined },
  say: ImportOutput['say'],
): Promise<void> {
  for (const { name, report } of reports) {
    if (areSeveral) say(`\n${name}`);
    for (const line of report.lines()) say(line);
  }
  if (!json) return;
  const named = reports.map(({ name, report }) => ({ source: name, ...report.toJSON() }));
  const written = areSeveral ? named : reports[0]?.report;
  await writeFile(json, `${JSON.stringify(written, undefined, 2)}\n`).catch((cause: Error) => {
    throw new StartError(`The report cannot be written: ${cause.message}.`, { cause });
  });
}

/** Whether an address is that of an export of this service: a folder, or a file of lines. */
const isOwnExport = (address: string): boolean =>
  address.endsWith('.ndjson') ||
  (statSync(address, { throwIfNoEntry: false })?.isDirectory() ?? false);

const DATABASE = /^(?:mysql|mariadb):\/\//;

/** Opens a database of the original by its address, or an export by its name. */
async function open(address: string): Promise<Opened['source']> {
  if (isOwnExport(address)) return NdjsonSource.open(address);
  return DATABASE.test(address)
    ? MysqlSource.open(address.replace(DATABASE, 'mysql://'))
    : WxrSource.open(address);
}

/** Returns what a source is called: an address of a database without who signs in to it. */
const nameOf = (address: string): string =>
  DATABASE.test(address) ? address.replace(/\/\/[^/]*@/, '//') : address;

function readArguments(args: readonly string[]) {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (cause) {
    throw new StartError(`${(cause as Error).message}\n${USAGE}`, { cause });
  }
  const { values, positionals } = parsed;
  if (positionals.length === 0) throw new StartError(USAGE);
  return { ...values, addresses: positionals };
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
      since: { type: 'string' },
      uploads: { type: 'string' },
    },
  });
