import { mappedDate, mappedInstant } from '../../../../src/app/moving/mapping/mapped-date.js';

describe('A date as programs wrote it', () => {
  it('is kept where the service reads it', () => {
    const all = ['2026-03-01', '2026-03-01 08:00:00', '2026-03-01T08:00:00.000Z', '1641882509'];
    for (const text of all) expect(mappedDate(text, 'in-doubt')).toStrictEqual({ text });
  });

  it('is none where programs wrote nothing, zeros or a word for nothing', () => {
    const all = [
      '',
      ' ',
      null,
      undefined,
      '0000-00-00',
      '0000-00-00 00:00:00',
      'null',
      'undefined',
    ];
    for (const text of [...all, 'Invalid date', 'NaN', '0'])
      expect(mappedDate(text, 'in-doubt')).toStrictEqual({ text: null });
  });

  it('is taken where only one order gives a day that exists', () => {
    expect(mappedDate('26/02/2021', 'month-first')).toStrictEqual({ text: '2021-02-26' });
    expect(mappedDate('12/31/2020', 'day-first')).toStrictEqual({ text: '2020-12-31' });
    expect(mappedDate('05/05/2020', 'in-doubt')).toStrictEqual({ text: '2020-05-05' });
    expect(mappedDate('3.4.2021', 'in-doubt')).toStrictEqual({ text: '2021-04-03' });
    expect(mappedDate('3.4.21 7:05', 'in-doubt')).toStrictEqual({ text: '2021-04-03T07:05:00' });
  });

  it('is taken as the mapping says where both orders do', () => {
    expect(mappedDate('05/12/2026', 'day-first')).toStrictEqual({ text: '2026-12-05' });
    expect(mappedDate('05/12/2026', 'month-first')).toStrictEqual({ text: '2026-05-12' });
    expect(mappedDate('05/12/2026', 'in-doubt')).toStrictEqual({
      text: '05/12/2026',
      fault: 'may mean two days',
    });
  });

  it('has its time with a half of the day or an offset, whichever stands first', () => {
    const evening = '2026-12-25T20:00:00';
    const texts = [
      ['12/25/2026, 8:00:00 PM', evening],
      ['12/25/2026, 8:00:00\u202fPM', evening],
      ['25/12/2026 08:00 PM', evening],
      ['25/12/2026\u00a008:00 p.m.', evening],
      ['25.12.2026, 20:00:00', evening],
      ['25-12-2026T20:00:00.000', evening],
      ['12/25/2026 12:05 AM', '2026-12-25T00:05:00'],
      ['25/12/2026 20:00:00 +0100', '2026-12-25 20:00:00 +0100'],
      ['12/25/2026 20:00Z', '2026-12-25 20:00Z'],
    ];
    for (const order of ['day-first', 'month-first', 'in-doubt'] as const)
      for (const [written, text] of texts)
        expect(mappedDate(written, order)).toStrictEqual({ text });
    expect(mappedInstant('12/25/2026 20:00Z', 'in-doubt', 'Europe/Berlin').at).toStrictEqual(
      new Date('2026-12-25T20:00:00Z'),
    );
  });

  it('stays as it was written where it is none', () => {
    for (const text of [
      '31/02/2021',
      '2021-13-01',
      'morgen',
      '05/12/26',
      '1/2/2021 25:00',
      '25/12/2026 13:00 PM',
    ])
      expect(mappedDate(text, 'day-first')).toStrictEqual({ text, fault: 'cannot be read' });
  });

  it('is an instant by the clocks of its zone, unless it says otherwise', () => {
    const at = (text: string) =>
      mappedInstant(text, 'day-first', 'Europe/Berlin').at?.toISOString();
    expect(at('2026-07-01 08:00:00')).toBe('2026-07-01T06:00:00.000Z');
    expect(at('2026-07-01T08:00:00Z')).toBe('2026-07-01T08:00:00.000Z');
    expect(at('morgen')).toBeUndefined();
  });
});
