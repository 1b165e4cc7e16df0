import fc from 'fast-check';
import {
  jsonPartsWithin,
  jsonWithin,
  lengthOf,
  passes,
} from '../../src/platform/http/response-size.js';

describe('The size of an answer', () => {
  it('is never more than the bytes of its JSON, so that nothing is refused that fits', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(lengthOf(value)).toBeLessThanOrEqual(JSON.stringify(value).length);
      }),
    );
  });

  it('is known without making what is too large', () => {
    const text = 'x'.repeat(1024 * 1024);
    const many = Array.from({ length: 10_000 }, () => ({ text }));
    expect(passes(many), 'ten gigabytes').toBe(true);
    expect(jsonWithin(many)).toBeUndefined();
  });

  it('counts bytes of UTF-8, escapes included', () => {
    const list = Array.from({ length: 240 }, (_, i) => (i % 7 ? { i, text: 'ä"' } : undefined));
    const text = JSON.stringify(list);
    expect(jsonWithin(list)).toBe(text);
    expect(jsonWithin(list, Buffer.byteLength(text))).toBe(text);
    expect(jsonWithin(list, Buffer.byteLength(text) - 1)).toBeUndefined();
    expect(jsonWithin(list, 100)).toBeUndefined();
    expect(jsonWithin('äää', 8)).toBe('"äää"');
    expect(jsonWithin('äää', 7)).toBeUndefined();
    expect(jsonWithin('"""', 7)).toBeUndefined();
  });

  it('holds for a long list whose JSON is made in parts', () => {
    const value = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.string({ unit: 'grapheme' }));
    const several = fc.tuple(fc.array(value, { maxLength: 20 }), fc.integer({ max: 300, min: 1 }));
    fc.assert(
      fc.property(several, ([values, times]) => {
        const text = 'ä"'.repeat(1_000);
        const list = Array.from({ length: times }, () => [...values, text]).flat();
        const json = Buffer.from(JSON.stringify(list));
        const parts = jsonPartsWithin(list, json.length) as Buffer[] | string;
        const [made, count] =
          typeof parts === 'string'
            ? [Buffer.from(parts), 1]
            : [Buffer.concat(parts), parts.length];
        expect(made.equals(json)).toBe(true);
        expect(count > 1).toBe(lengthOf(list) >= 64 * 1024);
        expect(jsonPartsWithin(list, json.length - 1)).toBeUndefined();
      }),
    );
  });
});
