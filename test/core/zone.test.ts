import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { clockTime, gmtOffset, instantAt, instantOf, localAt } from '../../src/platform/zone.js';
import { parseSiteTime } from '../../src/scalars.js';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/Phoenix',
  'Africa/Casablanca',
];
const at = (text: string) => instantOf(parseSiteTime(text) as { local: number }, 'Europe/Berlin').toISOString();

describe('The clocks of a zone', () => {
  it('show what Intl shows, at any second of 2020 to 2030 in zones of every kind', () => {
    const seconds = fc.integer({ min: Date.UTC(2020, 0) / 1000, max: Date.UTC(2030, 0) / 1000 });
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), seconds, (timeZone, second) => {
        const instant = new Date(second * 1000);
        const shown = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(instant);
        assert.equal(clockTime(instant, timeZone), shown.replace(' ', 'T'));
      }),
    );
  });

  it('name an instant that they show, unless a shift left the time out', () => {
    assert.equal(at('2026-07-01T08:00:00'), '2026-07-01T06:00:00.000Z');
    assert.equal(at('2026-01-01T08:00:00'), '2026-01-01T07:00:00.000Z');
  });

  it('take a time that is left out an hour later, and one that comes twice the first time', () => {
    assert.equal(at('2026-03-29T02:30:00'), '2026-03-29T01:30:00.000Z');
    assert.equal(at('2026-10-25T02:30:00'), '2026-10-25T00:30:00.000Z');
  });

  it('name instants to the millisecond, also on days around a shift', () => {
    for (const zone of ZONES) {
      const instant = Date.parse('2026-11-01T18:00:00.001Z');
      assert.equal(instantAt(localAt(instant, zone), zone), instant, zone);
    }
  });

  it('do not matter where the time has an offset of its own', () => {
    assert.equal(at('2026-07-01T08:00:00+05:30'), '2026-07-01T02:30:00.000Z');
    assert.equal(at('2026-07-01T08:00:00Z'), '2026-07-01T08:00:00.000Z');
  });

  it('are ahead of GMT by hours that the descriptor can show', () => {
    assert.equal(gmtOffset(new Date('2026-07-01'), 'Europe/Berlin'), '2');
    assert.equal(gmtOffset(new Date('2026-07-01'), 'Asia/Kathmandu'), '5.75');
    assert.equal(gmtOffset(new Date('2026-07-01'), 'UTC'), '0');
  });

  it('let a day beyond its month roll over, and refuse everything that is no time', () => {
    assert.equal(new Date(parseSiteTime('2026-02-31T00:00:00')?.local ?? 0).toISOString(), '2026-03-03T00:00:00.000Z');
    for (const text of ['2026-02-01', '2026-02-01T10:00', '2026-13-01T00:00:00', '', 'soon', 5, null, '2026-01-01T25:00:00']) {
      assert.equal(parseSiteTime(text), undefined, String(text));
    }
  });
});
