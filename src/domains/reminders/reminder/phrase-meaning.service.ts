import type { RequestContext } from '../../../core/context.js';
import { transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { parseFrequency } from '../schedule/frequency.js';
import { meantText } from '../schedule/schedule-value.js';

const { sql } = Prisma;
const BATCH = 500;
/** What a plan is stored with that was not understood. */
const NOTHING = JSON.stringify({ meant: { kind: 'unrecognized' } });

/**
 * The rolling job: writes down what phrases mean that were stored before reminders kept it, so that
 * no later grammar moves their doses. No dose changes by it. A batch a transaction; safe in several
 * processes at once. Returns how many plans it completed.
 */
export async function keepMeanings(
  context: RequestContext,
  stopping: AbortSignal,
): Promise<number> {
  let kept = 0;
  for (const plans of PLANS) {
    let found = BATCH;
    while (found === BATCH && !stopping.aborted) {
      found = await transact(context, (inner) => keepBatch(inner, plans));
      kept += found;
    }
  }
  if (kept > 0) context.deps.log.info({ plans: kept }, 'meanings of phrases kept');
  return kept;
}

const PLANS = [
  { table: sql`reminder`, recognized: sql`recognized` },
  { table: sql`past_plan`, recognized: sql`TRUE` },
];

/** The index `reminder_meaning`, or `past_plan_meaning`, has exactly the rows without a meaning. */
async function keepBatch(
  inner: RequestContext,
  { table, recognized }: (typeof PLANS)[number],
): Promise<number> {
  const rows = await inner.rows<{ id: number; phrase: string; recognized: boolean }>(sql`
    SELECT id, frequency_type AS phrase, ${recognized} AS recognized FROM ${table}
    WHERE schedule IS NULL AND frequency_type <> ''
    ORDER BY id LIMIT ${BATCH}::int FOR NO KEY UPDATE SKIP LOCKED`);
  const ids = rows.map(({ id }) => id);
  const texts = rows.map((row) => (row.recognized ? meantText(asBefore(row.phrase)) : NOTHING));
  await inner.db.$executeRaw(sql`
    UPDATE ${table} AS t SET schedule = read.text
    FROM unnest(${ids}::int[], ${texts}::text[]) AS read(id, text) WHERE t.id = read.id`);
  return rows.length;
}

/**
 * Returns a phrase that means today what an older grammar took it for: that read "daily x 5" as
 * five times a day, which has several meanings now.
 */
function asBefore(phrase: string): string {
  if (parseFrequency(phrase).kind !== 'unrecognized') return phrase;
  const counted = phrase.replace(TIMES, '$1x');
  return parseFrequency(counted).kind === 'calendar' ? counted : phrase;
}
const TIMES = /(?:\bx|×|\b(?:times?|mal|fois|vez|vezes|veces))\s*(\d+)\b/iu;
