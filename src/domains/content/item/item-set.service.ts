import type { RequestContext } from '../../../core/context.js';
import { transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { giveWay } from '../../../platform/jobs/give-way.js';
import { holdCounts, lockCounts } from './count-lock.service.js';

const { sql } = Prisma;

/**
 * Minimum number of items of a status, or with a term, whose set is kept; more where there are more
 * than half a million items, so that the sets stay smaller than the items.
 */
const LARGE = 1_000;
/** Maximum number of changes that one transaction works off. */
const BATCH = 1_000;
/** Parts of sets that one transaction compares, each of 2,048 items. */
const PARTS = 32;
/**
 * A word is common, anywhere or in titles, that one item in so many has; sets of rarer ones would save
 * little.
 */
const COMMON = 50;
/** Items whose words tell which are common. */
const SAMPLE = 3_000;
/** Maximum number of sets of common words. */
const MOST_WORDS = 1_000;
/** Sets of words are proved for one in so many parts of the items each hour. */
const SHARES_OF_WORDS = 24;
/** Milliseconds for which one transaction may run. */
const LONGEST = 60_000;
/** Weeks and formats. Each item is in one of either. */
const PARTED = sql`(name LIKE 'week %' OR name LIKE 'format %')`;

/**
 * Keeps the sets of items up to date (the migration sets_of_items): works off what writers noted,
 * makes the sets that have grown to `large` items, and drops those that have shrunk to half of
 * that. For a job: safe in several processes, and goes on after any kill.
 */
export async function tendSets(
  context: RequestContext,
  stopping?: AbortSignal,
  large = LARGE,
): Promise<void> {
  if (!(await locked(context, (inner) => nameSets(inner, large)))) return;
  if (await lacksWords(context)) await locked(context, (inner) => nameWords(inner, large));
  const step = async () =>
    (await locked(context, workOff)) === BATCH || (await locked(context, makeParts));
  while ((await step()) && !stopping?.aborted) await giveWay();
}

/** The sets that are read; not of terms that are gone, whose items nobody noted. */
const PROVED = sql`SELECT name FROM item_set WHERE whole AND word_id IS NULL
  AND (name NOT LIKE 'term %' OR name IN (SELECT 'term ' || id FROM term))`;
const WITH_WORDS = sql`${PROVED} UNION ALL SELECT name FROM item_set WHERE whole AND word_id IS NOT NULL`;

/** Runs work under the lock on counts and sets; undefined when another process has it. */
const locked = <T>(
  context: RequestContext,
  work: (inner: RequestContext) => Promise<T>,
): Promise<T | undefined> =>
  transact(context, async (inner) => ((await lockCounts(inner)) ? work(inner) : undefined), {
    timeout: LONGEST,
  });

/**
 * Compares all sets with the items, those of words with a part of the items that moves on by the
 * hour, mends what differs, and returns how many parts of sets did; not those with items that
 * somebody has just changed. Then chooses the words anew that are common. For a job: safe as
 * `tendSets`.
 */
export async function proveSets(
  context: RequestContext,
  stopping?: AbortSignal,
  large = LARGE,
): Promise<number> {
  let differing = 0;
  const hour = Math.floor(context.now().getTime() / 3_600_000);
  for (let first = 0; first <= (await lastPart(context)) && !stopping?.aborted; first += PARTS) {
    const isTurn = (first / PARTS) % SHARES_OF_WORDS === hour % SHARES_OF_WORDS;
    const prove = async (inner: RequestContext) => {
      await holdCounts(inner);
      return fitParts(inner, isTurn ? WITH_WORDS : PROVED, first);
    };
    differing += await transact(context, prove, { timeout: LONGEST });
    await giveWay();
  }
  await locked(context, (inner) => nameWords(inner, large));
  return differing;
}

/** Whether the words were never chosen whose sets are kept, on a site large enough for sets. */
async function lacksWords(context: RequestContext): Promise<boolean> {
  const [row] = await context.rows<{ lacks: boolean }>(
    sql`SELECT EXISTS (SELECT FROM item_set) AND NOT EXISTS (SELECT FROM item_set WHERE name = 'shut') AS lacks`,
  );
  return row?.lacks ?? false;
}

/**
 * Names the sets of the words that are common in a sample of the items, or in their titles, and that of
 * protected items, and drops those of words that have become rare. None without other sets.
 */
async function nameWords(inner: RequestContext, large: number): Promise<void> {
  const [all] = await inner.rows<{ n: number }>(
    sql`SELECT coalesce(sum(n), 0)::int AS n FROM item_count WHERE term_id = 0`,
  );
  const share = Math.min(1, SAMPLE / Math.max(all?.n ?? 0, 1));
  const least = share * Math.max(large, (all?.n ?? 0) / COMMON);
  await inner.db.$executeRaw`
    WITH sample AS MATERIALIZED (
      SELECT title_words, title_words || excerpt_words || content_words AS words
      FROM item_search TABLESAMPLE SYSTEM (${share * 100}::float4)
    ), sampled AS MATERIALIZED (
      SELECT 'word ' || word AS name, word, count(*) AS n FROM sample, unnest(words) AS word GROUP BY word
      UNION ALL
      SELECT 'title ' || word, word, count(*) FROM sample, unnest(title_words) AS word GROUP BY word
    ), wanted AS MATERIALIZED (
      SELECT name, word FROM sampled
      WHERE EXISTS (SELECT FROM item_set WHERE word_id IS NULL AND name <> 'shut')
        AND (n >= ${least}::float8 OR n >= ${least}::float8 / 2 AND name IN (SELECT name FROM item_set))
      ORDER BY n DESC LIMIT ${MOST_WORDS}::int
    ), left_over AS (
      DELETE FROM item_set WHERE word_id IS NOT NULL AND name NOT IN (SELECT name FROM wanted)
      RETURNING name
    ), emptied AS (
      DELETE FROM item_set_part p USING left_over l WHERE l.name = p.name
    )
    INSERT INTO item_set (name, word_id) (TABLE wanted UNION ALL SELECT 'shut', NULL::int WHERE EXISTS (SELECT FROM item_set))
    ON CONFLICT DO NOTHING`;
}

/**
 * Makes the next parts of the sets that lack most, and notes how far they came. Returns whether
 * there was such a set.
 */
async function makeParts(context: RequestContext): Promise<boolean> {
  const [least] = await context.rows<{ made: number | null }>(
    sql`SELECT min(made) AS made FROM item_set WHERE NOT whole`,
  );
  const first = least?.made ?? null;
  if (first === null) return false;
  await fitParts(
    context,
    sql`SELECT name FROM item_set WHERE NOT whole AND made = ${first}::int`,
    first,
  );
  const made = first + PARTS;
  const whole = made > (await lastPart(context));
  await context.db.$executeRaw`UPDATE item_set SET made = ${made}::int, whole = ${whole}
    WHERE NOT whole AND made = ${first}::int`;
  return true;
}

/** Returns the last part with items; -1 without any. */
async function lastPart(context: RequestContext): Promise<number> {
  const [last] = await context.rows<{ part: number | null }>(sql`
    SELECT greatest((SELECT max(id) FROM content_item) >> 11,
      (SELECT max(part) FROM item_set_part)) AS part`);
  return last?.part ?? -1;
}

/**
 * Names the sets that are to be made, and drops those that are not wanted any more. Formats and
 * weeks have all of their sets or none, so that together they hold every item. Returns true.
 */
async function nameSets({ db }: RequestContext, large: number): Promise<true> {
  await db.$executeRaw`
    WITH counted AS MATERIALIZED (
      SELECT CASE term_id WHEN 0 THEN kind || ' ' || status ELSE 'term ' || term_id END AS name,
        sum(n) AS n
      FROM item_count WHERE term_id = 0 OR term_id IN (SELECT id FROM term) GROUP BY 1
    ), bound AS MATERIALIZED (
      SELECT greatest(${large}::int, sum(n) / 500) AS n FROM item_count WHERE term_id = 0
    ), wanted AS MATERIALIZED (
      SELECT c.name FROM counted c, bound b WHERE c.n >= b.n
        OR c.n >= b.n / 2 AND c.name IN (SELECT name FROM item_set)
    ), parted AS MATERIALIZED (
      SELECT DISTINCT name FROM item_member
      WHERE EXISTS (SELECT FROM wanted) AND NOT EXISTS (SELECT FROM item_set WHERE ${PARTED})
        AND ${PARTED}
    ), left_over AS (
      DELETE FROM item_set WHERE name NOT IN (SELECT name FROM wanted)
        AND (NOT (${PARTED} OR word_id IS NOT NULL OR name = 'shut') OR NOT EXISTS (SELECT FROM wanted))
      RETURNING name
    ), emptied AS (
      DELETE FROM item_set_part p USING left_over l WHERE l.name = p.name
    )
    INSERT INTO item_set (name) (TABLE wanted UNION TABLE parted) ON CONFLICT DO NOTHING`;
  return true;
}

/**
 * Brings the sets up to date with up to BATCH changes, and names the weeks and formats that are
 * new: these are whole at once, since all of their items were noted. One statement: what it forgets
 * and what it reads are of one moment. OFFSET 0 keeps PostgreSQL from reading all items instead of
 * those that changed. Returns how many.
 */
async function workOff(context: RequestContext): Promise<number> {
  const [row] = await context.rows<{ n: number }>(sql`
    WITH gone AS (
      DELETE FROM item_change WHERE id IN (SELECT id FROM item_change ORDER BY id LIMIT ${BATCH}::int)
      RETURNING item_id
    ), changed AS MATERIALIZED (
      SELECT DISTINCT item_id, item_id >> 11 AS part FROM gone
    ), touched AS MATERIALIZED (
      SELECT part, bit_or(set_bit(0::bit(2048), item_id & 2047, 1)) AS bits FROM changed GROUP BY part
    ), member AS MATERIALIZED (
      SELECT m.name, c.part, bit_or(set_bit(0::bit(2048), c.item_id & 2047, 1)) AS bits
      FROM changed c
        CROSS JOIN LATERAL (SELECT name FROM item_member WHERE item_id = c.item_id OFFSET 0) m
      GROUP BY m.name, c.part
    ), named AS (
      INSERT INTO item_set (name, whole) SELECT DISTINCT name, true FROM member
      WHERE ${PARTED} AND EXISTS (SELECT FROM item_set WHERE ${PARTED})
      ON CONFLICT DO NOTHING RETURNING name
    ), fitted AS (
      INSERT INTO item_set_part (name, part, bits)
      SELECT s.name, t.part, (coalesce(p.bits, 0::bit(2048)) & ~t.bits) | coalesce(m.bits, 0::bit(2048))
      FROM touched t CROSS JOIN (SELECT name FROM item_set UNION ALL TABLE named) s
        LEFT JOIN item_set_part p ON p.name = s.name AND p.part = t.part
        LEFT JOIN member m ON m.name = s.name AND m.part = t.part
      WHERE coalesce(p.bits, 0::bit(2048)) & t.bits <> coalesce(m.bits, 0::bit(2048))
      ON CONFLICT (name, part) DO UPDATE SET bits = excluded.bits
    ) SELECT count(*)::int AS n FROM gone`);
  return row?.n ?? 0;
}

/**
 * Makes PARTS parts of sets equal to what the items say; also, once weeks and formats are whole,
 * those of them that have no set: their items were loaded with triggers off. Returns how many parts
 * differed. `sets`: SELECT of their names.
 */
async function fitParts(context: RequestContext, sets: Prisma.Sql, first: number): Promise<number> {
  const parts = sql`BETWEEN ${first}::int AND ${first + PARTS - 1}::int`;
  const ids = sql`BETWEEN ${first * 2_048}::int AND ${(first + PARTS) * 2_048 - 1}::int`;
  const theirs = sql`(name IN (${sets})
    OR ${PARTED} AND (SELECT bool_and(whole) FROM item_set WHERE ${PARTED}))`;
  const [row] = await context.rows<{ n: number }>(sql`
    WITH present AS MATERIALIZED (
      SELECT name, item_id >> 11 AS part, bit_or(set_bit(0::bit(2048), item_id & 2047, 1)) AS bits
      FROM item_member WHERE item_id ${ids} AND ${theirs} GROUP BY 1, 2
    ), named AS (
      INSERT INTO item_set (name, whole) SELECT DISTINCT name, true FROM present WHERE ${PARTED}
      ON CONFLICT DO NOTHING
    ), emptied AS (
      DELETE FROM item_set_part p WHERE ${theirs} AND part ${parts}
        AND NOT EXISTS (SELECT FROM present m WHERE m.name = p.name AND m.part = p.part)
      RETURNING part, bits <> 0::bit(2048) AS wrong
    ), fitted AS (
      INSERT INTO item_set_part AS p (name, part, bits) SELECT name, part, bits FROM present
      ON CONFLICT (name, part) DO UPDATE SET bits = excluded.bits WHERE p.bits <> excluded.bits
      RETURNING part, true
    )
    SELECT count(*)::int AS n FROM (TABLE emptied UNION ALL TABLE fitted) differing
    WHERE wrong AND part NOT IN (SELECT item_id >> 11 FROM item_change WHERE item_id ${ids})`);
  return row?.n ?? 0;
}
