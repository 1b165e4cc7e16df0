import fc from 'fast-check';
import { serviceContext } from '../../../src/core/service-context.js';
import { tendSubmissions } from '../../../src/domains/forms/submission-tending.service.js';
import { pruneDeliveries } from '../../../src/domains/notifications/delivery/delivery-prune.service.js';
import {
  pruneRollups,
  rebuildRollups,
  renewRollups,
} from '../../../src/domains/reports/rollup/rollup.service.js';
import { makeMedicine } from '../../support/factories.js';
import { useService } from '../../support/harness.js';
import { makeCrowd } from './crowd.js';

const service = useService();
const DAY = 24 * 60 * 60 * 1000;
const JANUARY = Date.parse('2026-01-01T00:00:00Z');

const context = () => serviceContext(service().app.deps, 'test');
const renew = async () => renewRollups(await context());
const rebuild = async () => {
  await rebuildRollups(await context(), () => undefined);
};
const query = (sql: string, values: unknown[] = []) => service().database.query(sql, values);

/** The stored sums of a whole month. */
async function monthly(subject: string, month: string): Promise<number[] | undefined> {
  const [cell] = await service().database.query<{ sums: string[] }>(
    "SELECT sums FROM report_cell WHERE subject = $1 AND grid = '' AND date = $2",
    [subject, month],
  );
  return cell?.sums.map(Number);
}
const january = (subject: string) => monthly(subject, '2026-01-01');

/** Logs a dose as needed. */
const logDose = (accountId: number, at: string) =>
  query(
    `INSERT INTO dose (account_id, reminder_id, answer, at, name, logged_by_id, logged_at)
     SELECT account_id, id, 'taken', $2::timestamptz, name, $1, $2::timestamptz
     FROM reminder WHERE account_id = $1`,
    [accountId, at],
  );

/** All cells of days, of whole weeks and of months in January. */
const januaryCells = () =>
  query(
    `SELECT * FROM report_cell WHERE date BETWEEN '2026-01-01' AND '2026-01-31'
       AND (grid !~ '^week( |$)' OR date BETWEEN '2026-01-05' AND '2026-01-19')
       AND grid !~ '^quarter( |$)'
     ORDER BY subject, grid, date, keys`,
  );

/** Makes a sent delivery, a submission and a session of each day of January. */
async function makeEvents(accountId: number): Promise<void> {
  await query(
    `WITH device AS (INSERT INTO device (account_id, kind, token, token_hash, created_at, last_seen_at)
        VALUES ($1, 'expo', 't', 'h', $2, $2) RETURNING id),
      day AS (SELECT n, $2::timestamptz + n * interval '1 day 1 second' AS at
        FROM generate_series(0, 30) n),
      note AS (INSERT INTO notification (account_id, kind, title, body, message_id, alert_ids, state,
          created_at, send_at)
        SELECT $1, 'reminder', '', '', gen_random_uuid(), '{}', 'queued', at, at FROM day
        RETURNING id, send_at),
      form AS (INSERT INTO form (name, score_least, score_most, retention_days, created_at)
        VALUES ('F', 0, 1, 9, $2) RETURNING id),
      submission AS (INSERT INTO form_submission (form_id, account_id, platform, sealed, key_id,
          email_hash, received_at)
        SELECT form.id, CASE WHEN n % 2 = 0 THEN $1::int END, 'ios', '', '', '', at FROM day, form),
      event AS (INSERT INTO audit_event (uid, at, actor_id, subject_id, action, key_id, mac)
        SELECT gen_random_uuid(), at, $1, $1, 'session.start', '', '' FROM day)
    INSERT INTO delivery (notification_id, device_id, kind, state, due_at, expires_at, next_at, sent_at)
    SELECT note.id, device.id, 'expo', 'sent', send_at, send_at, send_at, send_at FROM note, device`,
    [accountId, new Date(JANUARY)],
  );
}

const never = new AbortController().signal;
const retention = async () => {
  await pruneDeliveries(service().app.deps, never);
  await tendSubmissions(service().app.deps);
  await query(`DELETE FROM audit_event WHERE at < $1 AND action = 'session.start'`, [
    new Date(service().now() - DAY),
  ]);
};

async function makeJanuary(): Promise<number> {
  service().at(JANUARY);
  await makeMedicine(service(), {
    frequencyType: 'daily',
    medicineType: 'Drops',
    startDate: '2026-01-01',
  });
  const { id } = await service().account('subscriber');
  await makeEvents(id);
  return id;
}

const ZONES = ['Europe/Berlin', 'Asia/Tokyo', 'America/Los_Angeles', 'Pacific/Auckland'] as const;
type Step = (n: number, accountId: number) => Promise<unknown>;

/** What may happen to a service after January is closed. */
const STEPS: Readonly<Record<string, Step>> = {
  pass: async (n) => service().at(service().now() + (n % 40) * DAY),
  renew,
  rebuild,
  retention,
  pruneReports: async () => pruneRollups(await context()),
  zone: (n, id) =>
    query('UPDATE account SET time_zone = $2 WHERE id = $1', [id, ZONES[n % ZONES.length]]),
  siteZone: (n) => query('UPDATE site SET time_zone = $1', [ZONES[n % ZONES.length]]),
  language: (n, id) =>
    query('UPDATE account SET language_id = $2 WHERE id = $1', [id, 1 + (n % 3)]),
  edit: () => query(`UPDATE reminder SET medicine_type = 'Tablet', times = '{09:00}'`),
  late: (_, id) =>
    query(
      `INSERT INTO dose (account_id, reminder_id, planned_at, answer, at, name, logged_by_id, logged_at)
       SELECT account_id, id, $2::timestamptz, 'taken', $2::timestamptz, name, $1, $2::timestamptz
       FROM reminder WHERE account_id = $1 ON CONFLICT DO NOTHING`,
      [id, new Date(JANUARY + 9 * DAY)],
    ),
  erase: (n, id) => (n % 4 ? Promise.resolve() : query('DELETE FROM account WHERE id = $1', [id])),
};
const step = fc.tuple(fc.constantFrom(...Object.keys(STEPS)), fc.nat({ max: 1_000 }));

describe('A closed month', () => {
  let zone: string;
  beforeEach(async () => {
    [{ zone }] = (await query('SELECT time_zone AS zone FROM site')) as [{ zone: string }];
  });
  afterEach(() => query('UPDATE site SET time_zone = $1', [zone]));

  it.each(['job', 'hand'])(
    'counts what retention deleted before it was closed, by %s',
    async (by) => {
      await makeJanuary();
      const made = by === 'job' ? renew : rebuild;
      for (let day = 1; day <= 50; day += 3) {
        service().at(JANUARY + day * DAY);
        await retention();
        await made();
      }
      expect((await query('SELECT FROM delivery')).length).toBeLessThan(15);
      expect((await january('notification'))?.slice(0, 2)).toStrictEqual([31, 31]);
      expect(await january('form')).toStrictEqual([31]);
      expect((await january('account'))?.[3]).toBe(31);
      await renew();
      expect(
        await query('SELECT FROM report_kept WHERE at < $1', [new Date(JANUARY + 29 * DAY)]),
      ).toStrictEqual([]);
    },
  );

  it('keeps its cells, whatever happens', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        await service().clean();
        await query('UPDATE site SET time_zone = $1', [zone]);
        const id = await makeJanuary();
        service().at(JANUARY + 40 * DAY);
        await renew();
        service().at(JANUARY + 46 * DAY);
        await renew();
        const before = await januaryCells();
        expect(before.length).toBeGreaterThan(100);
        for (const [what, n] of steps) await STEPS[what]?.(n, id);
        await renew();
        expect(await januaryCells()).toStrictEqual(before);
      }),
      { numRuns: Number(process.env.REPORT_HISTORIES ?? 6), endOnFailure: true },
    );
  });

  it.each([
    ['14 days after its end', [1, 44]],
    ['a day after it was first made, as when the past is imported', [60, 60.5]],
  ])('takes changes until %s', async (_, [first = 0, last = 0]) => {
    const id = await makeJanuary();
    for (const day of [first, last]) {
      service().at(JANUARY + day * DAY);
      await renew();
    }
    await query('DELETE FROM account WHERE id = $1', [id]);
    await renew();
    expect(await january('notification')).toBeUndefined();
    await makeEvents((await service().account('subscriber', 'other')).id);
    service().at(JANUARY + (last + 2) * DAY);
    await renew();
    const { id: other } = await service().account('subscriber', 'other');
    await query('DELETE FROM account WHERE id = $1', [other]);
    await renew();
    expect((await january('notification'))?.[0]).toBe(31);
  });

  it('does not count again what a later move puts into the month after it', async () => {
    const id = await makeJanuary();
    await logDose(id, '2026-01-31T20:00:00Z');
    for (const day of [40, 46]) {
      service().at(JANUARY + day * DAY);
      await renew();
    }
    await query("UPDATE account SET time_zone = 'Pacific/Auckland' WHERE id = $1", [id]);
    await query("UPDATE reminder SET name = 'Other'");
    await renew();
    expect((await monthly('dose', '2026-01-01'))?.[3]).toBe(1);
    expect((await monthly('dose', '2026-02-01'))?.[3]).toBe(0);
  });

  it('keeps open the months before it that never had cells, for imports of the past', async () => {
    const id = await makeJanuary();
    for (const day of [40, 46]) {
      service().at(JANUARY + day * DAY);
      await renew();
    }
    const before = await januaryCells();
    await logDose(id, '2025-11-10T08:00:00Z');
    for (const day of [46, 48, 49]) {
      service().at(JANUARY + day * DAY);
      await renew();
      expect(await monthly('dose', '2025-11-01')).toStrictEqual([0, 0, 0, 1]);
    }
    expect(await query("SELECT FROM dose_fact WHERE day < '2026-01-30'")).toStrictEqual([]);
    expect(await januaryCells()).toStrictEqual(before);
  });
});

describe('The answers about a closed month', () => {
  it('stay the same when rows are pruned, cells are built again, and members move', async () => {
    service().at('2026-03-20T12:00:00Z');
    await makeCrowd(service(), [{ members: 40 }, { members: 30, language: 2 }], 31);
    const ask = async () => {
      const { doseReport } = await service().data(
        `{ doseReport(from: "2026-01-01", to: "2026-01-31") {
          rows { week language scheduled members margin withheld } total { scheduled members } } }`,
        {},
        'analyst',
      );
      return doseReport;
    };
    await query("UPDATE report_month SET made_at = '2026-03-01', closed = true");
    const before = await ask();
    expect(before.rows.some(({ scheduled }: { scheduled: number | null }) => scheduled)).toBe(true);
    for (const what of [
      () => query('DELETE FROM dose_fact WHERE account_id % 2 = 0'),
      async () => pruneRollups(await context()),
      rebuild,
      renew,
      () => query("UPDATE account SET time_zone = 'Asia/Tokyo', language_id = 1"),
      rebuild,
      () => query('DELETE FROM account WHERE id % 3 = 0'),
      renew,
    ]) {
      await what();
      expect(await ask(), String(what)).toStrictEqual(before);
    }
  });
});

describe('A month that is not closed', () => {
  it('keeps the days of doses when their member moves', async () => {
    await makeJanuary();
    service().at(JANUARY + 20 * DAY);
    await renew();
    const { id } = await service().account('subscriber');
    const days = await query('SELECT at, day, hour FROM dose_fact ORDER BY at');
    await query("UPDATE account SET time_zone = 'Pacific/Auckland' WHERE id = $1", [id]);
    await query("UPDATE reminder SET medicine_type = 'Tablet'");
    await renew();
    expect(days.length).toBeGreaterThan(15);
    expect(await query('SELECT at, day, hour FROM dose_fact ORDER BY at')).toStrictEqual(days);
  });
});
