import fc from 'fast-check';
import { knownPlan } from '../../../../src/domains/reminders/alert/known-plan.js';
import { type Planned, scheduleOf } from '../../../../src/domains/reminders/alert/planned.js';
import { expand, nextOccurrence } from '../../../../src/domains/reminders/schedule/schedule.js';
import { learnedZones, learnZones } from '../../../../src/platform/zone.js';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const BEGIN = Date.UTC(2026, 0, 1);

/** Few values of each, so that plans differ in one of them only. */
const plans = fc.record<Planned>({
  frequencyType: fc.constantFrom(
    null,
    'daily',
    '3 times a day',
    'every 8 hours',
    'every 5 days',
    'monthly',
    'as needed',
    'FREQ=WEEKLY;BYDAY=MO,WE;COUNT=30',
    'FREQ=MINUTELY;INTERVAL=30;BYHOUR=8,9,10,11,12,13',
    'FREQ=MONTHLY;BYDAY=-1FR',
  ),
  schedule: fc.constantFrom(
    null,
    null,
    '{"repeat":{"kind":"days","every":2},"times":["08:00"]}',
    '{"repeat":{"kind":"interval","minutes":15},"times":[]}',
  ),
  recognized: fc.constantFrom(true, true, true, false),
  zone: fc.constantFrom('Europe/Berlin', 'America/Havana', 'Pacific/Apia', '+02:00'),
  startLocal: fc.constantFrom('2026-01-05T08:00:00', '2026-02-28T02:30:00'),
  times: fc.constantFrom(['08:00'], ['02:30', '08:00'], ['00:30', '12:00', '23:45']),
  untilAt: fc.constantFrom(null, null, new Date(BEGIN + 90 * DAY)),
});
const asked = fc.record({
  plan: plans,
  from: fc.nat(300 * 24).map((hours) => BEGIN + hours * HOUR + 1),
  length: fc.oneof(fc.nat(40 * 24), fc.nat(120 * 24)),
  withheld: fc.boolean(),
});

describe('A plan that is remembered', () => {
  const former = learnedZones();
  afterEach(() => learnZones(former));

  it('has the occurrences that it has when it is expanded anew, whatever was asked before', () => {
    fc.assert(
      fc.property(fc.array(asked, { minLength: 1, maxLength: 30 }), (questions) => {
        for (const { plan, from, length, withheld } of questions) {
          const to = from + length * HOUR;
          const known = knownPlan({ ...plan });
          const fresh = [...expand(scheduleOf(plan), from, to)];
          expect([...known.instants(from, to)]).toEqual(fresh.map(({ at }) => at));
          const without = new Set(withheld ? fresh.slice(0, 2).map(({ at }) => at) : []);
          expect(known.next(from, without)).toEqual(
            nextOccurrence(scheduleOf(plan), from, without),
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  it('moves with the data of its zone', () => {
    const plan = {
      frequencyType: 'daily',
      schedule: null,
      zone: 'Europe/Berlin',
      startLocal: '2026-01-05T08:00:00',
      times: ['08:00'],
      untilAt: null,
    };
    const day = { from: Date.UTC(2026, 5, 1), to: Date.UTC(2026, 5, 2) };
    const [before = 0] = knownPlan(plan).instants(day.from, day.to);
    const stays = { from: 0, to: Number.POSITIVE_INFINITY, shifts: [], offsets: [HOUR] };
    learnZones(new Map([['Europe/Berlin', stays]]));
    const [after] = knownPlan(plan).instants(day.from, day.to);
    expect(after).toBe(before + HOUR);
    expect(knownPlan(plan).next(day.from, new Set())?.at).toBe(after);
  });
});
