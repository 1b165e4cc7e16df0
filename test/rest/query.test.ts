import fc from 'fast-check';
import { buildQuery, type Parameters, parseQuery } from '../../src/rest/query.js';

/** Parameters have no prototype; what they hold is compared by its JSON. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const reads = (text: string, parameters: object) =>
  expect(plain(parseQuery(text)), text).toStrictEqual(parameters);

describe('a query string', () => {
  it('gives texts by name', () => {
    reads('', {});
    reads('a=1&b=', { a: '1', b: '' });
    reads('a&b=1=2&&=x&a%20b=c', { a: '', b: '1=2', 'a b': 'c' });
  });
  it('has the later of two scalars win', () => {
    reads('a=1&a=2', { a: '2' });
    reads('a[]=1&a=2', { a: '2' });
    reads('a=1&a[]=2', { a: ['2'] });
  });
  it('makes lists and objects of brackets', () => {
    reads('a[]=1&a[]=2', { a: ['1', '2'] });
    reads('a[0]=1&a[1]=2', { a: ['1', '2'] });
    reads('a[b]=1&a[c]=2', { a: { b: '1', c: '2' } });
    reads('a[b][]=1&a[b][]=2', { a: { b: ['1', '2'] } });
    reads('r[0][path]=/x&r[1][path]=/y', { r: [{ path: '/x' }, { path: '/y' }] });
    reads('a[5]=1&a[b]=2', { a: { 5: '1', b: '2' } });
  });
  it('keeps the order sent in a list, whatever its numbers are', () => {
    reads('a[3]=1&a[1]=2', { a: ['1', '2'] });
    reads('a%5B1%5D=2&a%5B0%5D=1', { a: ['2', '1'] });
    reads('a[-3]=1&a[-7]=2', { a: ['1', '2'] });
    reads('r[1][path]=/x&r[0][path]=/y', { r: [{ path: '/x' }, { path: '/y' }] });
  });
  it('ignores brackets that do not close, and what follows a closed one', () => {
    reads('a[b=1', { a: '1' });
    reads('a[b]c=1', { a: { b: '1' } });
    reads('[a]=1&]=2', { '[a]': '1', ']': '2' });
  });
  it('reads a plus as a space, and percent sequences as UTF-8', () =>
    reads('a=1+2%2B3&b=%C3%A9', { a: '1 2+3', b: 'é' }));
  it('keeps what is broken', () =>
    reads('a=100%&b=%zz&c=%C3&d=%C3%28x', { a: '100%', b: '%zz', c: '\uFFFD', d: '\uFFFD(x' }));
  it('has no names that reach a prototype', () => {
    reads(
      '__proto__[x]=1&a[__proto__][x]=1&constructor=1&a[prototype]=1&a[constructor][prototype][x]=1&b=1',
      { b: '1' },
    );
    expect(Object.getPrototypeOf(parseQuery('a=1'))).toBeNull();
    expect(Object.getPrototypeOf(parseQuery('a[b]=1').a)).toBeNull();
    expect(({} as { x?: string }).x).toBeUndefined();
  });
  it('ends after 1,000 pairs', () => {
    const parameters = parseQuery(Array.from({ length: 1_500 }, (_, i) => `p${i}=1`).join('&'));
    expect(Object.keys(parameters)).toHaveLength(1_000);
    expect(parseQuery('a[]=1&'.repeat(1_500)).a as unknown[]).toHaveLength(1_000);
  });
  it('has at most 8 levels', () => {
    reads(`a${'[b]'.repeat(7)}=1&c=2`, {
      a: { b: { b: { b: { b: { b: { b: { b: '1' } } } } } } },
      c: '2',
    });
    reads(`a${'[b]'.repeat(8)}=1&c=2`, { c: '2' });
  });
  it('is read in time proportional to its length', () => {
    // A million characters in time of their square would take longer than any suite may.
    for (const text of [
      '['.repeat(1e6),
      'a[]'.repeat(1e6),
      '%'.repeat(1e6),
      '&'.repeat(1e6),
      `a${'[]'.repeat(5e5)}=1`,
    ])
      parseQuery(text);
  });
});

describe('a query string that is built', () => {
  it('escapes everything but letters, digits, hyphen, underscore and dot', () =>
    expect(buildQuery({ 'a~': "b c,d*e'(f)!-_.é/" })).toBe(
      'a%7E=b+c%2Cd%2Ae%27%28f%29%21-_.%C3%A9%2F',
    ));
  it('numbers the elements of lists', () =>
    expect(buildQuery({ a: [1, 2] })).toBe('a%5B0%5D=1&a%5B1%5D=2'));
  it('names the properties of objects', () =>
    expect(buildQuery({ a: { b: ['x'] } })).toBe('a%5Bb%5D%5B0%5D=x'));
  it('has the name alone for an empty text', () =>
    expect(buildQuery({ _envelope: '', a: '=' })).toBe('_envelope&a=%3D'));
  it('has 1 and 0 for booleans, and nothing for null and the empty', () =>
    expect(buildQuery({ a: true, b: false, c: null, d: undefined, e: [], f: {} })).toBe('a=1&b=0'));
});

describe('any text', () => {
  it('is read without failing and without touching a prototype', () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.stringMatching(/^(?:[&=%[\]a+0]|__proto__|constructor|\[\]|%[0-9A-F]{2}){0,40}$/),
        ),
        (text) => {
          const names = Object.getOwnPropertyNames(Object.prototype).length;
          parseQuery(text);
          expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(names);
        },
      ),
    ));

  const name = fc
    .stringMatching(/^[a-z_ é&=%+.][a-z0-9_ é&=%+.\]-]{0,5}$/)
    .filter((key) => !['__proto__', 'constructor', 'prototype'].includes(key));
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.string({ unit: 'grapheme' }),
      fc.array(tie('value'), { minLength: 1, maxLength: 4 }),
      fc.dictionary(
        name.filter((key) => !key.includes(']')),
        tie('value'),
        { minKeys: 1, maxKeys: 4 },
      ),
    ),
  }));
  it('that was built is read as what it was built from', () =>
    fc.assert(
      fc.property(fc.dictionary(name, value, { maxKeys: 4 }), (parameters) => {
        expect(plain(parseQuery(buildQuery(parameters as Parameters)))).toStrictEqual(
          plain(parameters),
        );
      }),
    ));
});
