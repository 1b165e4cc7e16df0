import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { hold, transact } from '../../core/transact.js';
import { fetchAnswer } from '../../platform/identity/answer.js';
import { ProviderUnavailable } from '../../platform/identity/provider.types.js';
import { replaceOptions } from './poll.service.js';
import { ImportPollsPayload, ResultsVisibility } from './poll.types.js';
import { type ImportedPoll, readPollList } from './poll-import.js';
import { SAMPLE_POLLS } from './sample-polls.js';

const LARGEST = 2 * 1024 * 1024;
const PATIENCE = 10_000;

/**
 * Imports polls from POLL_IMPORT_URL, or a sample without it, by their ids there. What is there
 * already is brought up to date; the options of a poll that has answers stay, and a poll whose options
 * differ then counts as failed. `dryRun` changes nothing and tells what would be done. Throws
 * IMPORT_FAILED when the address does not answer 200 with a list.
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
  return transact(context, async (inner) => {
    await hold(inner, 'polls.import');
    const known = await knownPolls(inner, polls);
    const counts = new ImportPollsPayload();
    for (const poll of polls) {
      const row = poll && known.get(poll.externalId);
      const outcome = !poll ? 'failed' : row ? compare(row, poll) : 'created';
      counts[outcome]++;
      if (dryRun || !poll) continue;
      if (outcome === 'created') await insert(inner, poll);
      if (outcome === 'updated' && row) await update(inner, row, poll);
    }
    return counts;
  });
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
    const { status, body } = await fetchAnswer(address, { most: LARGEST, signal });
    if (status === 200) return body;
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
  }
  throw refuse(
    'IMPORT_FAILED',
    'The address of the polls does not answer as it should. Try again.',
  );
}

interface KnownPoll {
  readonly id: number;
  readonly question: string;
  readonly multiple: boolean;
  readonly statement: string | null;
  readonly opensAt: Date;
  readonly closesAt: Date | null;
  readonly participants: number;
  readonly options: readonly { readonly text: string }[];
}

async function knownPolls(
  { db }: RequestContext,
  polls: readonly (ImportedPoll | undefined)[],
): Promise<Map<string, KnownPoll>> {
  const ids = polls.flatMap((poll) => (poll ? [poll.externalId] : []));
  const rows = await db.poll.findMany({
    where: { externalId: { in: ids } },
    include: { options: { orderBy: { position: 'asc' }, select: { text: true } } },
  });
  return new Map(rows.map((row) => [row.externalId ?? '', row]));
}

const textsOf = (row: KnownPoll) => row.options.map(({ text }) => text);
const same = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((text, i) => text === b[i]);

/** What an import makes of a poll that is there. */
function compare(row: KnownPoll, poll: ImportedPoll): 'updated' | 'unchanged' | 'failed' {
  const options = same(textsOf(row), poll.options);
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

async function insert(context: RequestContext, poll: ImportedPoll): Promise<void> {
  const { options, opensAt, ...columns } = poll;
  const now = context.now();
  await context.db.poll.create({
    data: {
      ...columns,
      opensAt: opensAt ?? now,
      visibility: ResultsVisibility.AFTER_ANSWERING,
      createdAt: now,
      options: { create: options.map((text, position) => ({ text, position })) },
    },
    select: { id: true },
  });
}

async function update(context: RequestContext, row: KnownPoll, poll: ImportedPoll): Promise<void> {
  const { options, opensAt, externalId: _, ...columns } = poll;
  await context.db.poll.update({
    where: { id: row.id },
    data: { ...columns, ...(opensAt && { opensAt }), version: { increment: 1 } },
    select: { id: true },
  });
  if (!same(textsOf(row), options)) await replaceOptions(context, row.id, options);
}
