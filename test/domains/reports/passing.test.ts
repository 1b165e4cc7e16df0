// Who is marked for reports because time passed. That all is counted: rollups.test.ts.
import { serviceContext } from '../../../src/core/service-context.js';
import { calendar } from '../../../src/domains/reminders/calendar/calendar.service.js';
import { skipDose, takeDose } from '../../../src/domains/reminders/dose/dose.service.js';
import { createMedicineReminder } from '../../../src/domains/reminders/reminder/reminder-create.service.js';
import { deleteReminder } from '../../../src/domains/reminders/reminder/reminder-write.service.js';
import { renewRollups } from '../../../src/domains/reports/rollup/rollup.service.js';
import { useService } from '../../support/harness.js';
import { contextOf } from './histories.js';

const service = useService();
const query = (sql: string) => service().database.query<{ id: number }>(sql);
const START = Date.parse('2026-01-20T06:00:00Z');
const HOUR = 60 * 60_000;
const renew = async () => renewRollups(await serviceContext(service().app.deps, 'test'));

/** Returns an account that takes a medicine each day at 08:00. */
async function member(name: string): Promise<number> {
  const { id } = await service().account('subscriber', name);
  const fields = { name, startDate: '2026-01-20T08:00:00Z', frequencyType: 'daily' };
  await createMedicineReminder(await contextOf(service(), id), fields as never);
  return id;
}

async function answer(id: number, how: typeof takeDose | typeof skipDose): Promise<void> {
  const context = await contextOf(service(), id);
  const { nodes } = await calendar(context, { from: '2026-01-20', to: '2026-01-20' });
  await how(context, { occurrenceId: nodes[0]?.id ?? 'none' });
}

/** Runs `during`, and returns which accounts it marked. */
async function marked(during: () => Promise<unknown>): Promise<number[]> {
  await query('CREATE TABLE marks (id int, n serial)');
  await query(`CREATE FUNCTION note_mark() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO marks (id) VALUES (NEW.account_id); RETURN NULL; END $$`);
  await query(`CREATE TRIGGER note_mark AFTER INSERT ON report_due
    FOR EACH ROW EXECUTE FUNCTION note_mark()`);
  try {
    await during();
    return (await query('SELECT id FROM marks ORDER BY n')).map(({ id }) => id);
  } finally {
    await query('DROP TRIGGER note_mark ON report_due');
    await query('DROP FUNCTION note_mark');
    await query('DROP TABLE marks');
  }
}

const factsOf = (id: number) =>
  query(`SELECT outcome FROM dose_fact WHERE account_id = ${id} ORDER BY at`);

describe('A member is marked for reports by the passing of time', () => {
  beforeEach(() => service().at(START));

  it('once, when a dose has passed unanswered, and nobody else is', async () => {
    const misses = await member('misses');
    const [takes, skips, ends] = [
      await member('takes'),
      await member('skips'),
      await member('ends'),
    ];
    await renew();
    service().at(START + 2.5 * HOUR);
    await answer(takes, takeDose);
    await answer(skips, skipDose);
    const [{ id: reminder = 0 } = {}] = await query(
      `SELECT id FROM reminder WHERE account_id = ${ends}`,
    );
    await deleteReminder(await contextOf(service(), ends), reminder);
    await renew();
    const early = await marked(async () => {
      service().at(START + 3.75 * HOUR);
      await renew();
    });
    expect(early, 'it can be answered for two hours').toStrictEqual([]);
    const late = await marked(async () => {
      for (const hours of [4, 5, 6.5, 8, 17, 18.5]) {
        service().at(START + hours * HOUR);
        await Promise.all([renew(), renew()]);
      }
    });
    expect(late).toStrictEqual([misses]);
    expect(await factsOf(misses)).toStrictEqual([{ outcome: 'missed' }]);
  });

  it('also when it has several medicines, of which one was answered', async () => {
    const id = await member('several');
    await createMedicineReminder(await contextOf(service(), id), {
      name: 'Second',
      startDate: '2026-01-20T08:00:00Z',
      frequencyType: 'daily',
    } as never);
    await renew();
    service().at(START + 2.5 * HOUR);
    await answer(id, takeDose);
    await renew();
    service().at(START + 5 * HOUR);
    expect(await marked(renew)).toStrictEqual([id]);
    const outcomes = (await factsOf(id)).map((fact) => Object.values(fact)[0]);
    expect(outcomes.sort()).toStrictEqual(['missed', 'taken']);
  });

  it('for each dose of an hour of many, however many one statement reads', async () => {
    const ids = [await member('first'), await member('last')];
    await renew();
    // Alerts between theirs, of doses that were answered.
    await query(`WITH r AS (SELECT id, account_id FROM reminder WHERE account_id = ${ids[0]}),
      a AS (INSERT INTO reminder_alert (reminder_id, account_id, cause, planned_at, due_at, local_time, state)
        SELECT r.id, account_id, 'due', at, at, '', 'sent' FROM r,
          generate_series('2026-01-20T08:00:00.001Z'::timestamptz, '2026-01-20T08:00:10.050Z', '1 ms') at
        RETURNING reminder_id, account_id, planned_at)
      INSERT INTO dose (account_id, reminder_id, planned_at, answer, at, name, logged_by_id, logged_at)
      SELECT account_id, reminder_id, planned_at, 'taken', planned_at, '', account_id, planned_at FROM a`);
    await query(`UPDATE reminder_alert SET planned_at = '2026-01-20T08:00:11Z', due_at = '2026-01-20T08:00:11Z'
      WHERE account_id = ${ids[1]} AND planned_at = '2026-01-20T08:00:00Z'`);
    await query('DELETE FROM report_due');
    service().at(START + 5 * HOUR);
    expect(await marked(renew)).toStrictEqual(ids);
  });
});
