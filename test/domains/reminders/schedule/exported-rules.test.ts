import { useService } from '../../../support/harness.js';
import { daysOfRule } from './rfc.js';
import { clock, DAY, instantByIntl } from './walk.js';

const MINUTE = 60_000;
/** In Berlin the clocks are put forward on 29 March 2026, and in 2026 put back on 25 October. */
const SPANS = [
  ['2026-03-26', '2026-04-02'],
  ['2026-10-22', '2026-10-29'],
] as const;
const MADE =
  'mutation($input: CreateMedicineReminderInput!) { createMedicineReminder(input: $input) { reminder { databaseId schedule { rrule dtstart } } } }';
const EVENTS =
  'query($from: LocalDate, $to: LocalDate) { calendar(from: $from, to: $to) { events { startsAt } } }';
const BELOW_A_DAY: Readonly<Record<string, number>> = { HOURLY: 60 * MINUTE, MINUTELY: MINUTE };

/**
 * The instants of a rule as RFC 5545 has them (3.3.10, 3.8.5.3): it is reckoned by the clocks that
 * DTSTART names, and a time that they leave out is as much later (3.3.5).
 */
function instantsOf(dtstart: string, rrule: string, from: number, to: number): string[] {
  const [, zone, start = '', utc] =
    /^DTSTART(?:;TZID=(.+))?:(\d{8}T\d{6})(Z)?$/.exec(dtstart) ?? [];
  expect(zone !== undefined).toBe(utc === undefined);
  const iso = start.replace(/(....)(..)(..)T(..)(..)(..)/, '$1-$2-$3T$4:$5:$6Z');
  const parts = new Map(rrule.split(';').map((part) => part.split('=') as [string, string]));
  const step = BELOW_A_DAY[parts.get('FREQ') ?? ''];
  const first = Date.parse(iso);
  const locals = step
    ? stepped(first, step * Number(parts.get('INTERVAL') ?? 1), to + DAY)
    : daily(parts, rrule, first, to + DAY);
  return locals
    .filter((local) => local >= first)
    .slice(0, Number(parts.get('COUNT') ?? Number.POSITIVE_INFINITY))
    .map((local) => (zone ? instantByIntl(local, zone) : local))
    .filter((at) => at >= from && at < to && at <= lastOf(parts.get('UNTIL')))
    .map((at) => new Date(at).toISOString());
}

/** UNTIL, which is in UTC where DTSTART is. */
function lastOf(until: string | undefined): number {
  if (!until) return Number.POSITIVE_INFINITY;
  expect(until).toMatch(/Z$/);
  return Date.parse(until.replace(/(....)(..)(..)T(..)(..)(..)/, '$1-$2-$3T$4:$5:$6'));
}

function stepped(first: number, step: number, to: number): number[] {
  return Array.from({ length: Math.ceil((to - first) / step) }, (_, i) => first + i * step);
}

function daily(parts: Map<string, string>, rrule: string, first: number, to: number): number[] {
  const numbers = (name: string, otherwise: string) =>
    (parts.get(name) ?? otherwise).split(',').map((text) => text.padStart(2, '0'));
  const shown = new Date(first).toISOString();
  const clocks = numbers('BYHOUR', shown.slice(11, 13)).flatMap((hour) =>
    numbers('BYMINUTE', shown.slice(14, 16)).map((minute) => clock(`${hour}:${minute}`)),
  );
  const days = rrule.replace(/;(?:BYHOUR|BYMINUTE|COUNT)=[^;]*/g, '');
  return daysOfRule(days, Math.floor(first / DAY), Math.ceil(to / DAY)).flatMap((day) =>
    clocks.map((time) => day * DAY + time),
  );
}

describe('The rule of a schedule', () => {
  const service = useService();

  it.each<[string, object]>([
    ['every 8 hours', { interval: { minutes: 480 } }],
    ['every 6 hours', { interval: { minutes: 360 } }],
    ['every 24 hours', { interval: { minutes: 1_440 } }],
    ['every 90 minutes', { interval: { minutes: 90 } }],
    ['every hour by an RRULE', { rrule: 'FREQ=HOURLY;INTERVAL=5' }],
    ['every 8 hours for 9 doses', { phrase: 'every 8 hours for 9 doses' }],
    ['every 6 hours until', { rrule: 'FREQ=HOURLY;INTERVAL=6;UNTIL=20260330T153000' }],
    ['some hours of the day', { rrule: 'FREQ=DAILY;BYHOUR=2,8;BYMINUTE=30' }],
    ['every second day', { days: { every: 2 } }],
    ['Mondays and Sundays', { weeks: { every: 1, weekdays: ['MONDAY', 'SUNDAY'] } }],
    ['the 28th', { months: { days: [28] } }],
  ])(
    'comes when RFC 5545 says from its DTSTART, through shifts of the clock: %s',
    async (_what, repeat) => {
      service().at(Date.parse('2026-03-24T05:00:00Z'));
      await service().ask(
        'mutation { updateCareSettings(input: { timeZone: "Europe/Berlin" }) { careSettings { timeZone } } }',
      );
      const input = { name: 'M', schedule: { repeat }, startsOn: '2026-03-25', startTime: '09:30' };
      const { data, errors } = await service().ask(MADE, { input });
      expect(errors).toBeUndefined();
      const { rrule, dtstart } = data.createMedicineReminder.reminder.schedule;
      for (const [from, to] of SPANS) {
        const shown = (await service().ask(EVENTS, { from, to })).data.calendar.events;
        const [begin, end] = [from, to].map((day) =>
          instantByIntl(Date.parse(day), 'Europe/Berlin'),
        );
        expect(
          instantsOf(dtstart, rrule, begin as number, (end as number) + DAY),
          dtstart,
        ).toStrictEqual(shown.map(({ startsAt }: { startsAt: string }) => startsAt));
      }
    },
  );
});
