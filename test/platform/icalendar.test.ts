import fc from 'fast-check';
import { ICALENDAR_END, icalendarEvent, icalendarHead } from '../../src/platform/icalendar.js';

const EVENT = {
  id: '7@example.com',
  stamp: new Date('2026-03-01T00:00:00Z'),
  start: new Date('2026-03-10T08:00:00Z'),
  end: new Date('2026-03-10T08:15:00Z'),
  summary: 'Medicine',
  isBusy: false,
};

describe('A calendar as iCalendar text', () => {
  it('has its head, its events and its end', () => {
    const dentist = { ...EVENT, summary: 'Dentist; a, b\\c\nd', description: 'Bring\nthe card' };
    const text =
      icalendarHead('Care', '-//Care//EN') +
      icalendarEvent({ ...EVENT, alarm: 0 }) +
      icalendarEvent({ ...dentist, alarm: 90_061, isBusy: true }) +
      ICALENDAR_END;
    expect(text.split('\r\n')).toStrictEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Care//EN',
      'NAME:Care',
      'X-WR-CALNAME:Care',
      'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
      'X-PUBLISHED-TTL:PT1H',
      'BEGIN:VEVENT',
      'UID:7@example.com',
      'SEQUENCE:0',
      'DTSTAMP:20260301T000000Z',
      'DTSTART:20260310T080000Z',
      'DTEND:20260310T081500Z',
      'SUMMARY:Medicine',
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'TRIGGER:PT0S',
      'DESCRIPTION:Medicine',
      'END:VALARM',
      'TRANSP:TRANSPARENT',
      'X-MICROSOFT-CDO-BUSYSTATUS:FREE',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:7@example.com',
      'SEQUENCE:0',
      'DTSTAMP:20260301T000000Z',
      'DTSTART:20260310T080000Z',
      'DTEND:20260310T081500Z',
      'SUMMARY:Dentist\\; a\\, b\\\\c\\nd',
      'DESCRIPTION:Bring\\nthe card',
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'TRIGGER:-PT25H1M1S',
      'DESCRIPTION:Dentist\\; a\\, b\\\\c\\nd',
      'END:VALARM',
      'TRANSP:OPAQUE',
      'X-MICROSOFT-CDO-BUSYSTATUS:BUSY',
      'END:VEVENT',
      'END:VCALENDAR',
    ]);
  });

  it('folds lines at 75 octets between characters, and loses nothing by it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (sent) => {
        const summary = sent.replace(/\p{Cc}/gu, ' ');
        const text = icalendarEvent({ ...EVENT, summary });
        for (const line of text.split('\r\n'))
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
        const [, value = ''] = /^SUMMARY:(.*)\r$/mu.exec(text.replaceAll('\r\n ', '')) ?? [];
        expect(value.replace(/\\(.)/gu, '$1')).toBe(summary);
      }),
    );
  });
});
