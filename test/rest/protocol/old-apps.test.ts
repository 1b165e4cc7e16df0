import { once } from 'node:events';
import { request } from 'node:http';
import { timeZoneOf } from '../../../src/platform/http/time-zone.js';
import { useService } from '../../support/harness.js';
import { B } from '../reminders/member.js';

describe('What old apps send', () => {
  const service = useService();

  /** Sends a GET with a body, which fetch refuses to. */
  async function getWith(path: string, body: string, type = 'application/json') {
    const headers = { 'content-type': type, 'content-length': Buffer.byteLength(body) };
    const asked = request(service().url + path, { method: 'GET', headers });
    asked.end(body);
    const [response] = await once(asked, 'response');
    let text = '';
    for await (const piece of response.setEncoding('utf8')) text += piece;
    return { status: response.statusCode as number, body: JSON.parse(text) };
  }

  it('as the body of a GET is read where it is JSON, before the address', async () => {
    for (const title of ['a', 'b', 'c']) await service().post({ title });
    const one = await getWith('/api/v1/posts?per_page=2', '{"per_page":1}');
    expect([one.status, one.body.length]).toStrictEqual([200, 1]);
    const again = await getWith('/api/v1/posts?per_page=2', '{"per_page":3}');
    expect(again.body).toHaveLength(3);
    const form = await getWith(
      '/api/v1/posts?per_page=2',
      'per_page=1',
      'application/x-www-form-urlencoded',
    );
    expect(form.body).toHaveLength(2);
    const broken = await getWith('/api/v1/posts', '{');
    expect([broken.status, broken.body.code]).toStrictEqual([400, 'rest_invalid_json']);
  });

  it('with the script in the address is answered as without it', async () => {
    await service().post({ title: 'a' });
    for (const edition of ['', '/v3']) {
      const answers = await Promise.all(
        ['', '/index.php'].map(async (script) => {
          const response = await fetch(`${service().url}${edition}${script}/api/v1/posts`);
          return [response.status, await response.json()];
        }),
      );
      expect(answers[1]).toStrictEqual(answers[0]);
      expect(answers[0]?.[0]).toBe(200);
    }
  });

  it.each(['GMT+02:00', 'UTC+2', '+02:00', 'gmt+2'])(
    'as the zone %s is its offset',
    async (zone) => {
      service().at('2026-03-10T06:30:00Z');
      const { body } = await service().rest('POST', '/v1/medicine_reminder', {
        ...B,
        headers: { 'time-zone': zone },
        body: { name: 'Aspirin', frequency_type: 'daily', start_date: '2026-03-11' },
      });
      expect([body.time_zone, body.next_occurrence]).toStrictEqual([
        '+02:00',
        '2026-03-11T08:00:00+02:00',
      ]);
    },
  );

  it.each([
    ['W. Europe Standard Time', 'Europe/Berlin', '2026-03-11T08:00:00+01:00'],
    ['eastern standard time', 'America/New_York', '2026-03-11T08:00:00-04:00'],
    ['Central Standard Time (Mexico)', 'America/Mexico_City', '2026-03-11T08:00:00-06:00'],
  ])('as the zone %s of Windows is %s', async (name, zone, next) => {
    service().at('2026-03-10T06:30:00Z');
    const { body } = await service().rest('POST', '/v1/medicine_reminder', {
      ...B,
      headers: { 'time-zone': name },
      body: { name: 'Aspirin', frequency_type: 'daily', start_date: '2026-03-11' },
    });
    expect([body.time_zone, body.next_occurrence]).toStrictEqual([zone, next]);
  });

  /** What is printed of zones by programs, and the zone that it is. */
  const SPELLED: Readonly<Record<string, readonly string[]>> = {
    'Europe/Athens': [
      'Europe/Athens',
      '"Europe/Athens"',
      'Europe%2FAthens',
      'Europe/Athens (current)',
      'Europe/Athens (fixed (equal to current))',
      'libcore.util.ZoneInfo[id="Europe/Athens",mRawOffset=7200000,mEarliestRawOffset=7200000]',
      'sun.util.calendar.ZoneInfo[id="Europe/Athens",offset=7200000,dstSavings=3600000]',
      'GMT+02:00[Europe/Athens]',
      '+02:00[Europe/Athens]',
      'Europe\\/Athens',
      'posix/Europe/Athens',
      'TZ=Europe/Athens',
    ],
    'America/New_York': ['America/New York', 'Eastern Daylight Time'],
    'Europe/Bucharest': ['GTB Standard Time', 'GTB Daylight Time'],
    '+01:00': ['(UTC+01:00) Amsterdam, Berlin, Bern', '(GMT+01:00) Berlin'],
    '+02:00': [
      'GMT+02:00 (EET)',
      'GMT +02:00 (EET)',
      'UTC+2:00:00',
      'UTC+2.0',
      '+2.0',
      'java.util.SimpleTimeZone[id=GMT+02:00,offset=7200000]',
    ],
    '+05:30': ['UTC+5.5', 'GMT+5:30', '+0530', "'+05:30'"],
    '+05:45': ['UTC+5.75', 'UTC+05:45'],
    '+00:00': ['Z', 'UTC+00:00', 'UTC-00:00', '-0'],
    '-05:00': ['EST', 'est', '-5', 'GMT-0500'],
    '-07:00': ['MST'],
  };
  const NAMELESS = ['null', 'undefined', '', 'Local', 'CEST', 'IST', '7200', 'GMT+15', 'UTC+2.3'];
  /** Minutes behind UTC, as programs in browsers count them: -120 is two hours ahead. */
  const MINUTES = ['-120', '-330', '+300', '-60', '-90', '-570'];

  it('as a zone in any spelling is that zone, and as none is none', () => {
    const zoneOf = (zone: string) => timeZoneOf({ headers: { 'time-zone': zone } });
    for (const [zone, spellings] of Object.entries(SPELLED))
      for (const spelled of spellings)
        expect([spelled, zoneOf(spelled)]).toStrictEqual([spelled, zone]);
    const none = [
      ...NAMELESS,
      ...MINUTES,
      'Europe/Athens, Europe/Berlin',
      '[]',
      '(',
      '%',
      'x'.repeat(9_000),
    ];
    for (const spelled of none)
      expect([spelled, zoneOf(spelled)]).toStrictEqual([spelled, undefined]);
  });

  it('as an offset counts less than a zone that is known', async () => {
    service().at('2026-03-10T06:30:00Z');
    const make = async (zone: string) =>
      (
        await service().rest('POST', '/v1/medicine_reminder', {
          ...B,
          headers: { 'time-zone': zone },
          body: { name: 'Aspirin', frequency_type: 'daily', start_date: '2026-03-11' },
        })
      ).body.time_zone;
    expect(await make('Europe/Berlin')).toBe('Europe/Berlin');
    expect(await make('GMT+05:30')).toBe('Europe/Berlin');
  });

  it('with anything unseen around an address or a name is read without it', async () => {
    const unseen = [' ', '\t', '\n', '\r\n', '\u0085', '\u00a0', '\u2003', '\u3000', '\ufeff'];
    const marks = ['\u200b', '\u200e', '\u200f', '\u061c', '\u202a', '\u202c', '\u2068', '\u2069'];
    const anonymous = { ...B, as: 'anonymous' as const };
    const password = 'a long enough password';
    for (const [i, around] of [...unseen, ...marks].entries()) {
      const email = `ada${i}@example.com`;
      const body = {
        email: around + email + around,
        name: `${around}\u0645\u062d\u0645\u062f${around}`,
        password,
        language: 1,
      };
      const { status, body: made } = await service().rest('POST', '/v1/signup', {
        ...anonymous,
        body,
      });
      const read = [status, made.user?.email, made.user?.name];
      expect(read, JSON.stringify(around)).toStrictEqual([201, email, '\u0645\u062d\u0645\u062f']);
      for (const username of [around + email, email.toUpperCase() + around]) {
        const login = { ...anonymous, body: { username, password } };
        expect((await service().rest('POST', '/v1/login', login)).status).toBe(200);
      }
    }
  });

  it('with blanks around an e-mail address is read without them', async () => {
    const { status, body } = await service().rest('POST', '/v1/signup', {
      ...B,
      as: 'anonymous',
      body: { email: ' ada@example.com ', password: 'a long enough password', language: 1 },
    });
    expect([status, body.user?.email]).toStrictEqual([201, 'ada@example.com']);
  });
});
