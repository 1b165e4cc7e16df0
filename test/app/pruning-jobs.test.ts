import { jobsOf } from '../../src/app/jobs.js';
import { going } from '../domains/dispatch/rounds.js';
import { useService } from '../support/harness.js';

/** One more than a statement of a job deletes. */
const ROWS = 10_001;
const OWNER = '(SELECT min(id) FROM account)';
const OLD = `'2001-01-01Z'::timestamptz`;

/** A table, its job, and the columns and values of row `i` that was made in 2001. */
const TABLES: readonly (readonly [table: string, job: string, columns: string, values: string])[] =
  [
    ['session', 'old sessions', 'id, account_id, used_at', `gen_random_uuid(), ${OWNER}, ${OLD}`],
    [
      'outgoing_mail',
      'prune mail',
      'id, "to", template, language, "values", created_at, to_key',
      `gen_random_uuid(), '', 'x', 'en', '{}', ${OLD}, ''`,
    ],
    ['password_reset', 'prune resets', 'address, updated_at', `i || '@reset.example', ${OLD}`],
    [
      'sign_in_brake',
      'sign-in limits',
      'key, failures, until, forgotten_at',
      `i::text, 1, ${OLD}, ${OLD}`,
    ],
    [
      'familiar_address',
      'sign-in limits',
      'account_id, address, seen_at',
      `${OWNER}, i::text, ${OLD}`,
    ],
    ['used_provider_token', 'used provider tokens', 'hash, expires_at', `i::text, ${OLD}`],
    [
      'care_invitation',
      'care invitations',
      'member_id, "to", "right", code_hash, created_at, expires_at, to_key',
      `${OWNER}, '', 'see', i::text, ${OLD}, ${OLD}, ''`,
    ],
    [
      'form_submission',
      'forms',
      'platform, sealed, key_id, email_hash, received_at',
      `'', '', 'x', '', ${OLD}`,
    ],
    ['public_change', 'public changes', 'at', OLD],
    [
      'idempotent_change',
      'retries',
      'account_id, key, ordinal, hash, row_id, created_at',
      `${OWNER}, i::text, 0, '', 1, ${OLD}`,
    ],
    [
      'notification',
      'prune deliveries',
      'account_id, kind, title, body, message_id, state, created_at, send_at',
      `${OWNER}, 'news', '', '', gen_random_uuid(), 'sent', ${OLD}, ${OLD}`,
    ],
    [
      'device',
      'prune deliveries',
      'account_id, kind, token, token_hash, created_at, last_seen_at, dead_at',
      `${OWNER}, 'expo', i::text, i::text, ${OLD}, ${OLD}, ${OLD}`,
    ],
  ];

/** Lets each deletion of more than 10,000 rows of a table fail. */
const limited = (table: string) => `
  CREATE TRIGGER at_most AFTER DELETE ON ${table} REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION at_most_10000()`;

describe('A job that deletes old rows', () => {
  const service = useService();
  const run = (sql: string) => service().app.deps.database.query<{ n: number }>(sql);

  beforeAll(() =>
    run(`CREATE FUNCTION at_most_10000() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT count(*) FROM gone) > 10000 THEN RAISE 'too many rows at once'; END IF;
      RETURN NULL; END $$`),
  );

  for (const [table, name, columns, values] of TABLES)
    it(`deletes at most 10,000 rows of ${table} at once, and all in the end`, async () => {
      await service().account('administrator');
      await run(limited(table));
      await run(`INSERT INTO ${table} (${columns})
        SELECT ${values} FROM generate_series(1, ${ROWS}) i`);
      const count = async () => (await run(`SELECT count(*)::int AS n FROM ${table}`))[0]?.n ?? 0;
      const before = await count();
      await jobsOf(service().app)
        .find((job) => job.name === name)
        ?.run(going);
      expect(before - (await count())).toBe(ROWS);
    });

  it('deletes submissions by the retention of their own form', async () => {
    const at = (days: number) => `now() - interval '${days} days'`;
    await run(
      `INSERT INTO form (id, name, score_least, score_most, retention_days, created_at) VALUES (1, 'a', 0, 1, 10, now()), (2, 'b', 0, 1, 400, now())`,
    );
    await run(`INSERT INTO form_submission (form_id, platform, sealed, key_id, email_hash, received_at)
      SELECT form, '', '', 'x', '', at FROM (VALUES (1, ${at(9)}), (1, ${at(11)}), (2, ${at(399)}),
        (2, ${at(401)}), (NULL, ${at(179)}), (NULL, ${at(181)})) AS given(form, at)`);
    await jobsOf(service().app)
      .find((job) => job.name === 'forms')
      ?.run(going);
    const left = await run(
      `SELECT round(extract(epoch FROM now() - received_at) / 86400)::int AS n FROM form_submission ORDER BY 1`,
    );
    expect(left.map(({ n }) => n)).toStrictEqual([9, 179, 399]);
  });
});
