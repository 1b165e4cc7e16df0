import type { RequestContext } from '../../core/context.js';
import { Prisma } from '../../generated/prisma/client.js';
import { ResultsVisibility } from './poll.types.js';
import type { ImportedPoll } from './poll-import.js';

const { sql } = Prisma;

/** A poll that was imported before. */
export interface KnownPoll {
  readonly id: number;
  readonly externalId: string;
  readonly question: string;
  readonly multiple: boolean;
  readonly statement: string | null;
  readonly opensAt: Date;
  readonly closesAt: Date | null;
  readonly participants: number;
  readonly options: readonly string[];
}

/** A poll to write, and the row of an earlier import. */
export interface ChangedPoll {
  readonly poll: ImportedPoll;
  readonly row: KnownPoll | undefined;
}

/** Returns whether a row has the options of an imported poll, in their order. */
export const hasOptions = ({ options }: KnownPoll, poll: ImportedPoll): boolean =>
  options.length === poll.options.length && options.every((text, i) => text === poll.options[i]);

/**
 * Returns the polls of these external ids, and locks them until the end of the transaction: nobody
 * answers in the meantime. Uses one statement.
 */
export async function knownPolls(
  context: RequestContext,
  externalIds: readonly string[],
): Promise<Map<string, KnownPoll>> {
  const rows = await context.rows<KnownPoll>(sql`
    SELECT p.id, p.external_id AS "externalId", p.question, p.multiple, p.statement, p.participants,
      p.opens_at AS "opensAt", p.closes_at AS "closesAt",
      (SELECT coalesce(json_agg(o.text ORDER BY o.position), '[]') FROM poll_option o
        WHERE o.poll_id = p.id) AS options
    FROM poll p WHERE p.external_id = ANY(${[...externalIds]}::text[]) ORDER BY p.id FOR UPDATE`);
  return new Map(rows.map((row) => [row.externalId, row]));
}

/**
 * Makes and changes polls in the transaction of an import, and forgets agreements to statements that
 * become another text. Four statements for any number.
 */
export async function writePolls(
  context: RequestContext,
  changed: readonly ChangedPoll[],
): Promise<void> {
  const now = context.now();
  const given = changed.map(({ poll, row }) => ({
    ...poll,
    opensAt: poll.opensAt ?? row?.opensAt ?? now,
  }));
  await context.db.$executeRaw(sql`
    INSERT INTO poll (external_id, question, multiple, statement, opens_at, closes_at, visibility,
      created_at)
    SELECT "externalId", question, multiple, statement, "opensAt", "closesAt",
      ${ResultsVisibility.AFTER_ANSWERING}::text, ${now.toISOString()}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb) AS given("externalId" text,
      question text,
      multiple boolean, statement text, "opensAt" timestamptz, "closesAt" timestamptz)
    ON CONFLICT (external_id) DO UPDATE SET question = excluded.question,
      multiple = excluded.multiple,
      statement = excluded.statement, opens_at = excluded.opens_at, closes_at = excluded.closes_at,
      version = poll.version + 1`);
  const restated = changed.filter(({ poll, row }) => row && row.statement !== poll.statement);
  const pollIds = restated.flatMap(({ row }) => row?.id ?? []);
  await context.db.pollAgreement.deleteMany({ where: { pollId: { in: pollIds } } });
  const others = changed.filter(({ poll, row }) => !row || !hasOptions(row, poll));
  await writeOptions(
    context,
    others.map(({ poll }) => poll),
  );
}

async function writeOptions({ db }: RequestContext, polls: readonly ImportedPoll[]): Promise<void> {
  const ids = polls.map(({ externalId }) => externalId);
  await db.$executeRaw(sql`
    DELETE FROM poll_option WHERE poll_id IN (SELECT id FROM poll
      WHERE external_id = ANY(${ids}::text[]))`);
  const given = polls.map(({ externalId, options }) => ({ externalId, options }));
  await db.$executeRaw(sql`
    INSERT INTO poll_option (poll_id, position, text)
    SELECT p.id, o.position - 1, o.text
    FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb) AS given("externalId" text,
      options jsonb)
      JOIN poll p ON p.external_id = given."externalId"
      CROSS JOIN jsonb_array_elements_text(given.options) WITH ORDINALITY AS o(text, position)
    ORDER BY p.id, o.position`);
}
