import { makeMedicine } from '../support/factories.js';
import { mutation, useService } from '../support/harness.js';

const service = useService();
const HOUR = 60 * 60 * 1000;
const NOW = Date.parse('2026-03-10T22:30:00Z');

/** Aspirin at 08:00 and 20:00 since the 8th: taken, skipped, missed, missed, taken, missed. */
async function makeDoses(): Promise<number> {
  service().at(NOW - 72 * HOUR);
  const id = await makeMedicine(service(), {
    medicineType: 'Tablet',
    frequencyType: '2_times_a_day',
    startDate: '2026-03-08',
  });
  service().at(NOW);
  const { calendar } = await service().data(
    '{ calendar(from: "2026-03-08", to: "2026-03-10") { events { occurrenceId } } }',
  );
  for (const [i, what] of [
    [0, 'takeDose'],
    [1, 'skipDose'],
    [4, 'takeDose'],
  ] as const) {
    const { occurrenceId } = calendar.events[i];
    await service().data(mutation(what, 'event { status }'), { input: { occurrenceId } });
  }
  return id;
}

describe.each(['A', 'B'] as const)('GET /v1/report/… in edition %s', (edition) => {
  const read = (what: string, as: 'subscriber' | 'anonymous' = 'subscriber') =>
    service().rest('GET', `/v1/report/${what}`, { as, edition });

  it("answers a chart of the member's own doses of the last 30 days", async () => {
    await makeDoses();
    const { status, body } = await read('chart');
    expect([status, body.range, body.labels.length, body.labels[0], body.labels[29]]).toStrictEqual(
      [200, { from: '2026-02-09', to: '2026-03-10' }, 30, '2026-02-09', '2026-03-10'],
    );
    const last = (data: number[]) => [data.length, ...data.slice(-4)];
    expect(
      body.datasets.map(({ label, data }: { label: string; data: number[] }) => [
        label,
        ...last(data),
      ]),
    ).toStrictEqual([
      ['taken', 30, 0, 1, 0, 1],
      ['skipped', 30, 0, 1, 0, 0],
      ['missed', 30, 0, 0, 2, 1],
    ]);
  });

  it('answers the same in numbers, by reminder', async () => {
    const id = await makeDoses();
    const { status, body } = await read('statistics');
    const counts = { scheduled: 6, taken: 2, skipped: 1, missed: 3, as_needed: 0 };
    expect([status, body]).toStrictEqual([
      200,
      {
        range: { from: '2026-02-09', to: '2026-03-10' },
        totals: counts,
        adherence: 2 / 6,
        reminders: [{ id, name: 'Aspirin', medicine_type: 'tablet', ...counts, adherence: 2 / 6 }],
      },
    ]);
  });

  it('knows of no adherence of a member who has never answered a dose', async () => {
    service().at(NOW - 72 * HOUR);
    await makeMedicine(service(), { startDate: '2026-03-08T08:00:00' });
    service().at(NOW);
    const { body } = await read('statistics');
    expect([body.totals.missed, body.adherence]).toStrictEqual([3, null]);
    expect(body.reminders[0]).toMatchObject({ missed: 3, adherence: null });
  });

  it('knows of no doses: zeros, and no adherence', async () => {
    const { body } = await read('statistics');
    expect([body.totals.scheduled, body.adherence, body.reminders]).toStrictEqual([0, null, []]);
  });

  it('is for those who are signed in', async () => {
    for (const what of ['chart', 'statistics']) {
      const { status, body } = await read(what, 'anonymous');
      expect([status, body.code]).toStrictEqual([401, 'rest_forbidden']);
    }
  });
});
