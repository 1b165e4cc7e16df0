import { parseArgs } from 'node:util';
import { readConfig } from '../../config/config.js';
import type { RequestContext } from '../../core/context.js';
import type { Deps } from '../../core/deps.js';
import { serviceContext } from '../../core/service-context.js';
import { type Head, parseHead } from '../../domains/audit/chain/audit.seal.js';
import { pruneAudit } from '../../domains/audit/chain/pruning.service.js';
import { verify } from '../../domains/audit/chain/verification.js';
import { databaseSource } from '../../domains/audit/chain/verification.service.js';
import { StartError } from '../../platform/database/database.js';
import { linesOf } from '../../platform/journal.js';
import { withDeps } from './with-deps.js';

/** Where the lines of a command are written. */
export interface Output {
  /** A result. */
  say(line: string): void;
  /** The progress. */
  note(line: string): void;
}

const USAGE = `Usage:
  npm run audit:verify [-- --head "NUMBER ROW HEAD"] [-- --heads FILE]   compares the audit with its seals and its exported heads
  npm run audit:prune -- --before DATE                                   verifies, then deletes what was sealed before`;

/**
 * Runs `npm run audit:verify` or `npm run audit:prune` on the database that the environment names.
 * Returns the exit code: 0 when the audit is whole, 1 when anything in it differs from what was
 * written. Throws StartError when the command cannot run.
 */
export async function auditTool(
  environment: NodeJS.ProcessEnv,
  args: readonly string[],
  output: Output,
): Promise<number> {
  const run = auditCommand(args);
  return withDeps(readConfig(environment), (deps) => run(deps, output));
}

/**
 * Returns what the arguments of `npm run audit:verify` or `npm run audit:prune` do with an open
 * database. It returns the exit code. Throws StartError for arguments that they do not have.
 */
export function auditCommand(
  args: readonly string[],
): (deps: Deps, output: Output) => Promise<number> {
  const { command, head, heads, before } = readArguments(args);
  return async (deps, output) => {
    const context = await serviceContext(deps, 'audit command');
    const whole = await verifyAudit(
      context,
      headsFrom(heads === undefined ? deps.config.AUDIT_HEAD_FILE : await named(heads), head),
      output,
    );
    if (!whole || command === 'verify') return whole ? 0 : 1;
    output.say(
      `Pruned ${await pruneAudit(context, before as Date)} rows; the audit begins at a signed checkpoint.`,
    );
    return 0;
  };
}

/** Prints a line for each difference from what was written. Returns whether there was none. */
export async function verifyAudit(
  context: RequestContext,
  heads: AsyncIterable<Head>,
  output: Output,
): Promise<boolean> {
  const progress = { seals: 0, rows: 0, loose: 0 };
  const counted = { heads: 0 };
  const timer = setInterval(
    () => output.note(`… ${progress.rows} rows in ${progress.seals} seals`),
    5_000,
  );
  let findings = 0;
  try {
    for await (const { row, seal, what } of verify(
      databaseSource(context),
      context.deps.keys,
      counting(heads, counted),
      progress,
    )) {
      findings++;
      output.say(
        row === undefined
          ? `seal ${seal}: ${what}`
          : `row ${row}: ${what}${seal ? ` (seal ${seal})` : ''}`,
      );
    }
  } finally {
    clearInterval(timer);
  }
  const extent = `${progress.rows} rows in ${progress.seals} seals, ${progress.loose} not sealed yet, ${counted.heads} exported heads`;
  output.say(findings > 0 ? `${findings} findings: ${extent}.` : `The audit is whole: ${extent}.`);
  if (counted.heads === 0)
    output.note('Without an exported head, a tail that was cut cannot be seen.');
  return findings === 0;
}

async function* counting(
  heads: AsyncIterable<Head>,
  counted: { heads: number },
): AsyncGenerator<Head> {
  for await (const head of heads) {
    counted.heads++;
    yield head;
  }
}

/**
 * Returns the file of heads that the arguments name. Throws StartError where it has none: without a
 * head the check would not see that the tail was cut.
 */
async function named(file: string): Promise<string> {
  for await (const line of linesOf(file)) if (parseHead(line)) return file;
  throw new StartError(`--heads: there is no head in ${file}.`);
}

async function* headsFrom(file: string, given: Head | undefined): AsyncGenerator<Head> {
  if (given) yield given;
  for await (const line of linesOf(file)) {
    const head = parseHead(line);
    if (head) yield head;
  }
}

interface Arguments {
  readonly command: 'verify' | 'prune';
  readonly head: Head | undefined;
  readonly heads: string | undefined;
  readonly before: Date | undefined;
}

function readArguments(args: readonly string[]): Arguments {
  const { positionals, values } = parse(args);
  const [command] = positionals;
  if ((command !== 'verify' && command !== 'prune') || positionals.length > 1)
    throw new StartError(USAGE);
  const head = values.head === undefined ? undefined : parseHead(values.head);
  if (values.head !== undefined && !head)
    throw new StartError(
      '--head must be the number of a seal, a row and a head, as the log names them.',
    );
  const before = values.before === undefined ? undefined : new Date(values.before);
  if (command === 'prune' && !(before && before.getTime() > 0))
    throw new StartError('--before must be a date such as 2026-01-31.');
  return { command, head, heads: values.heads, before };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { head: text, heads: text, before: text },
    });
  } catch {
    throw new StartError(USAGE);
  }
}
