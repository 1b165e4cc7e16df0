import fc from 'fast-check';
import { decimalFrom, decimalOf, partsOf, sum } from '../../src/platform/decimal.js';

const parts = fc.bigInt({ min: 0n, max: 10n ** 14n });

describe('A decimal', () => {
  it.each([
    ['0.05', '0.05'],
    ['.5', undefined],
    ['5.', undefined],
    ['00.50', '0.5'],
    ['1500', '1500'],
    ['1500.0000', '1500'],
    ['0.0625000', '0.0625'],
    ['0', '0'],
    ['0.00001', undefined],
    ['-0.05', undefined],
    ['+1', undefined],
    ['1e3', undefined],
    ['1,5', undefined],
    ['', undefined],
    ['9'.repeat(16), undefined],
    [0.05, '0.05'],
    [0.1 + 0.2, '0.3'],
    [62.5, '62.5'],
    [100_000.0001, '100000.0001'],
    [-0, '0'],
    [-1, undefined],
    [0.000_05, undefined],
    [1e-7, undefined],
    [1e21, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
  ])('is %p in the plain form %p', (value, plain) => {
    expect(decimalOf(value)).toBe(plain);
  });

  it('is the same as text, as a number of 15 digits, and in ten-thousandths', () => {
    fc.assert(
      fc.property(parts, (count) => {
        const decimal = decimalFrom(count);
        expect(decimal).toMatch(/^(?:0|[1-9]\d*)(?:\.\d{0,3}[1-9])?$/);
        expect(partsOf(decimal)).toBe(count);
        expect(decimalOf(decimal)).toBe(decimal);
        expect(decimalOf(Number(decimal))).toBe(decimal);
      }),
    );
  });

  it('adds up exactly', () => {
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        expect(partsOf(sum(decimalFrom(one), decimalFrom(other)))).toBe(one + other);
      }),
    );
    expect(sum('0.1', '0.2')).toBe('0.3');
  });
});
