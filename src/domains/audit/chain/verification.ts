import type { Keys } from '../../../platform/keys.js';
import { type AuditRow, digestOf, isGenuine } from '../audit.row.js';
import type { LooseRow } from '../audit-row.service.js';
import {
  type Checkpoint,
  type Head,
  headOf,
  isSealed,
  isSigned,
  REJECTED,
  type Seal,
} from './audit.seal.js';

/**
 * The source of an audit: a database, or rows in memory. Every stream is in rising order and is
 * read once.
 */
export interface AuditSource {
  checkpoint(): Promise<Checkpoint | undefined>;
  seals(): AsyncIterable<Seal>;
  /** Returns the heads of these seals; seals that do not exist are missing from the result. */
  heads(numbers: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Rows marked with this seal. */
  rows(seal: number): AsyncIterable<AuditRow>;
  /** Rows without a seal. */
  loose(): AsyncIterable<LooseRow>;
  /** Rows marked with a seal that does not exist or was pruned (number up to `pruned`). */
  stray(pruned: number): AsyncIterable<{ id: string; seal: number }>;
}

/** A difference from what was written. */
export interface Finding {
  /** Id of the row, if it concerns one. */
  readonly row?: string;
  /** Number of the seal. */
  readonly seal?: number;
  readonly what: string;
}

/** Counts of what was checked so far. */
export interface Progress {
  seals: number;
  rows: number;
  /** Rows without a seal. */
  loose: number;
}

/**
 * Compares the audit with its seals, and the seals with each other, with the keys and with exported
 * heads. Yields every difference. Rows and seals that were edited, removed, inserted or exchanged
 * are named. A tail that was cut off is found if a head of it was exported. A seal under a
 * forgotten key is valid if a seal under a known key follows, because each head covers the earlier
 * ones. Reads in streams, so memory does not grow with the audit.
 */
export async function* verify(
  source: AuditSource,
  keys: Keys,
  heads: AsyncIterable<Head> | Iterable<Head> = [],
  progress: Progress = { seals: 0, rows: 0, loose: 0 },
): AsyncGenerator<Finding> {
  const checkpoint = await source.checkpoint();
  const start = checkpoint ?? { number: 0, head: '' };
  if (checkpoint && !isSigned(keys, checkpoint)) {
    yield { seal: start.number, what: 'is a checkpoint that was not signed by this service' };
  }
  yield* checkSeals(source, start, keys, progress);
  yield* checkHeads(source, start, heads);
  for await (const { id, seal } of source.stray(start.number)) {
    yield { row: id, seal, what: 'was inserted: its seal is not there' };
  }
  yield* checkLoose(source.loose(), checkpoint, keys, progress);
}

/** The state of the chain: number and head of a seal. */
type State = Pick<Seal, 'number' | 'head'>;

async function* checkSeals(
  source: AuditSource,
  start: State,
  keys: Keys,
  progress: Progress,
): AsyncGenerator<Finding> {
  let last = start;
  let unknown: Seal | undefined;
  for await (const seal of source.seals()) {
    yield* checkSeal(seal, last, keys);
    if (seal.number <= last.number) continue;
    yield* checkRows(seal, source.rows(seal.number), progress);
    unknown = isSealed(keys, seal) === undefined ? (unknown ?? seal) : undefined;
    progress.seals++;
    last = seal;
  }
  if (!unknown) return;
  yield {
    seal: unknown.number,
    what: `is under the key ${unknown.keyId}, which is none of ours, and so is all that follows`,
  };
}

function* checkSeal(seal: Seal, last: State, keys: Keys): Generator<Finding> {
  const { number } = seal;
  if (number <= last.number) yield { seal: number, what: 'was inserted' };
  else if (number > last.number + 1)
    yield { seal: last.number + 1, what: missing(last.number + 1, number - 1) };
  else if (seal.previous !== last.head)
    yield { seal: number, what: 'does not follow from the one before' };
  if (headOf(seal) !== seal.head) yield { seal: number, what: 'was edited' };
  if (isSealed(keys, seal) === false)
    yield { seal: number, what: 'was not sealed by this service' };
}

const missing = (first: number, last: number) =>
  first === last ? 'was removed' : `was removed, and those after it up to ${last}`;

/** Number of exported heads that are looked up together. */
const HEADS = 500;

async function* checkHeads(
  source: AuditSource,
  start: State,
  heads: AsyncIterable<Head> | Iterable<Head>,
): AsyncGenerator<Finding> {
  const some: Head[] = [];
  for await (const head of heads) {
    if (head.number < start.number) continue;
    some.push(head);
    if (some.length === HEADS) yield* compareHeads(source, start, some.splice(0));
  }
  yield* compareHeads(source, start, some);
}

async function* compareHeads(
  source: AuditSource,
  start: State,
  heads: readonly Head[],
): AsyncGenerator<Finding> {
  if (heads.length === 0) return;
  const found = new Map([
    ...(await source.heads(heads.map(({ number }) => number))),
    [start.number, start.head],
  ]);
  for (const { number, row, head } of heads) {
    const is = found.get(number);
    if (is === undefined)
      yield {
        seal: number,
        what: `was exported with rows up to ${row}, and is gone: the tail was cut`,
      };
    else if (is !== head) yield { seal: number, what: 'is not as it was exported' };
  }
}

async function* checkRows(
  { number, ids, digests }: Seal,
  rows: AsyncIterable<AuditRow>,
  progress: Progress,
): AsyncGenerator<Finding> {
  const expected = new Map(ids.map((id, i) => [id, digests[i]]));
  for await (const row of rows) {
    progress.rows++;
    const what = compareRow(row, expected, { ids, digests });
    if (what) yield { row: row.id, seal: number, what };
    expected.delete(row.id);
  }
  for (const id of expected.keys()) yield { row: id, seal: number, what: 'was removed' };
}

function compareRow(
  row: AuditRow,
  expected: ReadonlyMap<string, string | undefined>,
  { ids, digests }: Pick<Seal, 'ids' | 'digests'>,
): string | undefined {
  if (!expected.has(row.id)) return 'was inserted';
  const digest = expected.get(row.id);
  if (digest === REJECTED) return 'was not written by this service when it was sealed';
  const found = digestOf(row);
  if (found === digest) return undefined;
  const other = digests.indexOf(found);
  return other < 0 ? 'was edited' : `was reordered: it holds what was sealed as row ${ids[other]}`;
}

/** Checks rows without a seal by their own MACs. */
async function* checkLoose(
  rows: AsyncIterable<LooseRow>,
  checkpoint: Checkpoint | undefined,
  keys: Keys,
  progress: Progress,
): AsyncGenerator<Finding> {
  for await (const row of rows) {
    progress.loose++;
    const { id, copied, keyId } = row;
    const genuine = isGenuine(keys, row);
    if (genuine === undefined)
      yield { row: id, what: `is under the key ${keyId}, which is none of ours: it waits` };
    else if (!genuine) yield { row: id, what: 'was not written by this service, or was edited' };
    else if (copied) yield { row: id, what: 'was inserted: it copies another row' };
    else if (checkpoint && Number(row.at) < Number(checkpoint.before)) {
      yield { row: id, what: 'was inserted: it is older than what was pruned' };
    }
  }
}
