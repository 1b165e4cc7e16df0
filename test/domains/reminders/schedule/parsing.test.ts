import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
    const same = ['every_other_day', 'Every-Other-Day', 'EVERY OTHER DAY', ' everyOtherDay ', 'every_2_days', 'Every 2 day'];
    for (const text of same)
      assert.deepEqual(parseFrequency(text), { kind: 'calendar', unit: 'day', every: 2, timesADay: 1 }, text);
    assert.deepEqual(parseFrequency('3_times_a_day'), { kind: 'calendar', unit: 'day', every: 1, timesADay: 3 });
    assert.deepEqual(parseFrequency('twice daily'), parseFrequency('2_times_a_day'));
    assert.deepEqual(parseFrequency('every_8_hours'), { kind: 'elapsed', hours: 8 });
    assert.deepEqual(parseFrequency('hourly'), { kind: 'elapsed', hours: 1 });
    assert.deepEqual(parseFrequency('biweekly'), { kind: 'calendar', unit: 'week', every: 2, timesADay: 1 });
    for (const [text, as] of [
      ['once', 'once'],
      ['As_Needed', 'as_needed'],
      ['', 'once'],
      ['RRULE:FREQ=DAILY', 'rule'],
      ['freq=weekly;byday=mo', 'rule'],
      ['FREQ=HOURLY;INTERVAL=6', 'elapsed'],
    ] as const)
      assert.equal(kind(text), as, text);
  });

  it('that would never end its work, or fires beyond what a person can follow, is not understood', () => {
    for (const text of [
      'FREQ=SECONDLY',
      'FREQ=MINUTELY;INTERVAL=30',
      'FREQ=DAILY;BYHOUR=8,20;BYSETPOS=2',
      'FREQ=DAILY;COUNT=1000;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23;BYMINUTE=0,30;BYSETPOS=48',
      'FREQ=MONTHLY;BYMONTHDAY=1,2;BYHOUR=8,20;BYSETPOS=3',
      'FREQ=DAILY;INTERVAL=2;BYMONTHDAY=31',
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
      'FREQ=YEARLY;BYYEARDAY=366;BYDAY=MO',
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
      assert.equal(kind(text), 'unrecognized', text.slice(0, 60));
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
          const cpu = cpuOf(() => assert.ok(kind(text)));
          assert.ok(cpu < 5_000, `${text}: ${cpu} ms`);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});

describe('A moment', () => {
  const shown = (text: string) => {
    const moment = parseMoment(text);
    return moment && `${new Date(moment.local).toISOString().slice(0, 19)} ${moment.clock ? (moment.offset ?? 'local') : 'date'}`;
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
      assert.equal(shown(text), as, text);
  });

  it('has an offset also when its plus came as a space, unescaped in an address', () => {
    assert.deepEqual(parseMoment('2026-03-01T08:00:00 05:30'), parseMoment('2026-03-01T08:00:00+05:30'));
    assert.equal(parseMoment('2026-03-01 05:30')?.offset, undefined);
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
      assert.equal(parseMoment(text), undefined, text);
  });
});

describe('The time before an appointment', () => {
  it('is minutes, minutes, hours, days or weeks by their letter, or an ISO 8601 duration', () => {
    for (const [text, minutes] of [
      ['30', 30],
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
    ] as const)
      assert.equal(parseLead(text), minutes * MINUTE, text);
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
      '1h30m',
      '',
      'P9999999999999999999D',
      'P0.5DT2H',
      'P1Y',
    ])
      assert.equal(parseLead(text), undefined, text);
  });
});

describe('The usual times', () => {
  it('are those of the table, or spread evenly over the day', () => {
    assert.deepEqual(usualTimes(1), ['08:00']);
    assert.deepEqual(usualTimes(4), ['08:00', '12:00', '16:00', '20:00']);
    assert.deepEqual(usualTimes(5), ['08:00', '11:00', '14:00', '17:00', '20:00']);
    assert.deepEqual(usualTimes(2, { 2: ['07:00', '19:00'] }), ['07:00', '19:00']);
    for (let n = 1; n <= 24; n++) assert.equal(new Set(usualTimes(n)).size, n);
  });
});
