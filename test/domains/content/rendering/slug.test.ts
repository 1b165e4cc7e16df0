import fc from 'fast-check';
import {
  isReservedSlug,
  slugify,
  slugsMeantBy,
  sortKey,
} from '../../../../src/domains/content/rendering/slug.js';

const rule = (name: string, examples: readonly (readonly [text: string, slug: string])[]) =>
  test(name, () => {
    for (const [text, slug] of examples) expect(slugify(text)).toBe(slug);
  });

rule('a slug is in lower case, its accents folded, its punctuation dropped', [
  ['Ünïcode & Ampersand r1', 'unicode-ampersand-r1'],
  ['Given Slug r1!', 'given-slug-r1'],
  ['İstanbul, Straße, Łódź, Ærø, Ðþ', 'istanbul-strasse-lodz-aero-dth'],
  ["it's “so” – it’s", 'its-so-its'],
  ['100% sure?', '100-sure'],
  ['9×5', '9x5'],
]);

rule('spaces, slashes and dots become one hyphen, an underscore stays', [
  ['a/b.c  d\u00a0e_f--g', 'a-b-c-d-e_f-g'],
  [' -a- ', 'a'],
  ['...', ''],
]);

rule('tags and entities leave no trace', [
  ['<b>Hi</b> there', 'hi-there'],
  ['a &amp; b', 'a-b'],
]);

rule('other scripts and emoji are percent-encoded in lower case', [
  ['Привет', '%d0%bf%d1%80%d0%b8%d0%b2%d0%b5%d1%82'],
  ['Й', '%d0%b9'],
  ['한', '%ed%95%9c'],
  ['ok 👍', 'ok-%f0%9f%91%8d'],
  ['%D0%BF', '%d0%bf'],
  ['50%2F50 %zz %ff', '50-50-zz'],
]);

test('a slug has at most 200 bytes and ends with a whole letter', () => {
  expect(slugify('a'.repeat(250))).toBe('a'.repeat(200));
  expect(slugify('я'.repeat(100))).toBe('%d1%8f'.repeat(33));
  expect(slugify(`${'a'.repeat(199)} b`)).toBe('a'.repeat(199));
});

test('whatever the text, its slug is safe in a path and its own slug', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.string({ unit: fc.constantFrom(...'a%d0bf- _./é') }),
      ),
      (text) => {
        const slug = slugify(text);
        expect(slug).toMatch(/^(?:[a-z0-9_-]|%[89a-f][0-9a-f])*$/);
        expect(slug.length <= 200 && !/^-|-$|--/.test(slug)).toBe(true);
        expect(() => decodeURIComponent(slug)).not.toThrow();
        expect(slugify(slug)).toBe(slug);
      },
    ),
  );
});

test('feeds, embeds and numbers are reserved', () => {
  for (const slug of ['feed', 'embed', '18', '2025']) expect(isReservedSlug(slug)).toBe(true);
  for (const slug of ['', '0', 'feeds', '18-2', 'a1']) expect(isReservedSlug(slug)).toBe(false);
});

test('sorting is blind to case and accents', () => {
  const titles = ['Zebra', 'émile', 'Eagle', 'straßen', 'Strasse', 'Øre', 'apple'];
  const sorted = [...titles].sort((a, b) =>
    Buffer.compare(Buffer.from(sortKey(a)), Buffer.from(sortKey(b))),
  );
  expect(sorted).toStrictEqual(['apple', 'Eagle', 'émile', 'Øre', 'Strasse', 'straßen', 'Zebra']);
  expect(sortKey('  ÀB\n c ')).toBe('ab c');
});

test('a sort key can be stored and indexed whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
      const key = sortKey(text);
      expect(Buffer.byteLength(key)).toBeLessThanOrEqual(1000);
      expect(key).not.toMatch(/[\p{Cs}\0]/u);
      expect(sortKey(key)).toBe(key);
    }),
  );
});

test('Small letters and digits with single hyphens between are their own slug, as are their spellings', () => {
  const plain = fc.stringMatching(/^[a-z0-9_]{1,8}(?:-[a-z0-9_]{1,8}){0,9}$/);
  fc.assert(
    fc.property(plain, (text) => {
      expect(slugify(text)).toBe(text);
      expect(slugsMeantBy(text)[0]).toBe(text);
      expect(slugsMeantBy(text.toUpperCase())).toContain(text);
    }),
  );
});
