import fc from 'fast-check';
import { parseFrequency } from '../../../../src/domains/reminders/schedule/frequency.js';

const ruleParts = fc.record({
  freq: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'HOURLY'),
  interval: fc.option(fc.integer({ min: 1, max: 60 })),
  count: fc.option(fc.integer({ min: 1, max: 99 })),
  days: fc.option(fc.constantFrom('MO', 'TU,FR', 'SA,SU,MO')),
});
const ruleText = ruleParts.map(
  ({ freq, interval, count, days }) =>
    `FREQ=${freq}${interval ? `;INTERVAL=${interval}` : ''}${days && freq === 'WEEKLY' ? `;BYDAY=${days}` : ''}${count ? `;COUNT=${count}` : ''}`,
);
const ruleInsert = fc.constantFrom(
  ...[
    '0',
    '1',
    '2',
    ' ',
    '\t',
    '\n',
    ';',
    ',',
    '=',
    '-',
    '+',
    '.',
    'x',
    '٢',
    '２',
    '\u200b',
    '\u00a0',
    'ı',
    'ſ',
    ';X=1',
  ],
  ...[
    ';EXDATE=20260101',
    '\nEXDATE:20260101',
    ';DTSTART=20260101',
    'RRULE:',
    ';COUNT=2',
    ';INTERVAL=2',
    ';RSCALE=GREGORIAN',
  ],
);

/**
 * The parts of a rule, read to the letter of the grammar of RFC 5545 3.3.10. Undefined for a text
 * that it does not allow.
 */
function rulePartsOf(text: string): string[] | undefined {
  const [, rule = ''] = /^(?:RRULE:)?([A-Z0-9=;,]+)$/i.exec(text) ?? [];
  const parts = rule.toUpperCase().split(';').filter(Boolean);
  const names = parts.map((part) => part.split('=')[0]);
  const known =
    /^(FREQ=(DAILY|WEEKLY|MONTHLY|HOURLY)|INTERVAL=\d+|COUNT=\d+|BYDAY=((MO|TU|WE|TH|FR|SA|SU)(,|$))+)$/;
  if (
    !names.includes('FREQ') ||
    new Set(names).size < names.length ||
    !parts.every((part) => known.test(part))
  )
    return undefined;
  return parts.map((part) => part.replace(/=0+(?=\d)/, '='));
}

describe('A rule', () => {
  it('into which anything is inserted is what its grammar says, or is not understood', () => {
    let understood = 0;
    fc.assert(
      fc.property(
        ruleText,
        fc.array(fc.tuple(fc.nat(), ruleInsert), { minLength: 1, maxLength: 2 }),
        (text, made) => {
          const changed = made.reduce((before, [where, what]) => {
            const place = where % (before.length + 1);
            return before.slice(0, place) + what + before.slice(place);
          }, text);
          const meant = parseFrequency(changed);
          if (meant.kind === 'unrecognized') return;
          understood++;
          const parts = rulePartsOf(changed.trim());
          if (!parts) throw new Error(`${JSON.stringify(changed)} has no parts`);
          expect(meant, JSON.stringify(changed)).toStrictEqual(parseFrequency(parts.join(';')));
          const count = parts.find((part) => part.startsWith('COUNT='))?.slice(6);
          expect('count' in meant ? meant.count : undefined).toBe(
            count === undefined ? undefined : Number(count),
          );
          const interval = Number(
            parts.find((part) => part.startsWith('INTERVAL='))?.slice(9) ?? 1,
          );
          if (meant.kind === 'elapsed') expect(meant.hours).toBe(interval);
          else if (meant.kind === 'rule')
            expect(Number(/INTERVAL=(\d+)/.exec(meant.text)?.[1] ?? 1)).toBe(interval);
        },
      ),
      { numRuns: 20_000 },
    );
    expect(understood, `${understood} of them say something`).toBeGreaterThan(100);
  });

  it('with parts that RFC 5545 does not know, or that would be passed over, is not understood', () => {
    for (const text of [
      ...[
        'FREQ=DAILY; INTERVAL=2',
        'FREQ= DAILY',
        'FREQ=DAILY;INTERVAL=2 ;COUNT=3',
        'FREQ=DAILY;INTERVAL=1 2',
        'FREQ DAILY',
      ],
      ...[
        'FREQ=DAILY;INTERVAL=+2',
        'FREQ=DAILY;INTERVAL=-2',
        'FREQ=DAILY;INTERVAL=0',
        'FREQ=DAILY;COUNT=0',
        'FREQ=DAILY;COUNT=+3',
      ],
      ...[
        'FREQ=DAILY;BYHOUR=+8',
        'FREQ=DAILY;BYHOUR=-8',
        'FREQ=DAILY;BYHOUR=24',
        'FREQ=DAILY;BYHOUR=8.5',
        'FREQ=DAILY;BYHOUR=8,,9',
      ],
      ...[
        'FREQ=DAILY;BYMINUTE=60',
        'FREQ=DAILY;BYHOUR=',
        'FREQ=DAILY;COUNT=',
        'FREQ=DAILY;INTERVAL',
        'FREQ=DAILY;UNTIL=',
      ],
      ...[
        'FREQ=MONTHLY;BYDAY=0MO',
        'FREQ=MONTHLY;BYDAY=+0MO',
        'FREQ=MONTHLY;BYDAY=6MO',
        'FREQ=MONTHLY;BYDAY=99MO',
        'FREQ=YEARLY;BYDAY=53MO',
        'FREQ=YEARLY;BYDAY=-53TH',
      ],
      ...[
        'FREQ=DAILY;COUNT=3;UNTIL=20270101',
        'FREQ=DAILY;RSCALE=GREGORIAN',
        'FREQ=DAILY;SKIP=OMIT',
        'FREQ=DAILY;X-NAME=1',
      ],
      ...[
        'DTSTART:20260101T080000\nRRULE:FREQ=DAILY',
        'FREQ=DAILY;DTSTART=20260101',
        'FREQ=DAILY;EXDATE=20260101',
        'EXRULE:FREQ=DAILY',
      ],
      ...[
        'RRULE:RRULE:FREQ=DAILY',
        'RRULE=FREQ=DAILY',
        'FREQ=DAILY\nFREQ=WEEKLY',
        'FREQ=DAILY,WEEKLY',
        'FREQ=SECONDLY',
        'FREQ=MINUTELY',
      ],
      ...[
        'FREQ=DAıLY',
        'FREQ=DAILY;BYDAY=ſA',
        'FREQ=DAILY;INTERVAL=٢',
        'FREQ=DAILY;INTERVAL=２',
        'not FREQ=DAILY',
        'FREQ=DAILY or weekly',
      ],
      ...[
        'FREQ=DAILY;UNTIL=2027-01-01',
        'FREQ=DAILY;UNTIL=20270101T0800',
        'FREQ=DAILY;UNTIL=20270101T240000',
        'FREQ=DAILY;UNTIL=270101',
      ],
      ...[
        'FREQ=WEEKLY;WKST=XX',
        'FREQ=WEEKLY;WKST=MO,TU',
        'FREQ=WEEKLY;BYDAY=MO TU',
        'FREQ=WEEKLY;BYDAY=MO;TU',
        'FREQ=WEEKLY;BYDAY=',
      ],
    ])
      expect(parseFrequency(text).kind, JSON.stringify(text)).toBe('unrecognized');
  });
});
