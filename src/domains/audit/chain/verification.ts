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
 * Where the audit is read from: a database, or rows in memory. Every stream rises and is read once.
 */
export interface AuditSource {
  checkpoint(): Promise<Checkpoint | undefined>;
  seals(): AsyncIterable<Seal>;
  /** The heads that these seals have; nothing for those that are not there. */
  heads(numbers: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Rows that say they belong to a seal. */
  rows(seal: number): AsyncIterable<AuditRow>;
  /** Rows without a seal. */
  loose(): AsyncIterable<LooseRow>;
  /** Rows of seals that are not there, or were pruned: up to the number `pruned`. */
  stray(pruned: number): AsyncIterable<{ id: string; seal: number }>;
}

/** Something that is not as it was written. */
export interface Finding {
  /** Id of the row, when it is about one. */
  readonly row?: string;
  /** Number of the seal. */
  readonly seal?: number;
  readonly what: string;
}

/** What was looked at so far. */
export interface Progress {
  seals: number;
  rows: number;
  /** Rows that wait for their seal. */
  loose: number;
}

/**
 * Compares the audit with its seals, and the seals with each other, with the keys and with heads
 * that were exported; returns what does not agree. Rows that were edited, removed, inserted or
 * exchanged are named by id; seals likewise; a tail that was cut is found when a head of it is
 * known. Seals under a forgotten key hold as long as one under a known key follows, since each head
 * covers those before. Reads in streams: memory does not grow with the audit.
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

/** How the chain stands: the number and the head of a seal. */
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

/** Exported heads that are looked up at once. */
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

/** Rows that are not sealed yet are vouched for by their own macs. */
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
