import fc from 'fast-check';
import { serviceContext } from '../../../src/core/service-context.js';
import { transact } from '../../../src/core/transact.js';
import { planDue } from '../../../src/domains/reminders/alert/plan-due.service.js';
import { calendar } from '../../../src/domains/reminders/calendar/calendar.service.js';
import { adherence } from '../../../src/domains/reminders/calendar/home.service.js';
import {
  logDose,
  skipDose,
  takeDose,
  undoDose,
} from '../../../src/domains/reminders/dose/dose.service.js';
import { createMedicineReminder } from '../../../src/domains/reminders/reminder/reminder-create.service.js';
import {
  deleteReminder,
  updateMedicineReminder,
} from '../../../src/domains/reminders/reminder/reminder-write.service.js';
import {
  pruneRollups,
  rebuildRollups,
  renewRollups,
} from '../../../src/domains/reports/rollup/rollup.service.js';
import { useService } from '../../support/harness.js';
import { contextOf, scannedCells, storedCells, tighten } from './histories.js';

const service = useService();
const DAY = 24 * 60 * 60 * 1000;
const START = Date.parse('2026-01-20T09:00:00Z');
const HISTORIES = Number(process.env.REPORT_HISTORIES ?? 8);
/** What happens later is past the 14 days in which a month takes changes. */
const LATEST = Date.parse('2026-02-14T00:00:00Z');
const PERIOD = { from: '2025-12-01', to: '2026-03-31' };

const renew = async () => renewRollups(await serviceContext(service().app.deps, 'test'));

const number = fc.nat({ max: 1000 });
const STEPS = [
  'pass',
  'pass',
  'take',
  'take',
  'skip',
  'undo',
  'log',
  'create',
  'edit',
  'delete',
  'erase',
  'change',
  'renew',
  'renew',
] as const;
const step = fc.tuple(fc.constantFrom(...STEPS), number, number);
const FREQUENCIES = [
  'daily',
  '2_times_a_day',
  'every_8_hours',
  'weekly',
  'as_needed',
  'FREQ=DAILY',
];
const TYPES = ['Tablet', 'tablet ', 'Drops', undefined];

const chosen = <T>(list: readonly T[], n: number): T | undefined => list[n % list.length];

/** Does one step of a history. What the service refuses changes nothing. */
async function act(
  what: (typeof STEPS)[number],
  [n, m]: readonly [number, number],
  accountIds: readonly number[],
): Promise<void> {
  if (what === 'renew') return renew();
  if (what === 'pass')
    return service().at(Math.min(LATEST, service().now() + ((n % 60) + 1) * 3_600_000));
  const accountId = chosen(accountIds, n) as number;
  const context = await contextOf(service(), accountId);
  if ((await context.db.account.count({ where: { id: accountId } })) === 0) return;
  if (what === 'change') return changeAccount(accountId, m);
  const own = { where: { accountId, deletedAt: null, kind: 'medicine' } } as const;
  const reminder = chosen(await context.db.reminder.findMany(own), m);
  const events = async () => {
    const today = new Date(service().now()).toISOString().slice(0, 10);
    const from = new Date(service().now() - 10 * DAY).toISOString().slice(0, 10);
    return chosen((await calendar(context, { from, to: today })).nodes, m);
  };
  if (what === 'create') {
    const startDate = new Date(service().now() - (m % 5) * DAY).toISOString().slice(0, 10);
    const fields = { frequencyType: chosen(FREQUENCIES, m), medicineType: chosen(TYPES, n + m) };
    await createMedicineReminder(context, { name: `M${m}`, startDate, ...fields } as never);
  } else if (what === 'edit' && reminder) {
    const fields = { frequencyType: chosen(FREQUENCIES, n + m), medicineType: chosen(TYPES, m) };
    await updateMedicineReminder(context, { id: reminder.id, name: 'Edited', ...fields } as never);
  } else if (what === 'delete' && reminder) await deleteReminder(context, reminder.id);
  else if (what === 'log' && reminder)
    await logDose(context, { reminderId: reminder.id, at: new Date(service().now() - m * 60_000) });
  else if (what === 'erase') {
    if (m % 5 === 0) await context.db.account.deleteMany({ where: { id: accountId } });
  } else {
    const event = await events();
    const input = { occurrenceId: event?.id ?? 'none' };
    if (what === 'take') await takeDose(context, { ...input, force: m % 3 === 0 });
    if (what === 'skip') await skipDose(context, input);
    if (what === 'undo') await undoDose(context, input);
  }
}

/** Changes as what an account is counted: its language, or whether it counts for the threshold. */
async function changeAccount(id: number, m: number): Promise<void> {
  const made = { createdAt: new Date(service().now() - (m % 9) * DAY) };
  const languages = await service().database.prisma.language.findMany({ orderBy: { id: 'asc' } });
  const changes = [
    { languageId: chosen(languages, m)?.id ?? null },
    { emailProvenAt: m % 2 ? new Date(service().now()) : null, ...made },
    { roles: [m % 2 ? 'guest' : 'subscriber'], ...made },
  ];
  const data = changes[m % changes.length] as object;
  await service().database.prisma.account.update({ where: { id }, data });
}

/** All that is stored of the cells of doses. */
const allCells = () =>
  service().database.query(`SELECT grid, date::text, keys, accounts, eligible, sums, tops, buckets, sketch
    FROM report_cell WHERE subject = 'dose' ORDER BY 1, 2, 3`);

async function makeMembers(count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let i = 0; i < count; i++) ids.push((await service().account('subscriber', `m${i}`)).id);
  // After the history, as by the clock of today, whose month may be about to end: that would be two months.
  await service().database.query("UPDATE account SET created_at = '2030-01-15T12:00:00Z'");
  await service().database.query('DELETE FROM report_stale');
  return ids;
}

describe('The rollups', () => {
  it('equal a scan of all calendars, whatever happened, and so do those that are built again', async () => {
    const history = fc.array(step, { minLength: 10, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        await service().clean();
        service().at(START);
        const accountIds = await makeMembers(3);
        for (const n of [0, 1, 2]) await act('create', [n, n + 1], accountIds);
        for (const [what, n, m] of steps)
          await act(what, [n, m], accountIds).catch((error: Error) => {
            if (error.name !== 'DomainError' && !/No record|not found/i.test(error.message))
              throw error;
          });
        await service().database.query("DELETE FROM report_state WHERE subject = 'missed'");
        await renew();
        const alive = (await service().database.prisma.account.findMany()).map(({ id }) => id);
        const scanned = await scannedCells(service(), alive, PERIOD);
        expect(new Map([...(await storedCells(service()))].sort())).toStrictEqual(
          new Map([...scanned].sort()),
        );
        const lived = await allCells();
        await rebuildRollups(await serviceContext(service().app.deps, 'test'), () => undefined);
        expect(lived).toStrictEqual(await allCells());
      }),
      { numRuns: HISTORIES, endOnFailure: true },
    );
  });

  it('hold each dose that was missed, however time passes, and by whichever process', async () => {
    const passing = fc.tuple(fc.integer({ min: 1, max: 30 }), fc.boolean(), number, fc.boolean());
    await fc.assert(
      fc.asyncProperty(fc.array(passing, { minLength: 4, maxLength: 9 }), async (spans) => {
        await service().clean();
        service().at(START);
        const accountIds = await makeMembers(3);
        for (const n of [0, 1, 2]) await act('create', [n, n + 1], accountIds);
        for (const [hours, takes, n, planned] of [...spans, [1, false, 0, true] as const]) {
          service().at(Math.min(LATEST, service().now() + hours * 3_600_000));
          if (planned) await planDue(service().app.deps);
          if (takes) await act('take', [n, n], accountIds).catch(() => undefined);
          await Promise.all([renew(), renew()]);
        }
        await tighten(service());
        const scanned = await scannedCells(service(), accountIds, PERIOD);
        expect(new Map([...(await storedCells(service()))].sort())).toStrictEqual(
          new Map([...scanned].sort()),
        );
      }),
      {
        numRuns: HISTORIES,
        endOnFailure: true,
        // Nothing plans for longer than alerts are planned ahead.
        examples: [
          [
            [29, 13, 16, 17, 9].map((hours, n): [number, boolean, number, boolean] => [
              hours,
              false,
              n,
              n < 2,
            ]),
          ],
        ],
      },
    );
  });

  it('count as the adherence of members does, and can be built again from nothing', async () => {
    service().at(START);
    const accountIds = await makeMembers(2);
    for (const n of [0, 1, 2, 3]) await act('create', [n, n + 1], accountIds);
    service().at(START + 12 * DAY);
    for (const n of [0, 1, 2, 3, 4, 5]) await act('take', [n, n], accountIds);
    await renew();
    const first = await storedCells(service());
    const sums = [0, 0, 0, 0];
    for (const id of accountIds) {
      const range = { from: '2026-02-01', to: '2026-02-28' };
      const own = await adherence(await contextOf(service(), id), range);
      [own.taken, own.skipped, own.missed, own.asNeeded].forEach((count, i) => {
        sums[i] = (sums[i] ?? 0) + count;
      });
    }
    expect(first.get(JSON.stringify(['', '2026-02-01', []]))?.sums).toStrictEqual(sums);
    await service().database.query('DELETE FROM dose_fact');
    await service().database.query('DELETE FROM report_cell');
    const shown: string[] = [];
    const context = await serviceContext(service().app.deps, 'test');
    const built = await rebuildRollups(context, ({ what, done, of }) =>
      shown.push(`${what} ${done}/${of}`),
    );
    expect(built).toStrictEqual({ members: 2, months: 6 });
    expect(shown.at(0)).toBe('members 2/2');
    expect(shown.at(-1)).toBe('months 6/6');
    expect(await storedCells(service())).toStrictEqual(first);
  });

  it('of more than five years ago are pruned', async () => {
    service().at(START);
    await act('create', [0, 0], await makeMembers(1));
    service().at(START + 40 * DAY);
    await renew();
    expect((await storedCells(service())).size).toBeGreaterThan(0);
    service().at(START + 6 * 366 * DAY);
    await pruneRollups(await serviceContext(service().app.deps, 'test'));
    expect(await storedCells(service())).toStrictEqual(new Map());
  });

  it('forget who is erased', async () => {
    service().at(START);
    const [id = 0] = await makeMembers(1);
    await act('create', [0, 0], [id]);
    service().at(START + 5 * DAY);
    await renew();
    expect((await storedCells(service())).size).toBeGreaterThan(0);
    const context = await contextOf(service(), id);
    await transact(context, (inner) => inner.db.account.delete({ where: { id } }));
    await renew();
    expect(await storedCells(service())).toStrictEqual(new Map());
  });
});
