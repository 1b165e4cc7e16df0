import * as fc from 'fast-check';
import { WEEKDAYS, Weekday } from '../../../src/core/weekday.js';
import { parseHours } from '../../../src/domains/directory/import/hours-text.js';
import {
  type Hours,
  openingAt,
  rangesOf,
  segmentsOf,
  WEEK,
  weekMinute,
} from '../../../src/domains/directory/service/week.js';
import { isoIn } from '../../../src/platform/zone.js';

const BERLIN = 'Europe/Berlin';
const MINUTE = 60_000;
/** What hours say at an instant, with the times by the clocks of the zone. */
const said = (hours: readonly Hours[], at: string, zone = BERLIN): string => {
  const opening = openingAt(rangesOf(hours), Date.parse(at), segmentsOf(Date.parse(at), zone));
  if (!opening) return 'unknown';
  const { isOpen, opensAt, closesAt } = opening;
  const next = opensAt ?? closesAt;
  return `${isOpen ? 'open until' : 'closed until'} ${next ? isoIn(next.getTime(), zone).slice(0, 16) : 'ever'}`;
};
const on = (weekday: Weekday, opens: string, closes: string): Hours => ({ weekday, opens, closes });

describe('Opening hours', () => {
  it('open and close by the clocks of the zone', () => {
    const hours = [on(Weekday.TUESDAY, '08:00', '12:00'), on(Weekday.TUESDAY, '14:00', '18:00')];
    expect(said(hours, '2026-03-10T06:59:59Z')).toBe('closed until 2026-03-10T08:00');
    expect(said(hours, '2026-03-10T07:00:00Z')).toBe('open until 2026-03-10T12:00');
    expect(said(hours, '2026-03-10T11:00:00Z')).toBe('closed until 2026-03-10T14:00');
    expect(said(hours, '2026-03-10T17:00:00Z')).toBe('closed until 2026-03-17T08:00');
    expect(said([], '2026-03-10T17:00:00Z')).toBe('unknown');
  });

  it('go on past midnight, from Sunday to Monday too', () => {
    const night = [on(Weekday.SUNDAY, '22:00', '06:00')];
    expect(said(night, '2026-03-08T22:30:00Z')).toBe('open until 2026-03-09T06:00');
    expect(said(night, '2026-03-09T04:59:00Z')).toBe('open until 2026-03-09T06:00');
    expect(said(night, '2026-03-09T05:00:00Z')).toBe('closed until 2026-03-15T22:00');
  });

  it('of a whole day end at midnight; of every day, never', () => {
    expect(said([on(Weekday.TUESDAY, '00:00', '00:00')], '2026-03-10T12:00:00Z')).toBe(
      'open until 2026-03-11T00:00',
    );
    const always = WEEKDAYS.map((weekday) => on(weekday, '00:00', '00:00'));
    expect(said(always, '2026-03-08T23:30:00Z')).toBe('open until ever');
    expect(rangesOf(always)).toStrictEqual([[0, WEEK]]);
  });

  it('that touch or overlap are one', () => {
    const hours = [
      on(Weekday.MONDAY, '08:00', '12:00'),
      on(Weekday.MONDAY, '12:00', '14:00'),
      on(Weekday.MONDAY, '13:00', '15:00'),
    ];
    expect(said(hours, '2026-03-09T09:00:00Z')).toBe('open until 2026-03-09T15:00');
  });

  it('in an hour that the clocks skip begin when the clocks pass it', () => {
    // On 2026-03-29 Berlin goes from 02:00 to 03:00.
    const hours = [on(Weekday.SUNDAY, '02:30', '05:00')];
    expect(said(hours, '2026-03-29T00:30:00Z')).toBe('closed until 2026-03-29T03:00');
    expect(said(hours, '2026-03-29T01:00:00Z')).toBe('open until 2026-03-29T05:00');
    expect(said([on(Weekday.SUNDAY, '02:10', '02:50')], '2026-03-29T00:30:00Z')).toBe(
      'closed until 2026-04-05T02:10',
    );
    const over = [on(Weekday.SATURDAY, '22:00', '02:30')];
    expect(said(over, '2026-03-29T00:30:00Z')).toBe('open until 2026-03-29T03:00');
  });

  it('in an hour that the clocks repeat count twice', () => {
    // On 2026-10-25 Berlin goes from 03:00 back to 02:00.
    const hours = [on(Weekday.SUNDAY, '02:15', '02:45')];
    const closes = (at: string) => said(hours, at);
    expect(closes('2026-10-25T00:20:00Z')).toBe('open until 2026-10-25T02:45');
    expect(closes('2026-10-25T00:50:00Z')).toBe('closed until 2026-10-25T02:15');
    expect(closes('2026-10-25T01:20:00Z')).toBe('open until 2026-10-25T02:45');
    expect(closes('2026-10-25T01:50:00Z')).toBe('closed until 2026-11-01T02:15');
  });

  it('change first at the instant that is told, in any zone and around any shift', () => {
    const time = fc
      .tuple(fc.nat(23), fc.constantFrom('00', '15', '30', '59'))
      .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`);
    const hours = fc.array(
      fc.record({ weekday: fc.constantFrom(...WEEKDAYS), opens: time, closes: time }),
      { minLength: 1, maxLength: 6 },
    );
    const zone = fc.constantFrom(BERLIN, 'Australia/Lord_Howe', 'America/St_Johns', 'Asia/Kolkata');
    const instant = fc.integer({
      min: Date.parse('2026-01-01T00:00:00Z') / MINUTE,
      max: Date.parse('2026-12-31T00:00:00Z') / MINUTE,
    });
    fc.assert(
      fc.property(hours, zone, instant, (given, where, minute) => {
        const ranges = rangesOf(given);
        const now = minute * MINUTE;
        const covers = (at: number) => {
          const shown = weekMinute(at, where);
          return ranges.some(([from, to]) => shown >= from && shown < to);
        };
        const opening = openingAt(ranges, now, segmentsOf(now, where));
        expect(opening?.isOpen).toBe(covers(now));
        const told = (opening?.opensAt ?? opening?.closesAt)?.getTime();
        let first = now;
        const end = now + 8 * 24 * 60 * MINUTE;
        while (first < end && covers(first) === covers(now)) first += MINUTE;
        expect(told).toBe(first < end ? first : undefined);
      }),
      { numRuns: 60 },
    );
  });
});

describe('Opening hours as text', () => {
  it('are read as OpenStreetMap writes them', () => {
    expect(parseHours('Mo-We,Fr 8:00-12:00, 14:00-24:00; Sa 09:00-13:00;')).toHaveLength(9);
    expect(parseHours('Sa-Mo 22:00-06:00')?.map(({ weekday }) => weekday)).toStrictEqual([
      'saturday',
      'sunday',
      'monday',
    ]);
    expect(rangesOf(parseHours('24/7') ?? [])).toStrictEqual([[0, WEEK]]);
    expect(parseHours('Su 14:00-24:00')).toStrictEqual([
      { weekday: 'sunday', opens: '14:00', closes: '00:00' },
    ]);
    expect(parseHours('')).toStrictEqual([]);
    expect(parseHours(`${'Mo-Su,'.repeat(20)}Mo 08:00-12:00`)).toHaveLength(7);
    for (const wrong of [
      'Mo',
      '08:00-12:00',
      'Xx 08:00-12:00',
      'Mo 25:00-26:00',
      'Mo 8-12',
      '7/24',
    ])
      expect(parseHours(wrong)).toBeUndefined();
    const days = 'Mo-Su,'.repeat(1_000);
    expect(parseHours(`${days}Mo ${'8:00-9:00,'.repeat(1_000)}8:00-9:00`)).toBeUndefined();
  });
});
