// Processes that bring the rollups up to date at the same time. Each has connections of its own, so
// that this needs a server.
import { serviceContext } from '../../../src/core/service-context.js';
import { transact } from '../../../src/core/transact.js';
import { renewDoseFacts } from '../../../src/domains/reports/rollup/dose-facts.service.js';
import { renewRollups } from '../../../src/domains/reports/rollup/rollup.service.js';
import { useService } from '../../support/harness.js';
import { makeCrowd } from './crowd.js';

const service = useService();
const onServer = process.env.TEST_DATABASE_URL ? describe : describe.skip;
const context = () => serviceContext(service().app.deps, 'test');
const query = (sql: string, values: unknown[] = []) => service().database.query(sql, values);
const january = async () => {
  const [row] = await query(
    `SELECT (SELECT as_of FROM report_state WHERE subject = 'all') AS "asOf",
       (SELECT closed FROM report_month WHERE subject = 'dose' AND month = '2026-01-01') AS closed`,
  );
  return row;
};

/** Runs `during` while another transaction has taken locks. */
async function beside(locks: string, during: () => Promise<unknown>): Promise<void> {
  let free = () => {};
  let other: Promise<unknown> = Promise.resolve();
  await new Promise<void>((held, failed) => {
    other = context()
      .then((own) =>
        transact(own, async ({ db }) => {
          await db.$executeRawUnsafe(locks);
          await new Promise<void>((resolve) => {
            free = resolve;
            held();
          });
        }),
      )
      .catch(failed);
  });
  try {
    await during();
  } finally {
    free();
    await other;
  }
}

const crowd = async () => {
  service().at('2026-02-10T12:00:00Z');
  const ids = await makeCrowd(service(), [{ members: 20 }], 31);
  await query("INSERT INTO report_state VALUES ('missed', '2026-03-05T12:00:00Z')");
  await query("INSERT INTO report_due (account_id, from_at) VALUES ($1, '2026-01-20')", [ids[0]]);
  service().at('2026-03-05T12:00:00Z');
  return ids;
};

onServer('Two processes', () => {
  it('say up to when reports are true, and close a month, once the facts of both are there', async () => {
    const [member] = await crowd();
    const before = await january();
    await beside(`SELECT pg_advisory_xact_lock(24332, ${member})`, async () =>
      renewRollups(await context()),
    );
    expect(await january()).toStrictEqual(before);
    await renewRollups(await context());
    expect(await january()).toStrictEqual({ asOf: new Date(service().now()), closed: true });
  });

  it('say so too once the one that marks who missed a dose has ended', async () => {
    await crowd();
    await query('DELETE FROM report_due');
    await query("UPDATE report_state SET as_of = '2026-03-05T10:00:00Z' WHERE subject = 'missed'");
    const before = await january();
    const lock = "SELECT pg_advisory_xact_lock(hashtextextended('passed doses', 0))";
    await beside(lock, async () => renewRollups(await context()));
    expect(await january()).toStrictEqual(before);
    await renewRollups(await context());
    expect(await january()).toMatchObject({ asOf: new Date(service().now()) });
  });

  it('are not held up by what changes after one began', async () => {
    const ids = await crowd();
    await query('DELETE FROM report_due');
    await query(
      `CREATE FUNCTION more() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO report_due (account_id, from_at) VALUES (${ids[1]}, now()); RETURN NULL; END $$`,
    );
    await query(`CREATE TRIGGER more AFTER UPDATE OF as_of OR INSERT ON report_state
      FOR EACH STATEMENT EXECUTE FUNCTION more()`);
    try {
      await renewRollups(await context());
      await renewRollups(await context());
    } finally {
      await query('DROP TRIGGER more ON report_state');
      await query('DROP FUNCTION more');
    }
    expect(await january()).toMatchObject({ asOf: new Date(service().now()) });
  });

  it('of which one has the version before this one do not make facts at the same time', async () => {
    await crowd();
    const done: string[] = [];
    let renewing: Promise<unknown> = Promise.resolve();
    await beside("SELECT pg_advisory_xact_lock(hashtextextended('report facts', 0))", async () => {
      renewing = renewDoseFacts(await context()).then(() => done.push('facts'));
      const waits = () => query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
      while (done.length === 0 && (await waits()).length === 0);
      done.push('earlier version');
    });
    await renewing;
    expect(done).toStrictEqual(['earlier version', 'facts']);
  });
});
