import fc from 'fast-check';
import { jsonWithin, lengthOf, passes } from '../../src/platform/http/answer-size.js';

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
});
