import fc from 'fast-check';
import { budget } from '../../support/budget.js';
import { useService } from '../../support/harness.js';
import { NOW } from './member.js';

/** What old apps send where a date is due, and what is no date that leaves no doubt. */
const NO_DATES: readonly unknown[] = [
  'tomorrow',
  'Next Monday',
  'tomorrow at 8',
  '05/12/2026',
  '31.12.2026',
  '31/12/2026 10:00',
  '12-05-26',
  '2026-02-30',
  '2026-13-01T10:00',
  '2026-03-12T08:00:00+05:99',
  '2026-03-12T08:00:00[Asia/Tokyo]',
  '0000-00-00',
  '0000-00-00 00:00:00',
  'Invalid Date',
  'undefined',
  'null',
  'NaN',
  '10:00',
  'غدا',
  '明天',
  0,
  5,
  -1,
  1.5,
  true,
  false,
  ['2026-12-01', '2026-12-05'],
  [2026, 12, 1],
  { date: '2026-12-01', time: '10:00' },
  { seconds: 1790000000, nanoseconds: 0 },
  { $date: '2026-12-01T10:00:00Z' },
];
const DATES: readonly unknown[] = ['2026-12-01', '2026-12-01T10:00:00+01:00', 1_796_000_000_000];
const WORDS: readonly unknown[] = [
  'Aspirin',
  '💊 500 mg',
  'x'.repeat(300),
  5,
  2.5,
  true,
  ['a', 'b'],
  [{ id: 1, name: 'tablet' }],
  { en: 'Aspirin', ar: 'أسبرين' },
  {},
  'null',
  '<b>x</b>',
];
const OFTEN: readonly unknown[] = [
  ...WORDS,
  'daily',
  ['08:00', '20:00'],
  { type: 'daily', times: ['08:00'] },
  [1, 3, 5],
  2,
];
const LEADS: readonly unknown[] = [
  ...NO_DATES.slice(0, 20).filter((value) => value !== '10:00'),
  'soon',
  -15,
  1.5,
  true,
  [10, 60],
  { value: 30, unit: 'minutes' },
  '1 hr 30 min and again',
  '15,30',
  '8 weeks',
];

/** What is kept of a value: itself as a text. */
const kept = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

const one = (values: readonly unknown[]) => fc.constantFrom(...values);
const date = fc.oneof(one(NO_DATES), one(DATES));
const medicine = fc.record(
  {
    name: one(WORDS),
    description: one(WORDS),
    medicine_type: one(WORDS),
    frequency_type: one(OFTEN),
    start_date: date,
    end_date: one(NO_DATES),
    created_date: one(NO_DATES),
  },
  { requiredKeys: [] },
);
const appointment = fc.record(
  { title: one(WORDS), description: one(WORDS), date_time: date, remind_before: one(LEADS) },
  { requiredKeys: [] },
);

describe('Reminders keep what they do not understand', () => {
  const service = useService();
  const send = (path: string, body: object, edition: 'A' | 'B') =>
    service().rest('POST', path, { as: 'subscriber', edition, body });
  const read = async (path: string, id: number) =>
    (await service().rest('GET', `${path}/${id}`, { as: 'subscriber', edition: 'B' })).body;
  const texts = (body: object) =>
    Object.fromEntries(Object.entries(body).map(([name, value]) => [name, kept(value)]));
  const isUnread = (value: unknown) => value !== undefined && NO_DATES.includes(value);

  it('of a medicine: it is made and changed, answers as sent, and does not ring', async () => {
    service().at(NOW);
    await fc.assert(
      fc.asyncProperty(
        medicine,
        fc.constantFrom('/v1/medicine_reminder', '/v1/event/medicine'),
        fc.constantFrom('A' as const, 'B' as const),
        async (sent, path, edition) => {
          const isEvent = path.includes('event');
          const { status, body } = await send(path, sent, isEvent ? 'B' : edition);
          expect(status, JSON.stringify([sent, body])).toBe(201);
          expect(body).toMatchObject(texts(sent));
          if (isUnread(sent.start_date) || isUnread(sent.end_date))
            expect([body.schedule_recognized, body.next_occurrence]).toStrictEqual([false, null]);
          const answer = await send(`/v1/medicine_reminder/${body.id}`, sent, 'B');
          expect([answer.status, answer.body.id]).toStrictEqual([200, body.id]);
          const again = { name: 'Other', frequency_type: 'daily' };
          const changed = await send(`/v1/medicine_reminder/${body.id}`, again, 'B');
          expect([changed.status, changed.body.start_date]).toStrictEqual([200, body.start_date]);
          expect(await read('/v1/medicine_reminder', body.id)).toStrictEqual(changed.body);
          await service().rest('DELETE', `/v1/medicine_reminder/${body.id}`, { as: 'subscriber' });
        },
      ),
      { numRuns: budget(20, 60) },
    );
  });

  it('of an appointment: it is made and changed, and answers as sent', async () => {
    service().at(NOW);
    await fc.assert(
      fc.asyncProperty(
        appointment,
        fc.constantFrom('A' as const, 'B' as const),
        async (sent, edition) => {
          const path = '/v1/appointment_reminder';
          const { status, body } = await send(path, sent, edition);
          expect(status, JSON.stringify([sent, body])).toBe(201);
          expect(body).toMatchObject(texts(sent));
          if (sent.date_time === undefined || isUnread(sent.date_time))
            expect([body.status, body.remind_at]).toStrictEqual(['unscheduled', null]);
          const empty = await send(path, { title: 'Dentist' }, edition);
          const changed = await send(`${path}/${empty.body.id}`, sent, 'B');
          expect(changed.status, JSON.stringify([sent, changed.body])).toBe(200);
          expect(changed.body).toMatchObject(texts(sent));
          for (const { id } of [body, empty.body])
            await service().rest('DELETE', `${path}/${id}`, { as: 'subscriber' });
        },
      ),
      { numRuns: budget(60, 250) },
    );
  });

  it('of dates that are centuries ahead, as those of another calendar; but such an end is none', async () => {
    service().at(NOW);
    const medicine = async (body: object) =>
      (await send('/v1/medicine_reminder', { name: 'x', frequency_type: 'daily', ...body }, 'B'))
        .body;
    for (const date of ['2569-12-25', '2569-12-25T08:00:00.000Z', '25 Dec 2569', '2200-01-01']) {
      expect(await medicine({ start_date: date })).toMatchObject({
        start_date: date,
        schedule_recognized: false,
        next_occurrence: null,
      });
      const sent = { title: 'x', date_time: date };
      const { body } = await send('/v1/appointment_reminder', sent, 'B');
      expect(body).toMatchObject({ date_time: date, status: 'unscheduled' });
    }
    for (const end of ['2569-12-25', '2999-12-31T23:59:59Z', '31 Dec 9999', '2199-12-31'])
      expect(await medicine({ start_date: '2027-01-01', end_date: end })).toMatchObject({
        end_date: end,
        schedule_recognized: true,
        next_occurrence: expect.stringMatching(/^2027-01-01T08:00/),
      });
  });

  it('of a medicine, also when it is given a date that can be read', async () => {
    service().at(NOW);
    const { body } = await send(
      '/v1/medicine_reminder',
      { name: 'x', frequency_type: 'daily', start_date: 'soon' },
      'B',
    );
    const path = `/v1/medicine_reminder/${body.id}`;
    const dated = await send(path, { start_date: '2026-12-01' }, 'B');
    expect(dated.body).toMatchObject({ schedule_recognized: true, start_date: '2026-12-01' });
    expect(dated.body.next_occurrence).toMatch(/^2026-12-01T08:00/);
  });
});
