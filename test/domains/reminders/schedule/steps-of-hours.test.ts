// Courses that begin with hours, and go on with other amounts and as often as something else says:
// their doses are those of a walk over instants and local days that shares no code with the service.
import fc from 'fast-check';
import { planMedicine } from '../../../../src/domains/reminders/alert/plan.js';
import { scheduleOf } from '../../../../src/domains/reminders/alert/planned.js';
import { amountFinder, quantityKey } from '../../../../src/domains/reminders/amount/amounts.js';
import { statedBy } from '../../../../src/domains/reminders/amount/stated-amount.service.js';
import { planned } from '../../../../src/domains/reminders/reminder/timed.js';
import { expand } from '../../../../src/domains/reminders/schedule/schedule.js';
import { clock, DAY, instantByIntl, offsetByIntl } from './walk.js';

const HOUR = DAY / 24;
const numRuns = Number(process.env.PROPERTY_RUNS ?? 300);
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'Europe/Dublin',
  'America/New_York',
  'America/Santiago',
  'America/Havana',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Asia/Kathmandu',
  'Africa/Cairo',
  'Asia/Beirut',
  'Atlantic/Azores',
  'Pacific/Pago_Pago',
  'Pacific/Kiritimati',
  '+05:30',
];
/** Clock times of so many a day, of a member who has set them. */
const USUAL: Readonly<Record<number, readonly string[]>> = {
  1: ['08:00'],
  2: ['00:30', '23:40'],
  3: ['01:30', '08:00', '20:00'],
};
const OFTEN = ['once daily', 'twice daily', 'three times a day'];

interface Hours {
  readonly hours: number;
  readonly days: number;
  readonly amount: number;
}
interface Days {
  readonly timesADay: number;
  /** None: without end, or 10 days as far as the test looks. */
  readonly days: number | undefined;
  readonly amount: number;
}
interface Course {
  readonly hours: readonly Hours[];
  readonly behind: readonly Days[];
  readonly zone: string;
  /** Local, in milliseconds as if UTC. */
  readonly start: number;
}

const hours = fc.record({
  hours: fc.constantFrom(2, 3, 4, 6, 8, 12),
  days: fc.integer({ min: 1, max: 4 }),
  amount: fc.integer({ min: 1, max: 9 }),
});
const days = fc.record({
  timesADay: fc.integer({ min: 1, max: 3 }),
  days: fc.integer({ min: 1, max: 4 }),
  amount: fc.integer({ min: 1, max: 9 }),
});
/** Within some days of these the clocks of some zone are shifted. */
const SHIFTS = ['2026-03-01', '2026-03-22', '2026-04-01', '2026-04-20', '2026-08-30', '2026-09-22'];
const starts = fc
  .tuple(
    fc.constantFrom(...SHIFTS, '2026-10-01', '2026-10-20', '2026-10-27'),
    fc.integer({ min: 0, max: 8 * 96 }),
  )
  .map(([day, quarters]) => Date.parse(day) + quarters * (HOUR / 4));
const courses: fc.Arbitrary<Course> = fc
  .record({
    hours: fc.array(hours, { minLength: 1, maxLength: 3 }),
    behind: fc.array(days, { minLength: 1, maxLength: 3 }),
    isOpen: fc.boolean(),
    zone: fc.constantFrom(...ZONES),
    start: starts,
  })
  .map(({ isOpen, ...course }) => ({
    ...course,
    behind: course.behind.map((one, i) =>
      isOpen && i === course.behind.length - 1 ? { ...one, days: undefined } : one,
    ),
  }))
  .filter(isInSteps);

/** Neighbours that come equally often with one amount are one phase. */
function isInSteps({ hours: all, behind }: Course): boolean {
  const keys = [
    ...all.map((one) => `h${one.hours} ${one.amount}`),
    ...behind.map((one) => `d${one.timesADay} ${one.amount}`),
  ];
  return keys.every((key, i) => key !== keys[i - 1]);
}

const mg = (amount: number) => `${amount} mg`;
const forDays = (count: number | undefined) =>
  count === undefined ? '' : ` for ${count} day${count > 1 ? 's' : ''}`;
const written = ({ hours: all, behind }: Course): string =>
  [
    ...all.map(
      ({ hours: apart, ...one }) => `${mg(one.amount)} every ${apart} hours${forDays(one.days)}`,
    ),
    ...behind.map(
      ({ timesADay, ...one }) => `${mg(one.amount)} ${OFTEN[timesADay - 1]}${forDays(one.days)}`,
    ),
  ].join(', then ');

const SEEN = 30 * DAY;
type Dose = readonly [at: number, amount: string];

/** The doses of 30 days: hours are counted in instants, and what follows in days of the clocks. */
function walked({ hours: all, behind, zone, start }: Course): Dose[] {
  const found: Dose[] = [];
  let at = instantByIntl(start, zone);
  const end = at + SEEN;
  for (const one of all) {
    const over = at + one.days * DAY;
    for (; at < over; at += one.hours * HOUR) found.push([at, `${one.amount}`]);
  }
  const over = at;
  const shown = over + offsetByIntl(over, zone);
  let first: number | undefined;
  for (let day = Math.floor(shown / DAY); day * DAY < shown + SEEN; day++) {
    const phase = phaseOn(behind, first === undefined ? 0 : day - first);
    const next = first === undefined ? behind[0] : phase;
    if (!next) break;
    for (const time of USUAL[next.timesADay] ?? []) {
      const local = day * DAY + clock(time);
      const instant = instantByIntl(local, zone);
      if (local < shown || instant < over) continue;
      first ??= day;
      found.push([instant, `${next.amount}`]);
    }
  }
  return unique(found.filter(([instant]) => instant < end));
}

function phaseOn(behind: readonly Days[], day: number): Days | undefined {
  let until = 0;
  return behind.find(({ days: length = 1_000 }) => {
    until += length;
    return day < until;
  });
}

/** Two times that meet in a gap are one dose. */
const unique = (doses: readonly Dose[]): Dose[] =>
  [...new Map(doses.map((dose) => [dose[0], dose])).values()].sort(([a], [b]) => a - b);

/** The doses of 30 days as the service has them. */
function served(course: Course): Dose[] {
  const { zone, start } = course;
  const member = { usual: USUAL, anchors: {} };
  const text = new Date(start).toISOString().slice(0, 19);
  const sent = { frequencyType: written(course), schedule: null, startDate: text, endDate: '' };
  const zones = { site: zone, known: zone, source: 'profile' };
  const fields = planned({ ...sent, timed: true });
  const plan = planMedicine(fields, { zones, ...member, now: 0 } as never);
  expect(plan.recognized, sent.frequencyType).toBe(true);
  const row = { ...sent, ...plan, schedule: plan.schedule ?? null };
  const stated = statedBy(row as never, member as never);
  const find = amountFinder(stated?.portions ?? []);
  const at = instantByIntl(start, zone);
  return [...expand(scheduleOf(row as never), at - DAY, at + SEEN)].map((dose) => {
    const much = find(dose);
    return [dose.at, much ? quantityKey(much) : 'nothing'] as const;
  });
}

const told = (doses: readonly Dose[]) =>
  doses.map(([at, amount]) => `${new Date(at).toISOString()} ${amount}`);

describe('Hours that another amount follows', () => {
  it('have the doses of a walk over instants and days, with their amounts, in each zone', () => {
    fc.assert(
      fc.property(courses, (course) => {
        expect(told(served(course)), `${written(course)} ${course.zone}`).toStrictEqual(
          told(walked(course)),
        );
      }),
      { numRuns },
    );
  });

  it('are never followed sooner than they are apart, nor more than a day of the clocks later', () => {
    fc.assert(
      fc.property(courses, (course) => {
        const over =
          instantByIntl(course.start, course.zone) +
          course.hours.reduce((sum, one) => sum + one.days * DAY, 0);
        const doses = served(course).map(([at]) => at);
        const last = Math.max(...doses.filter((at) => at < over));
        const next = Math.min(...doses.filter((at) => at >= over));
        expect(next - last).toBeGreaterThanOrEqual((course.hours.at(-1)?.hours ?? 0) * HOUR);
        expect(next - over).toBeLessThanOrEqual(DAY + HOUR);
      }),
      { numRuns },
    );
  });
});
