import fc from 'fast-check';
import {
  type PhpValue,
  phpOf,
  plainOf,
  unserialize,
  serialize as written,
} from '../../../src/app/moving/php.js';

/** Writes a value as PHP does. */
function serialize(value: PhpValue): string {
  if (value === null) return 'N;';
  if (typeof value === 'boolean') return `b:${value ? 1 : 0};`;
  if (typeof value === 'number') return Number.isInteger(value) ? `i:${value};` : `d:${value};`;
  if (typeof value === 'string') return `s:${Buffer.byteLength(value)}:"${value}";`;
  const entries = [...value].map(([key, one]) => serialize(key) + serialize(one));
  return `a:${value.size}:{${entries.join('')}}`;
}

const text = fc.string({ unit: 'grapheme' });
const { value: values } = fc.letrec<{ value: PhpValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    text,
    fc
      .array(fc.tuple(fc.oneof(text, fc.nat()), tie('value')), { maxLength: 5 })
      .map((pairs) => new Map(pairs)),
  ),
}));

describe('A value that PHP is to read', () => {
  it('is written as PHP writes it', () => {
    fc.assert(fc.property(values, (value) => expect(written(value)).toBe(serialize(value))));
  });

  it('may hold an integer that no number here has', () => {
    expect(unserialize('a:2:{s:1:"a";i:9223372036854775807;s:1:"b";i:1;}')).toStrictEqual(
      new Map([
        ['a', 2 ** 63],
        ['b', 1],
      ]),
    );
  });

  it('is that of JSON, with numbers for keys that are written as numbers are', () => {
    const json = { a: [1, { '7': null, '07': true }], b: { c: 'é', d: 0.5 } };
    expect(written(phpOf(json))).toBe(
      'a:2:{s:1:"a";a:2:{i:0;i:1;i:1;a:2:{i:7;N;s:2:"07";b:1;}}s:1:"b";a:2:{s:1:"c";s:2:"é";s:1:"d";d:0.5;}}',
    );
    expect(plainOf(unserialize(written(phpOf(json))) ?? null)).toStrictEqual(json);
  });
});

describe('A value that PHP has serialized', () => {
  it('is read as it was', () => {
    fc.assert(
      fc.property(values, (value) => expect(unserialize(serialize(value))).toStrictEqual(value)),
    );
  });

  it('is nothing when it is cut off, or followed by more', () => {
    fc.assert(
      fc.property(
        values,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (value, part) => {
          const whole = Buffer.from(serialize(value));
          const cut = whole.subarray(0, Math.floor(part * whole.length)).toString('latin1');
          expect(unserialize(cut)).toBeUndefined();
          expect(unserialize(`${whole}x`)).toBeUndefined();
        },
      ),
    );
  });

  it.each([
    ['an object', 'O:8:"stdClass":1:{s:1:"a";i:1;}'],
    ['an object of its own form', 'C:11:"ArrayObject":0:{}'],
    ['a reference', 'a:2:{i:0;i:1;i:1;R:2;}'],
    ['a list as a key', 'a:1:{a:0:{}i:1;}'],
    ['a number that is none', 'i:1e9;'],
    ['infinity', 'd:INF;'],
    ['a length beyond the text', 's:900:"a";'],
    ['a length of many digits', 's:99999999999:"a";'],
    ['nothing', ''],
  ])('is nothing when it is %s', (_name, written) => {
    expect(unserialize(written)).toBeUndefined();
  });

  it('is nothing when it is nested without end', () => {
    const deep = `${'a:1:{i:0;'.repeat(100_000)}N;${'}'.repeat(100_000)}`;
    expect(unserialize(deep)).toBeUndefined();
  });
});
