import { serviceContext } from '../../../src/core/service-context.js';
import { transact } from '../../../src/core/transact.js';
import { forgetSubmissions } from '../../../src/domains/forms/submission-privacy.service.js';
import { emailHashes } from '../../../src/domains/forms/submission-seal.js';
import { pruneRollups, renewRollups } from '../../../src/domains/reports/rollup/rollup.service.js';
import { makeMedicine } from '../../support/factories.js';
import { useService } from '../../support/harness.js';

const service = useService();
const DAY = 24 * 60 * 60 * 1000;
const JANUARY = Date.parse('2026-01-01T00:00:00Z');

const context = () => serviceContext(service().app.deps, 'test');
const query = (sql: string, values: unknown[] = []) => service().database.query(sql, values);
const renewAt = async (day: number) => {
  service().at(JANUARY + day * DAY);
  await renewRollups(await context());
};

/** Closes January. */
async function closeJanuary(): Promise<void> {
  service().at(JANUARY);
  await makeMedicine(service(), { frequencyType: 'daily', startDate: '2026-01-01' });
  await renewAt(40);
  await renewAt(46);
}

const keep = (subject: string, days: readonly number[], of = JANUARY) =>
  query(
    `INSERT INTO report_kept SELECT $1, NULL, at, '{"id": 1, "form": 1}'
     FROM unnest($2::timestamptz[]) at`,
    [subject, days.map((day) => new Date(of + day * DAY).toISOString())],
  );

describe('Facts of closed months', () => {
  it('of doses are forgotten, but for those of the last two days', async () => {
    await closeJanuary();
    const [first] = await query('SELECT min(day)::text AS day, count(*)::int FROM dose_fact');
    expect(first).toStrictEqual({ day: '2026-01-30', count: 17 });
    expect(await query('SELECT FROM report_stale')).toStrictEqual([]);
  });

  it('are forgotten by the next run when a process ended before it forgot all', async () => {
    await closeJanuary();
    await query("INSERT INTO report_month VALUES ('form', '2026-01-01', now(), true)");
    await keep('form', [...Array(20_001).fill(3), 31.5]);
    await query(
      `INSERT INTO dose_fact SELECT account_id, $1::timestamptz, '2026-01-04', 8, '', '', 'taken', 0
       FROM dose_fact LIMIT 3`,
      [new Date(JANUARY + 3 * DAY)],
    );
    await renewAt(46);
    expect(await query('SELECT at FROM report_kept')).toStrictEqual([
      { at: new Date(JANUARY + 31.5 * DAY) },
    ]);
    expect(await query("SELECT FROM dose_fact WHERE day = '2026-01-04'")).toStrictEqual([]);
  });

  it('of months after one that is imported again stay until that is closed', async () => {
    await closeJanuary();
    await keep('form', [3]);
    await query(
      `INSERT INTO report_month VALUES ('form', '2026-01-01', now(), true),
        ('form', '2025-11-01', $1, false)`,
      [new Date(JANUARY + 46 * DAY)],
    );
    await renewAt(46);
    expect(await query('SELECT FROM report_kept')).toHaveLength(1);
    await renewAt(48);
    expect(await query('SELECT FROM report_kept')).toStrictEqual([]);
  });
});

describe('Facts whose rows are gone', () => {
  it('of more than five years ago are not kept', async () => {
    const { id } = await service().account('subscriber');
    await query(
      `INSERT INTO audit_event (uid, at, actor_id, subject_id, action, key_id, mac)
       SELECT gen_random_uuid(), now() - age, $1, $1, 'session.start', '', ''
       FROM unnest(ARRAY['10 days', '6 years']::interval[]) age`,
      [id],
    );
    await query("DELETE FROM audit_event WHERE action = 'session.start'");
    expect(await query('SELECT FROM report_kept')).toHaveLength(1);
  });

  it('are pruned after five years', async () => {
    service().at(JANUARY);
    await keep('form', [-5 * 366 - 40, -5 * 365]);
    await pruneRollups(await context());
    expect(await query('SELECT at FROM report_kept')).toStrictEqual([
      { at: new Date(JANUARY - 5 * 365 * DAY) },
    ]);
  });

  it('are forgotten when their sender is erased, by a proven address too', async () => {
    service().at(JANUARY);
    const { id } = await service().account('subscriber');
    const email = 'sender@example.org';
    await query('UPDATE account SET email = $2, email_proven_at = now() WHERE id = $1', [
      id,
      email,
    ]);
    const [hash] = emailHashes(service().app.deps.keys, email);
    await query(
      `WITH form AS (INSERT INTO form (name, score_least, score_most, retention_days, created_at)
        VALUES ('F', 0, 1, 9, $2) RETURNING id)
      INSERT INTO form_submission (form_id, platform, sealed, key_id, email_hash, received_at)
      SELECT id, 'ios', '', '', hash, $2::timestamptz FROM form, unnest(ARRAY[$1, 'other']) hash`,
      [hash, new Date(JANUARY + DAY)],
    );
    await renewAt(2);
    await transact(await context(), async (inner) => {
      await forgetSubmissions(inner, id);
      await inner.db.account.delete({ where: { id } });
    });
    expect(await query('SELECT FROM report_kept')).toStrictEqual([]);
    await renewAt(3);
    expect(
      await query("SELECT sums FROM report_cell WHERE subject = 'form' AND grid = ''"),
    ).toStrictEqual([{ sums: [1] }]);
  });
});
