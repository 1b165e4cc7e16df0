import { Prisma } from '../../../generated/prisma/client.js';
import type { Db } from '../../../platform/database/transaction.js';
import type { Import, Left, Mapped, Verdict } from '../kind.js';
import { text } from '../kind.js';
import { NO_DATE } from '../stand-ins.js';
import { mappedInstant } from './mapped-date.js';
import type { FieldRow, MappedKind, Unnumbered } from './mapped-row.js';
import type { MappedQuery } from './mapping.js';

const { sql } = Prisma;

const skipped = (reason: string): Left => ({ outcome: 'skipped', reason });
const refused = (reason: string): Left => ({ outcome: 'refused', reason });
const IN_ROWS =
  'its poll takes several options, and a row before it has an answer of its account: all options of an answer stand in one row, with commas between';
const DATELESS = 'it has no date that is certain: it has that of 1970-01-01';

/** Answers to polls: one of a member, which stays as it is once it is here. */
export const ANSWERS: MappedKind = {
  table: 'poll_submission',
  columns: [],
  map: async (run, rows, query) => rows.map((row) => answerOf(run, row, query)),
  write: writeAnswers,
};

/** Agreements to versions of the policy. */
export const AGREEMENTS: MappedKind = {
  table: 'policy_agreement',
  columns: [],
  map: async (run, rows, query) => rows.map((row) => agreementOf(run, row, query)),
  write: writeAgreements,
};

function answerOf(run: Import, row: FieldRow, query: MappedQuery): Unnumbered | Left {
  const poll = run.numbers.get('poll')?.get(text(row.poll));
  if (poll === undefined) return skipped('its poll is not among those that are imported');
  if (!run.accounts.has(Number(row.member)))
    return skipped('its account is not among those that are imported');
  const keys = chosenIn(row);
  const options = keys.map((key) => run.numbers.get('option')?.get(key));
  if (!options.every((option) => option !== undefined))
    return skipped('what it chose is not among the options that are imported');
  if (keys.some((key) => run.optionPolls.get(key) !== poll))
    return skipped('what it chose is an option of another poll');
  if (Number(row.superseded ?? 0)) return skipped('a later answer of its account is taken');
  if (options.length > 1 && !run.multiple.has(text(row.poll)))
    return refused('it has several options, and its poll takes one');
  const { at, remarks } = dateOf(run, row, query);
  const own = { poll, account: Number(row.member), options: sorted(options), at };
  return { own, parts: { isMultiple: run.multiple.has(text(row.poll)) }, remarks };
}

/** Returns the keys of the options of an answer, which are numbers with commas between. */
const chosenIn = ({ option }: FieldRow): string[] => {
  const keys = text(option)
    .split(',')
    .map((key) => key.trim());
  return [...new Set(keys)].filter(Boolean);
};

function agreementOf(run: Import, row: FieldRow, query: MappedQuery): Unnumbered | Left {
  const policy = run.numbers.get('policy')?.get(text(row.policy));
  if (policy === undefined) return skipped('its policy is not among those that are imported');
  if (!run.accounts.has(Number(row.member)))
    return skipped('its account is not among those that are imported');
  if (Number(row.superseded ?? 0)) return skipped('a later agreement of its account is taken');
  const { at, remarks } = dateOf(run, row, query);
  return { own: { policy, account: Number(row.member), at }, remarks };
}

function dateOf({ site }: Import, row: FieldRow, { dates }: MappedQuery) {
  const { at } = mappedInstant(row.created, dates, site.timeZone);
  return { at: at?.toISOString() ?? NO_DATE, remarks: at ? [] : [DATELESS] };
}

/** An answer as it is written. */
interface PollAnswer {
  readonly poll: number;
  readonly account: number;
  readonly options: readonly number[];
}

/** Writes answers, and counts them. An account that has answered here keeps its answer. */
async function writeAnswers(db: Db, rows: readonly Mapped[], run: Import): Promise<Verdict[]> {
  const given = rows.map(({ own }) => own as unknown as PollAnswer);
  const known = await db.$queryRaw<PollAnswer[]>(sql`
    SELECT s.poll_id AS poll, s.account_id AS account, s.option_ids AS options
    FROM poll_submission s JOIN unnest(${given.map(({ poll }) => poll)}::int[],
      ${given.map(({ account }) => account)}::int[]) AS g(poll, account)
      ON s.poll_id = g.poll AND s.account_id = g.account`);
  const standing = new Map<string, readonly number[]>(
    known.map((one) => [keyOf(one), sorted(one.options)]),
  );
  const fresh: PollAnswer[] = [];
  const verdicts = given.map((answer, i): Verdict => {
    const before = standing.get(keyOf(answer));
    if (before && `${before}` === `${answer.options}`) return { outcome: 'unchanged' };
    if (!isFirst(run, answer, rows[i])) return { outcome: 'refused', reason: IN_ROWS };
    if (before) return { outcome: 'skipped', reason: 'its account has another answer here' };
    standing.set(keyOf(answer), answer.options);
    fresh.push(answer);
    return { outcome: 'imported' };
  });
  if (!run.check && fresh.length > 0) await addAnswers(db, fresh);
  return verdicts;
}

/** Whether no row before has an answer of an account to a poll that takes several options. */
function isFirst({ answered }: Import, answer: PollAnswer, row: Mapped | undefined): boolean {
  if (!row?.parts?.isMultiple) return true;
  const key = keyOf(answer);
  const first = answered.get(key) ?? row.place;
  answered.set(key, first as string);
  // The same row comes again where its batch is written once more.
  return first === row.place;
}

const sorted = (options: readonly number[]) => [...options].sort((a, b) => a - b);

const keyOf = ({ poll, account }: PollAnswer) => `${poll} ${account}`;

async function addAnswers(db: Db, answers: readonly PollAnswer[]): Promise<void> {
  await db.$executeRaw(sql`
    WITH given AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(answers)}::jsonb)
        AS g(poll int, account int, options int[], at timestamptz)),
    added AS (
      INSERT INTO poll_submission (poll_id, account_id, option_ids, submitted_at)
      SELECT poll, account, options, at FROM given
      ON CONFLICT DO NOTHING RETURNING poll_id, option_ids),
    voted AS (
      UPDATE poll_option o SET votes = votes + n.count
      FROM (SELECT unnest(option_ids) AS id, count(*)::int AS count FROM added GROUP BY 1) AS n
      WHERE o.id = n.id)
    UPDATE poll p SET participants = participants + n.count
    FROM (SELECT poll_id, count(*)::int AS count FROM added GROUP BY 1) AS n WHERE p.id = n.poll_id`);
}

/** Writes agreements, and counts them. */
async function writeAgreements(
  db: Db,
  rows: readonly Mapped[],
  { check }: Import,
): Promise<Verdict[]> {
  const agreements = rows.map(({ own }) => own as unknown as { policy: number; account: number });
  const known = await db.$queryRaw<{ policy: number; account: number }[]>(sql`
    SELECT a.policy_id AS policy, a.account_id AS account
    FROM policy_agreement a JOIN unnest(${agreements.map(({ policy }) => policy)}::int[],
      ${agreements.map(({ account }) => account)}::int[]) AS g(policy, account)
      ON a.policy_id = g.policy AND a.account_id = g.account`);
  const standing = new Set(known.map(({ policy, account }) => `${policy} ${account}`));
  const fresh = agreements.filter(({ policy, account }) => !standing.has(`${policy} ${account}`));
  if (!check && fresh.length > 0)
    await db.$executeRaw(sql`
      WITH added AS (
        INSERT INTO policy_agreement (policy_id, account_id, agreed_at)
        SELECT policy, account, at FROM jsonb_to_recordset(${JSON.stringify(fresh)}::jsonb)
          AS g(policy int, account int, at timestamptz)
        ON CONFLICT DO NOTHING RETURNING policy_id)
      UPDATE policy p SET agreed = agreed + n.count
      FROM (SELECT policy_id, count(*)::int AS count FROM added GROUP BY 1) AS n
      WHERE p.id = n.policy_id`);
  return agreements.map(({ policy, account }) => ({
    outcome: standing.has(`${policy} ${account}`) ? 'unchanged' : 'imported',
  }));
}
