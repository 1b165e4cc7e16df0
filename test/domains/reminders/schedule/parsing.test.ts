import fc from 'fast-check';
import { parseFrequency } from '../../../../src/domains/reminders/schedule/frequency.js';
import { parseLead } from '../../../../src/domains/reminders/schedule/lead.js';
import { usualTimes } from '../../../../src/domains/reminders/schedule/times.js';
import { parseMoment } from '../../../../src/platform/moment.js';
import { cpuOf } from '../../../support/cpu.js';

const MINUTE = 60_000;
const kind = (text: string) => parseFrequency(text).kind;

describe('A frequency', () => {
  it('is understood whatever its case and however its words are joined', () => {
    const same = [
      'every_other_day',
      'Every-Other-Day',
      'EVERY OTHER DAY',
      ' everyOtherDay ',
      'every_2_days',
      'Every 2 day',
    ];
    for (const text of same)
      expect(parseFrequency(text), text).toStrictEqual({
        kind: 'calendar',
        unit: 'day',
        every: 2,
        timesADay: 1,
      });
    expect(parseFrequency('3_times_a_day')).toStrictEqual({
      kind: 'calendar',
      unit: 'day',
      every: 1,
      timesADay: 3,
    });
    expect(parseFrequency('twice daily')).toStrictEqual(parseFrequency('2_times_a_day'));
    expect(parseFrequency('every_8_hours')).toStrictEqual({ kind: 'elapsed', hours: 8 });
    expect(parseFrequency('hourly')).toStrictEqual({ kind: 'elapsed', hours: 1 });
    expect(parseFrequency('biweekly')).toStrictEqual({
      kind: 'calendar',
      unit: 'week',
      every: 2,
      timesADay: 1,
    });
    for (const [text, as] of [
      ['once', 'once'],
      ['As_Needed', 'as_needed'],
      ['', 'once'],
      ['RRULE:FREQ=DAILY', 'rule'],
      ['freq=weekly;byday=mo', 'rule'],
      ['FREQ=HOURLY;INTERVAL=6', 'elapsed'],
      ['FREQ=MINUTELY;INTERVAL=30', 'elapsed'],
      ['FREQ=HOURLY;INTERVAL=2;BYHOUR=8,10,12', 'rule'],
      ['FREQ=DAILY;COUNT=9999', 'rule'],
    ] as const)
      expect(kind(text), text).toBe(as);
  });

  it('that would never end its work, or fires beyond what a person can follow, is not understood', () => {
    for (const text of [
      'FREQ=SECONDLY',
      'FREQ=MINUTELY;INTERVAL=29',
      'FREQ=MINUTELY;BYMINUTE=0,20,40',
      'FREQ=DAILY;COUNT=10000',
      'FREQ=DAILY;BYHOUR=8,20;BYSETPOS=2',
      'FREQ=DAILY;COUNT=1000;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23;BYMINUTE=0,30;BYSETPOS=48',
      'FREQ=MONTHLY;BYMONTHDAY=1,2;BYHOUR=8,20;BYSETPOS=3',
      'FREQ=WEEKLY;BYWEEKNO=53',
      'FREQ=YEARLY;BYWEEKNO=20;BYDAY=1MO',
      'FREQ=MONTHLY;BYYEARDAY=366',
      'FREQ=WEEKLY;BYMONTHDAY=1',
      'FREQ=DAILY;BYDAY=1MO',
      'FREQ=WEEKLY;BYDAY=-1FR',
      'FREQ=WEEKLY;COUNT=869;BYSETPOS=-1',
      'FREQ=YEARLY;BYDAY=TU,-1WE',
      'FREQ=YEARLY;BYWEEKNO=20;BYMONTHDAY=15',
      'FREQ=YEARLY;BYWEEKNO=53',
      'FREQ=YEARLY;BYYEARDAY=366;BYDAY=1MO',
      'FREQ=YEARLY;BYYEARDAY=366;BYMONTHDAY=31',
      'FREQ=YEARLY;BYMONTHDAY=1;BYDAY=1MO',
      'FREQ=DAILY;COUNT=5000000',
      'FREQ=DAILY;INTERVAL=100000',
      'FREQ=DAILY;BYHOUR=1,2,3,4,5,6,7;BYMINUTE=0,10,20,30,40,50,55',
      'FREQ=DAILY;COUNT=3;UNTIL=20260101',
      'FREQ=DAILY;UNTIL=20260231',
      'FREQ=DAILY;FREQ=WEEKLY',
      'FREQ=DAILY\nEXDATE:20260101',
      'FREQ=DAILY;BYEASTER=1',
      'FREQ=DAILY;BYHOUR=25',
      'INTERVAL=2',
      'every_0_hours',
      'every_99999999999_days',
      '1000_times_a_day',
      'now and then',
      'constructor',
      '__proto__',
      `FREQ=DAILY;BYMONTHDAY=${'1,'.repeat(60_000)}1`,
      'x'.repeat(65_536),
    ])
      expect(kind(text), text.slice(0, 60)).toBe('unrecognized');
  });

  it('never fails and never takes long, whatever the text', () => {
    const words = fc.constantFrom(
      'FREQ=',
      'DAILY',
      'YEARLY',
      'HOURLY',
      ';',
      'BYDAY=',
      '-1MO',
      'BYSETPOS=',
      '-1',
      'COUNT=',
      '1000',
      'UNTIL=',
      '20270101',
      'BYWEEKNO=',
      '53',
      'BYYEARDAY=',
      '366',
      'INTERVAL=',
      '7',
      'BYHOUR=',
      '3',
      'every_',
      '8',
      '_hours',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words, { maxLength: 12 }).map((all) => all.join('')),
        ),
        (text) => {
          const cpu = cpuOf(() => expect(kind(text)).toBeTruthy());
          expect(cpu, `${text}: ${cpu} ms`).toBeLessThan(5_000);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});

describe('A moment', () => {
  const shown = (text: string) => {
    const moment = parseMoment(text);
    return (
      moment &&
      `${new Date(moment.local).toISOString().slice(0, 19)} ${moment.clock ? (moment.offset ?? 'local') : 'date'}`
    );
  };

  it('is a date, a local time, a time with an offset, or seconds or milliseconds since 1970', () => {
    for (const [text, as] of [
      ['2026-03-01', '2026-03-01T00:00:00 date'],
      ['2026-03-01 08:30', '2026-03-01T08:30:00 local'],
      ['2026-03-01 08:30:15', '2026-03-01T08:30:15 local'],
      ['2026-03-01T08:30:15.250', '2026-03-01T08:30:15 local'],
      ['2026-03-01T08:30:00Z', '2026-03-01T08:30:00 0'],
      ['2026-03-01T08:30:00+02:00', '2026-03-01T08:30:00 120'],
      ['2026-03-01T08:30:00-0330', '2026-03-01T08:30:00 -210'],
      ['2026-03-01T08:30:00+02:00[Europe/Berlin]', '2026-03-01T08:30:00 120'],
      ['1772353800', '2026-03-01T08:30:00 0'],
      ['1772353800123', '2026-03-01T08:30:00 0'],
    ] as const)
      expect(shown(text), text).toBe(as);
  });

  it('has an offset also when its plus came as a space, unescaped in an address', () => {
    expect(parseMoment('2026-03-01T08:00:00 05:30')).toStrictEqual(
      parseMoment('2026-03-01T08:00:00+05:30'),
    );
    expect(parseMoment('2026-03-01 05:30')?.offset).toBeUndefined();
  });

  it('is read in every way that leaves no doubt', () => {
    for (const [text, as] of [
      ['2026-11-23 8:00', '2026-11-23T08:00:00 local'],
      ['2026/11/23', '2026-11-23T00:00:00 date'],
      ['2026/11/23 08:00', '2026-11-23T08:00:00 local'],
      ['2026/3/1 8:05', '2026-03-01T08:05:00 local'],
      ['2026-11-23 8:00 PM', '2026-11-23T20:00:00 local'],
      ['2026-11-23 08:00:30 am', '2026-11-23T08:00:30 local'],
      ['2026-11-23 8:00\u202fPM', '2026-11-23T20:00:00 local'],
      ['2026-11-23 8:00 p.m.', '2026-11-23T20:00:00 local'],
      ['2026-11-23 12:30 AM', '2026-11-23T00:30:00 local'],
      ['2026-11-23 12:30 PM', '2026-11-23T12:30:00 local'],
      ['2026-11-23T08:00 PM +01:00', '2026-11-23T20:00:00 60'],
      ['2026-11-23 08:00:00 UTC', '2026-11-23T08:00:00 0'],
      ['20261123T080000Z', '2026-11-23T08:00:00 0'],
      ['20261123T080000.250+0100', '2026-11-23T08:00:00 60'],
      ['20261123T0800', '2026-11-23T08:00:00 local'],
      ['Mon, 23 Nov 2026 08:00:00 +0100', '2026-11-23T08:00:00 60'],
      ['Mon, 23 Nov 2026 08:00:00 GMT', '2026-11-23T08:00:00 0'],
      ['23 Nov 2026 08:00', '2026-11-23T08:00:00 local'],
      ['1 September 2026', '2026-09-01T00:00:00 date'],
      ['1 Sept. 2026', '2026-09-01T00:00:00 date'],
      ['23-Nov-2026 08:00', '2026-11-23T08:00:00 local'],
      ['Nov 23, 2026 8:00 AM', '2026-11-23T08:00:00 local'],
      ['November 23, 2026 at 8:00 PM', '2026-11-23T20:00:00 local'],
      [
        'Mon Nov 23 2026 08:00:00 GMT+0100 (Central European Standard Time)',
        '2026-11-23T08:00:00 60',
      ],
      ['٢٠٢٦-١١-٢٣ ٠٨:٠٠', '2026-11-23T08:00:00 local'],
      ['２０２６-11-23', '2026-11-23T00:00:00 date'],
      ['२०२६/११/२३ ८:००', '2026-11-23T08:00:00 local'],
    ] as const)
      expect(shown(text), text).toBe(as);
  });

  it('is nothing that leaves a doubt', () => {
    for (const text of [
      ...[
        '05/12/2026',
        '05-12-2026',
        '5.12.2026',
        '٠٥/١٢/٢٠٢٦',
        '5 12 2026',
        '12/2026',
        '26-11-23',
        '23 Nov 26',
        'Nov 23',
        '23/11/26',
      ],
      ...[
        '2026-11-23 24:00',
        '2026-11-23 8',
        '2026-11-23 8 PM',
        '2026-11-23 8.00',
        '2026-11-23 800',
        '2026-11-23 8:0',
        '2026-11/23',
      ],
      ...[
        '2026-11-23 13:00 PM',
        '2026-11-23 0:30 AM',
        '2026-11-23 00:30 PM',
        '2026-11-23 8:00 XM',
        '2026-11-23 8:60 AM',
      ],
      ...[
        'Tue, 23 Nov 2026 08:00:00 +0100',
        'Tuesday Nov 23 2026',
        'Mo, 23 Nov 2026',
        '30 Feb 2026',
        '31 Nov 2026',
        '0 Nov 2026',
      ],
      ...[
        '23 Nox 2026',
        '23 Mai 2026',
        'Juni 23, 2026',
        '23 Novembers 2026',
        'Nov 23 2026 2027',
        '23 Nov 2026 08:00 EST',
      ],
      ...[
        '23 Nov 2026 08:00 CST',
        '2026-11-23 08:00 Europe/Berlin',
        '2026-11-23 08:00 PST',
        'Mon, 23 Nov 2026 08:00:00 +1500',
      ],
      ...[
        '20261123T240000Z',
        '20261123T0860',
        '20261323T080000Z',
        '20260230T080000Z',
        '2026-11-23T0800',
        '20261123 080000',
        '20261123T8',
      ],
      ...[
        '2٠26-11-23',
        '۱۴۰۵-۰۹-۰۲',
        '๒๕๖๙-๑๑-๒๓',
        '2026-11-2³',
        '2026-11-23\u200b 08:00',
        '2026–11–23',
        '2026-11-23 08:00 or 09:00',
      ],
      ...[
        '2026-11-23 08:00-09:00 PM',
        '2026-11-23/24',
        '2026-11-23 to 2026-11-24',
        'about 2026-11-23',
        '2026-W48-1',
        '2026-327',
      ],
    ])
      expect(parseMoment(text), text).toBeUndefined();
  });

  it('is nothing else', () => {
    for (const text of [
      '2026-02-30',
      '2026-13-01',
      '20260301',
      '01/03/2026',
      'tomorrow',
      '17723538',
      '2026-03-01T24:00:00',
      '2026-03-01T08:00+15:00',
      '2026-03-01T08:00+05:99',
      '2026-03-01T08:00[Asia/Tokyo]',
      '0001-01-01',
      '99999-01-01',
      '',
      '2026-03-01T8:00',
    ])
      expect(parseMoment(text), text).toBeUndefined();
  });
});

describe('The time before an appointment', () => {
  it('is minutes, minutes, hours, days or weeks by their letter, or an ISO 8601 duration', () => {
    for (const [text, minutes] of [
      ['30', 30],
      ['30.0', 30],
      ['0', 0],
      ['30m', 30],
      ['45 min', 45],
      ['2h', 120],
      ['1d', 1440],
      ['1w', 10_080],
      ['PT30M', 30],
      ['PT0.5H', 30],
      ['PT1H0,5M', 60.5],
      ['P0Y0M1DT0H30M0S', 1470],
      ['P1DT2H', 1560],
      ['pt1h30m', 90],
      ['P2W', 20_160],
      ['at time of event', 0],
      ['At the time of the appointment', 0],
      ['At the time of event', 0],
      ['At event time', 0],
      ['-PT15M', 15],
      ['-P1D', 1440],
      ['-P0DT0H15M0S', 15],
      ['-PT0S', 0],
      ['1 hour 30 minutes', 90],
      ['1 hr 30 min before', 90],
      ['1h30m', 90],
      ['1h 30min', 90],
      ['1 day 2 hours', 1560],
      ['١ hour ٣٠ minutes', 90],
      ['1 day 2 hours 30 minutes before', 1590],
      ['01:00', 60],
      ['00:30', 30],
      ['00:00', 0],
      ['05:59:00', 359],
    ] as const)
      expect(parseLead(text), text).toBe(minutes * MINUTE);
  });

  it('is understood as people and calendars write it', () => {
    for (const [text, minutes] of [
      ...(
        [
          '30 minutes',
          '30 Min',
          '30mins',
          '30_minutes',
          '30-minutes',
          '٣٠ minutes',
          'thirty minutes',
          'half an hour',
        ] as const
      ).map((text) => [text, 30] as const),
      ...(
        [
          '1 hour',
          '1 hr',
          'one hour',
          'an hour',
          '60 minutes before',
          '1 Hour Before',
          '1 hour in advance',
          '1 h',
        ] as const
      ).map((text) => [text, 60] as const),
      ...(
        ['2 hr', '2 hrs', '2hours', 'two hours', '2 hours prior', '2 hours ahead', '120'] as const
      ).map((text) => [text, 120] as const),
      ...(
        [
          '1 day before',
          '1 day',
          'a day before',
          '1_day_before',
          'one day earlier',
          '24 hours',
        ] as const
      ).map((text) => [text, 1440] as const),
      ...(['1 week', '1 wk', 'a week', 'one week before', '7 days'] as const).map(
        (text) => [text, 10_080] as const,
      ),
      ...(['none', 'None', ' NONE ', '0', '0 minutes', '0h'] as const).map(
        (text) => [text, 0] as const,
      ),
    ] as const)
      expect(parseLead(text), text).toBe(minutes * MINUTE);
  });

  it('is never guessed', () => {
    for (const text of [
      ...[
        '30-60',
        '30 - 60 minutes',
        '30–60 minutes',
        '1-2 hours',
        '1 2 hours',
        '1/2 hour',
        '½ hour',
        '1.5 hours',
        '1,5 hours',
      ],
      ...[
        '1 or 2 hours',
        '1 to 2 hours',
        'one to two hours',
        '1 day and 2 hours',
        '1 hour, 30 minutes',
        '30 minutes 1 hour',
        '1 hour 90 minutes',
        '1 hour 2 hours',
        '1 hour 30',
        '1h30',
        '1 day at 30 minutes',
      ],
      ...[
        '-30',
        '- 30 minutes',
        '+30',
        '30 -',
        '+PT30M',
        '--PT30M',
        '- PT30M',
        'about 1 hour',
        'at least 1 hour',
        'an hour or so',
        'few hours',
      ],
      ...[
        '30 minutes after',
        'after 1 hour',
        'not 30 minutes',
        'no 30 minutes',
        '1 month',
        '1 month before',
        '1 year',
        '30 before',
        '30 seconds',
      ],
      ...[
        'before',
        'hour',
        'minutes',
        '5 weeks',
        '29 days',
        '99999999999 minutes',
        '30²',
        '1\u200b5 minutes',
        'ah',
        'none or 30',
      ],
      ...[
        '1 day at 8:00',
        '8:00',
        '08:00',
        '1:00',
        '06:00',
        '01:60',
        'the day before',
        'yes',
        'true',
        'constructor',
        'half a day',
        'hundred minutes',
      ],
    ])
      expect(parseLead(text), text).toBeUndefined();
  });

  it('is at most four weeks, and nothing else', () => {
    for (const text of [
      '-5',
      '1.5h',
      'P',
      'PT',
      '5w',
      '99999999999',
      'P1M',
      'soon',
      '',
      'P9999999999999999999D',
      'P0.5DT2H',
      'P1Y',
    ])
      expect(parseLead(text), text).toBeUndefined();
  });
});

describe('The usual times', () => {
  it('are those of the table, or spread evenly over the day', () => {
    expect(usualTimes(1)).toStrictEqual(['08:00']);
    expect(usualTimes(4)).toStrictEqual(['08:00', '12:00', '16:00', '20:00']);
    expect(usualTimes(5)).toStrictEqual(['08:00', '11:00', '14:00', '17:00', '20:00']);
    expect(usualTimes(2, { 2: ['07:00', '19:00'] })).toStrictEqual(['07:00', '19:00']);
    for (let n = 1; n <= 24; n++) expect(new Set(usualTimes(n)).size).toBe(n);
  });
});
