import fc from 'fast-check';
import { parseSiteTime } from '../../src/core/site-time.js';
import { NEWS } from '../../src/domains/reminders/setting/zone-comparison.service.js';
import { WINDOWS_ZONES } from '../../src/platform/windows-zones.js';
import {
  clockTime,
  gmtOffset,
  instantAt,
  instantOf,
  isZone,
  localAt,
  nodeOffsetAt,
  offsetAt,
  shiftsBetween,
  zoneForIntl,
  zoneVersion,
} from '../../src/platform/zone.js';
import { packagedZones, tableOffset } from '../../src/platform/zone-table.js';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/Phoenix',
  'Africa/Casablanca',
];
const at = (text: string) =>
  instantOf(parseSiteTime(text) as { local: number }, 'Europe/Berlin').toISOString();

describe('The clocks of a zone', () => {
  it('show what Intl shows, at any second of 2020 to 2030 in zones of every kind, until their rules have changed', () => {
    const seconds = fc.integer({ min: Date.UTC(2020, 0) / 1000, max: Date.UTC(2030, 0) / 1000 });
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), seconds, (timeZone, second) => {
        const instant = new Date(second * 1000);
        fc.pre(timeZone !== 'Africa/Casablanca' || instant < new Date('2026-09-20T01:00:00Z'));
        const shown = new Intl.DateTimeFormat('sv-SE', {
          timeZone,
          dateStyle: 'short',
          timeStyle: 'medium',
        }).format(instant);
        expect(clockTime(instant, timeZone)).toBe(shown.replace(' ', 'T'));
      }),
    );
  });

  it('name an instant that they show, unless a shift left the time out', () => {
    expect(at('2026-07-01T08:00:00')).toBe('2026-07-01T06:00:00.000Z');
    expect(at('2026-01-01T08:00:00')).toBe('2026-01-01T07:00:00.000Z');
  });

  it('take a time that is left out an hour later, and one that comes twice the first time', () => {
    expect(at('2026-03-29T02:30:00')).toBe('2026-03-29T01:30:00.000Z');
    expect(at('2026-10-25T02:30:00')).toBe('2026-10-25T00:30:00.000Z');
  });

  it('name instants to the millisecond, also on days around a shift', () => {
    for (const zone of ZONES) {
      const instant = Date.parse('2026-11-01T18:00:00.001Z');
      expect(instantAt(localAt(instant, zone), zone), zone).toBe(instant);
    }
  });

  it('do not matter where the time has an offset of its own', () => {
    expect(at('2026-07-01T08:00:00+05:30')).toBe('2026-07-01T02:30:00.000Z');
    expect(at('2026-07-01T08:00:00Z')).toBe('2026-07-01T08:00:00.000Z');
  });

  it('are ahead of GMT by hours that the descriptor can show', () => {
    expect(gmtOffset(new Date('2026-07-01'), 'Europe/Berlin')).toBe('2');
    expect(gmtOffset(new Date('2026-07-01'), 'Asia/Kathmandu')).toBe('5.75');
    expect(gmtOffset(new Date('2026-07-01'), 'UTC')).toBe('0');
  });

  it('let a day beyond its month roll over, and refuse everything that is no time', () => {
    expect(new Date(parseSiteTime('2026-02-31T00:00:00')?.local ?? 0).toISOString()).toBe(
      '2026-03-03T00:00:00.000Z',
    );
    for (const text of [
      '2026-02-01',
      '2026-02-01T10:00',
      '2026-13-01T00:00:00',
      '',
      'soon',
      5,
      null,
      '2026-01-01T25:00:00',
    ]) {
      expect(parseSiteTime(text), String(text)).toBeUndefined();
    }
  });
});

/**
 * How clocks are shifted from 22 November 2026 to 22 November 2028, where Node 20 is wrong (its
 * data are 2025c): hours ahead of UTC, then the instants at which others begin. Source: the NEWS of
 * the IANA releases that changed the zone.
 */
const CHANGED: Readonly<Record<string, readonly (number | string)[]>> = {
  // 2026b: British Columbia stays on -07.
  'America/Vancouver': [-7],
  'Canada/Pacific': [-7],
  // 2026c: Alberta stays on -06; Morocco, and with it Western Sahara, is on +00 since 20 September
  // 2026.
  'America/Edmonton': [-6],
  'America/Yellowknife': [-6],
  'Africa/Casablanca': [0],
  'Africa/El_Aaiun': [0],
  // 2026d: the Northwest Territories stay on -06.
  'America/Inuvik': [-6],
  // 2026e: Manitoba stays on -05.
  'America/Winnipeg': [-5],
  // 2026f: Cuba does not go back to -05 in November 2026.
  'America/Havana': [-4, '2027-11-07T05:00Z', -5, '2028-03-12T05:00Z', -4, '2028-11-05T05:00Z', -5],
  // 2026a: Moldova shifts when the European Union does, at 01:00 UTC.
  'Europe/Chisinau': [
    2,
    '2027-03-28T01:00Z',
    3,
    '2027-10-31T01:00Z',
    2,
    '2028-03-26T01:00Z',
    3,
    '2028-10-29T01:00Z',
    2,
  ],
};

describe('A name of three letters', () => {
  it('is a zone where IANA has it, and not where it means several', () => {
    const three = Array.from({ length: 26 ** 3 }, (_, i) =>
      [i / 676, (i / 26) % 26, i % 26].map((n) => String.fromCharCode(65 + Math.floor(n))).join(''),
    );
    const iana = 'CET EET EST GMT HST MET MST PRC ROC ROK UCT UTC WET'.split(' ');
    expect(three.filter(isZone)).toStrictEqual(iana);
    expect(['BST', 'IST', 'AST', 'CST', 'ist'].some(isZone)).toBe(false);
    expect(['cet', 'NZ', 'Asia/Kolkata', 'EST5EDT'].every(isZone)).toBe(true);
  });
});

describe('The time zone data of the service', () => {
  const from = Date.UTC(2026, 10, 22);

  it('know what has changed since those of Node 20', () => {
    for (const [zone, expected] of Object.entries(CHANGED)) {
      const { shifts, offsets } = shiftsBetween(from, from + 731 * 24 * 3_600_000, (at) =>
        offsetAt(at, zone),
      );
      const instants = shifts.map((at) => new Date(at).toISOString().replace(':00.000Z', 'Z'));
      const found = offsets.flatMap((offset, i) => [
        ...(i > 0 ? [instants[i - 1]] : []),
        offset / 3_600_000,
      ]);
      expect(found, zone).toStrictEqual(expected);
    }
  });

  it('bring the instant of a clock time with them, and its way back', () => {
    const eight = instantOf({ local: Date.UTC(2026, 11, 1, 8) }, 'America/Vancouver');
    expect(eight.toISOString()).toBe('2026-12-01T15:00:00.000Z');
    expect(clockTime(eight, 'america/vancouver')).toBe('2026-12-01T08:00:00');
    expect(gmtOffset(eight, 'America/Vancouver')).toBe('-7');
  });

  it('are those of Node in all other zones, from 2000 to 2037', () => {
    const { version, table } = packagedZones();
    if (version < (process.versions.tz ?? '')) return; // then they are not used
    const instant = fc.integer({
      min: Date.UTC(2000, 0) / 60_000,
      max: Date.UTC(2037, 0) / 60_000 - 1,
    });
    const others = Intl.supportedValuesOf('timeZone').filter(
      (zone) => !(zone in CHANGED) && table(zone),
    );
    expect(others.length, `${others.length} zones`).toBeGreaterThan(390);
    const check = (zone: string, at: number) =>
      expect(offsetAt(at, zone), `${zone} ${new Date(at).toISOString()}`).toBe(
        nodeOffsetAt(at, zone),
      );
    fc.assert(
      fc.property(fc.constantFrom(...others), instant, (zone, minutes) =>
        check(zone, minutes * 60_000),
      ),
      { numRuns: 1_000 },
    );
    for (const zone of others)
      for (const shift of table(zone)?.shifts ?? [])
        if (shift > from && shift < from + 2 * 366 * 24 * 3_600_000) check(zone, shift);
  });

  it('say of the release that is known to be their newest what makes it that', () => {
    const { version, table } = packagedZones();
    expect(version, 'a new release of the package: say in NEWS what it changed').toBe(NEWS.version);
    expect(tableOffset(table(NEWS.zone) as never, NEWS.at)).toBe(NEWS.offset);
    expect(zoneVersion() >= version).toBe(true);
  });

  it('go before the names of Intl, where it shows other clocks', () => {
    const summer = Date.parse('2027-07-01T12:00:00Z');
    expect(zoneForIntl(summer, 'Europe/Berlin')).toBe('Europe/Berlin');
    const winter = Date.parse('2027-01-01T12:00:00Z');
    const shown = (zone: string) =>
      new Date(winter).toLocaleTimeString('en-GB', {
        timeZone: zoneForIntl(winter, zone),
        timeStyle: 'short',
      });
    expect([shown('America/Vancouver'), shown('Africa/Casablanca')]).toStrictEqual([
      '05:00',
      '12:00',
    ]);
  });
});

describe('A name of Windows', () => {
  it('stands for a zone that Node and the packaged data have', () => {
    const { table } = packagedZones();
    expect(WINDOWS_ZONES.size).toBe(130);
    for (const [name, zone] of WINDOWS_ZONES)
      expect([isZone(zone), table(zone) !== undefined], name).toStrictEqual([true, true]);
  });
});
