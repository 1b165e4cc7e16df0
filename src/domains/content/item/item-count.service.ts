import { Counter } from 'prom-client';
import type { RequestContext } from '../../../core/context.js';
import { transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { giveWay } from '../../../platform/jobs/give-way.js';
import { registry } from '../../../platform/metrics/metrics.js';
import { holdCounts, lockCounts } from './count-lock.service.js';
import { proveSets, tendSets } from './item-set.service.js';

const repairs = new Counter({
  name: 'care_item_counts_repaired_total',
  help: 'Repairs of the counts of items: items counted as something else, wrong sums, wrong parts of sets.',
  labelNames: ['what'],
  registers: [registry],
});

/** Maximum number of items in one transaction: they are locked meanwhile. */
const BATCH = 1_000;
/** Milliseconds from one proof to the next. */
const PROVED_EVERY = 60 * 60_000;
/** Milliseconds for which the sums of all items may be added up. */
const LONGEST_SUMMING = 60_000;

/**
 * Joins the rows of each count to one, so that reading a sum stays cheap. For a job: safe in
 * several processes and at any kill.
 */
export const joinCounts = (context: RequestContext): Promise<void> =>
  transact(context, async (inner) => {
    if (!(await lockCounts(inner))) return;
    await inner.db.$executeRaw`
      WITH many AS (SELECT kind, status, term_id FROM item_count
          GROUP BY kind, status, term_id HAVING count(*) > 1),
        gone AS (DELETE FROM item_count c USING many m WHERE c.kind = m.kind
          AND c.status = m.status AND c.term_id = m.term_id RETURNING c.*)
      INSERT INTO item_count (kind, status, term_id, n)
      SELECT kind, status, term_id, sum(n) FROM gone
      GROUP BY kind, status, term_id HAVING sum(n) <> 0`;
  });

/** SQL of the changed items that sets do not have yet: see `Queue`. */
export const CHANGED_ITEMS = 'SELECT id AS since FROM item_change ORDER BY id';

/**
 * Joins the rows of counts, or counts all items when they never were; then tends their sets. For a
 * job.
 */
export async function tendCounts(context: RequestContext, stopping?: AbortSignal): Promise<void> {
  const [state] = await context.rows<{ counted: boolean }>(
    Prisma.sql`SELECT EXISTS (SELECT FROM item_count_state) AS counted`,
  );
  if (state?.counted) {
    await joinCounts(context);
    return tendSets(context, stopping);
  }
  await compare(context, stopping);
  if (!stopping?.aborted) await transact(context, markCounted);
}

/** Marks that all items were counted, once whichever process ends first. */
async function markCounted(context: RequestContext): Promise<void> {
  await holdCounts(context);
  await context.db.$executeRaw`INSERT INTO item_count_state (counted_at)
      SELECT ${context.now()}::timestamptz WHERE NOT EXISTS (SELECT FROM item_count_state)`;
}

/**
 * Proves the counts, at most once an hour in all processes. For a job; see `proveCounts`.
 */
export async function proveCountsHourly(
  context: RequestContext,
  stopping?: AbortSignal,
): Promise<void> {
  const now = context.now().getTime();
  const claimed = await context.db.$executeRaw`UPDATE item_count_state
    SET counted_at = ${new Date(now)}
    WHERE counted_at NOT BETWEEN ${new Date(now - PROVED_EVERY)} AND ${new Date(now)}`;
  if (claimed > 0) await proveCounts(context, stopping);
}

interface Repairs {
  readonly items: number;
  readonly sums: number;
  /** Parts of sets. */
  readonly sets: number;
}

/**
 * Compares the counts and sets with the items, repairs what differs, and counts the repairs. Returns
 * how many items, sums and parts of sets were repaired. Safe in several processes and at any kill. It
 * reads all items by an index and all terms of items, 1,000 items at a time.
 */
export async function proveCounts(
  context: RequestContext,
  stopping?: AbortSignal,
): Promise<Repairs> {
  const counts = await compare(context, stopping);
  const repaired = { ...counts, sets: await proveSets(context, stopping) };
  for (const what of ['items', 'sums', 'sets'] as const) repairs.inc({ what }, repaired[what]);
  if (repaired.items + repaired.sums + repaired.sets > 0)
    context.deps.log.warn({ ...repaired }, 'counts of items were wrong');
  return repaired;
}

async function compare(
  context: RequestContext,
  stopping?: AbortSignal,
): Promise<Omit<Repairs, 'sets'>> {
  let items = 0;
  for (let after: number | null = -1; after !== null; ) {
    const batch: RecountedItems = await recountBatch(context, after);
    items += batch.wrong;
    after = batch.last;
    if (batch.changed > 0) await joinCounts(context);
    if (stopping?.aborted) return { items, sums: 0 };
    await giveWay();
  }
  return { items, sums: await transact(context, repairSums, { timeout: LONGEST_SUMMING }) };
}

interface RecountedItems {
  /** The id of the last item; null when none follow. */
  readonly last: number | null;
  readonly changed: number;
  /** How many of them were counted wrong; not those of which a term alone is gone. */
  readonly wrong: number;
}

/** Counts the items behind an id again that were counted as something else. */
async function recountBatch(context: RequestContext, after: number): Promise<RecountedItems> {
  const [row] = await context.rows<{
    last: number | null;
    ids: number[];
    wrong: number;
  }>(Prisma.sql`
    WITH batch AS MATERIALIZED (
      SELECT id FROM (
        (SELECT id FROM content_item WHERE id > ${after} ORDER BY id LIMIT ${BATCH}::int)
        UNION (SELECT item_id FROM item_counted WHERE item_id > ${after}
          ORDER BY item_id LIMIT ${BATCH}::int)) known ORDER BY id LIMIT ${BATCH}::int)
    SELECT max(b.id) AS last,
      coalesce(array_agg(b.id) FILTER (WHERE (p.kind, p.status, p.terms)
        IS DISTINCT FROM (c.kind, c.status, c.terms)), '{}') AS ids,
      (count(*) FILTER (WHERE (p.kind, p.status, p.terms)
        IS DISTINCT FROM (c.kind, c.status, c.present)))::int AS wrong
    FROM batch b
      LEFT JOIN LATERAL (SELECT kind, status,
          ARRAY(SELECT term_id FROM content_term WHERE item_id = b.id ORDER BY term_id) AS terms
        FROM content_item WHERE id = b.id OFFSET 0) p ON true
      LEFT JOIN LATERAL (SELECT kind, status, terms,
          ARRAY(SELECT id FROM term WHERE id = ANY(terms) ORDER BY id) AS present
        FROM item_counted WHERE item_id = b.id OFFSET 0) c ON true`);
  const { last = null, ids = [], wrong = 0 } = row ?? {};
  if (ids.length === 0) return { last, changed: 0, wrong };
  const [done] = await transact(context, (inner) =>
    inner.rows<{ changed: number }>(Prisma.sql`SELECT item_recount(${ids}::int[]) AS changed`),
  );
  return { last, changed: done?.changed ?? 0, wrong };
}

/** Adds what the sums lack. One statement: sums and items are those of one moment. */
async function repairSums(context: RequestContext): Promise<number> {
  await holdCounts(context);
  return context.db.$executeRaw`
    INSERT INTO item_count (kind, status, term_id, n)
    SELECT kind, status, term_id, sum(n) FROM (
      SELECT kind, status, term_id, count(*) AS n FROM (
        SELECT kind, status, unnest(0 || terms) AS term_id FROM item_counted) counted
      GROUP BY kind, status, term_id
      UNION ALL SELECT kind, status, term_id, -sum(n) FROM item_count
      GROUP BY kind, status, term_id) compared
    GROUP BY kind, status, term_id HAVING sum(n) <> 0`;
}
