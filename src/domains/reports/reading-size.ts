import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { pointsOfCells } from '../../core/quota.js';
import type { Subject } from './catalogue/subject.js';
import { hashOf, shareOf } from './noise.js';
import type { Cells, Reading } from './report-source.js';

/** Cells that a question may be of. */
const MOST_CELLS = 50_000;
/** Hashes that all reports of a request may read to count different accounts. */
const MOST_HASHES = 5_000_000;
/** Up to which part of it a limit is off: one cell or account more moves no more than luck does. */
const OFF = 0.02;

/** How much a question would read: all cells of its spans, those too that are not shown. */
export interface ReadingSize {
  readonly all: number;
  /** Hashes of accounts. */
  readonly hashes: number;
}

/** A question's cells before they are read. */
interface Sized extends Pick<Reading, 'pieces' | 'columns' | 'distinct'> {
  readonly subject: Subject;
  readonly size: ReadingSize;
}

/**
 * Throws TOO_EXPENSIVE beyond some 50,000 cells, or some 5 million hashes in a request, before they are
 * read. Both limits are off by a secret of the question: else they would count what is hidden.
 */
export async function refuseTooLarge(context: RequestContext, sized: Sized): Promise<void> {
  const most = 1 + OFF - secretOff(context, sized) * OFF;
  const { all, hashes } = sized.size;
  if (all > MOST_CELLS * most) throw ofManyCells(sized.columns);
  if (sized.distinct) await addHashes(context, hashes, MOST_HASHES * most);
}

/** Returns -1 to 1, rather in the middle, by the spans and columns of a question. */
function secretOff(
  { deps }: RequestContext,
  { subject, columns, pieces }: Pick<Sized, 'subject' | 'columns' | 'pieces'>,
): number {
  const spans = pieces.map(({ level, date }) => [level, date]);
  const { bytes: key } = deps.keys.current('report noise');
  const drawn = hashOf(key, ['size', subject.name, columns, spans]);
  return (shareOf(drawn, 0) + shareOf(drawn, 4)) / 2;
}

/** How many hashes a request has read; one for each context. */
const hashesRead = async (_: RequestContext, keys: readonly 'hashes'[]) =>
  keys.map(() => ({ sum: 0 }));

/** Adds to the hashes of a request. Throws TOO_EXPENSIVE where these are more than `most` then. */
async function addHashes(context: RequestContext, hashes: number, most: number): Promise<void> {
  const tally = (await context.loader(hashesRead).load('hashes')) ?? { sum: 0 };
  tally.sum += hashes;
  if (tally.sum <= most) return;
  throw refuse(
    'TOO_EXPENSIVE',
    'Different people of so many cells cannot be counted in one request. Ask for a shorter range ' +
      'or fewer reports, or leave out what counts people.',
  );
}

function ofManyCells(columns: readonly string[]) {
  const leave = columns.length > 0 ? `, or leave out one of ${columns.join(', ')}` : '';
  return refuse(
    'TOO_EXPENSIVE',
    `This is of more than ${MOST_CELLS.toLocaleString('en')} cells, which are too many to read. Ask ` +
      `for a shorter range, or by month${leave}.`,
  );
}

/**
 * Charges the quota for cells that were read: those that are shown, and the others as `suppressed`
 * tells of them. A price by all cells would count what is hidden.
 */
export const payForCells = (
  { quota }: RequestContext,
  { cells, suppressed }: Pick<Cells, 'cells' | 'suppressed'>,
  distinct: boolean,
): Promise<void> => {
  const visible = cells.filter(({ numbers }) => numbers).length;
  return quota.owe(pointsOfCells(visible + suppressed, distinct ? 'distinct' : 'summed'));
};
