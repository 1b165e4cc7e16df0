import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { deleteOnce, hold } from '../../core/transact.js';
import { fetchResponse } from '../../platform/fetch/provider-response.js';
import { ProviderUnavailable } from '../../platform/fetch/unavailable.js';
import { ImportPollsPayload } from './poll.types.js';
import { type ImportedPoll, readPollList } from './poll-import.js';
import {
  type ChangedPoll,
  hasOptions,
  type KnownPoll,
  knownPolls,
  writePolls,
} from './poll-import-rows.service.js';
import { SAMPLE_POLLS } from './sample-polls.js';

const LARGEST = 2 * 1024 * 1024;
const PATIENCE = 10_000;

/**
 * Imports polls from POLL_IMPORT_URL, or a sample without it, by their ids there. What is there
 * already is brought up to date; the options of a poll that has answers stay, and a poll whose
 * options differ then counts as failed. Nobody has agreed to a statement that becomes another text.
 * A retry with the same Idempotency-Key leaves what was changed since. `dryRun` changes nothing and
 * tells what would be done.
 * Throws IMPORT_FAILED when the address does not answer 200 with a list.
 */
export async function importPolls(
  context: RequestContext,
  { dryRun = false }: { dryRun?: boolean | null },
): Promise<ImportPollsPayload> {
  return savePolls(context, await fetchPolls(context), dryRun === true);
}

/** Imports the sample that comes along, for the demo. */
export const importSample = (context: RequestContext): Promise<ImportPollsPayload> =>
  savePolls(context, readPollList(SAMPLE_POLLS) ?? [], false);

async function savePolls(
  context: RequestContext,
  polls: readonly (ImportedPoll | undefined)[],
  dryRun: boolean,
): Promise<ImportPollsPayload> {
  const counts = await deleteOnce(context, async (inner) => {
    await hold(inner, 'polls.import');
    const { counts, changed } = judge(polls, await knownPolls(inner, idsOf(polls)));
    if (!dryRun && changed.length > 0) await writePolls(inner, changed);
    return counts;
  });
  context.deps.live.nudge();
  return Object.assign(new ImportPollsPayload(), counts);
}

const idsOf = (polls: readonly (ImportedPoll | undefined)[]): string[] =>
  polls.flatMap((poll) => (poll ? [poll.externalId] : []));

/**
 * Returns what an import changes, and how many of each outcome. Of an id that comes twice the first
 * counts.
 */
function judge(
  polls: readonly (ImportedPoll | undefined)[],
  known: ReadonlyMap<string, KnownPoll>,
): { counts: ImportPollsPayload; changed: ChangedPoll[] } {
  const counts = new ImportPollsPayload();
  const changed: ChangedPoll[] = [];
  const seen = new Set<string>();
  for (const poll of polls) {
    const row = poll && known.get(poll.externalId);
    const again = !poll || seen.has(poll.externalId);
    const outcome = again ? 'failed' : row ? compare(row, poll) : 'created';
    counts[outcome]++;
    if (poll) seen.add(poll.externalId);
    if (poll && (outcome === 'created' || outcome === 'updated')) changed.push({ poll, row });
  }
  return { counts, changed };
}

async function fetchPolls({ deps }: RequestContext): Promise<(ImportedPoll | undefined)[]> {
  const address = deps.config.POLL_IMPORT_URL;
  const body = address ? await bodyOf(address) : SAMPLE_POLLS;
  const polls = readPollList(body);
  if (!polls)
    throw refuse('IMPORT_FAILED', 'The address of the polls does not answer with a list.');
  return polls;
}

async function bodyOf(address: string): Promise<unknown> {
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    const { status, body } = await fetchResponse(address, { most: LARGEST, signal });
    if (status === 200) return body;
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
  }
  throw refuse(
    'IMPORT_FAILED',
    'The address of the polls does not answer as it should. Try again.',
  );
}

/** Returns what an import makes of a poll that is there. */
function compare(row: KnownPoll, poll: ImportedPoll): 'updated' | 'unchanged' | 'failed' {
  const options = hasOptions(row, poll);
  if (row.participants > 0 && (!options || row.multiple !== poll.multiple)) return 'failed';
  const unchanged =
    options &&
    row.question === poll.question &&
    row.multiple === poll.multiple &&
    row.statement === poll.statement &&
    (!poll.opensAt || row.opensAt.getTime() === poll.opensAt.getTime()) &&
    row.closesAt?.getTime() === poll.closesAt?.getTime();
  return unchanged ? 'unchanged' : 'updated';
}
