import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  isReservedSlug,
  slugify,
  sortKey,
} from '../../../../src/domains/content/rendering/slug.js';

const rule = (name: string, examples: readonly (readonly [text: string, slug: string])[]) =>
  test(name, () => {
    for (const [text, slug] of examples) assert.equal(slugify(text), slug);
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
  assert.equal(slugify('a'.repeat(250)), 'a'.repeat(200));
  assert.equal(slugify('я'.repeat(100)), '%d1%8f'.repeat(33));
  assert.equal(slugify(`${'a'.repeat(199)} b`), 'a'.repeat(199));
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
        assert.match(slug, /^(?:[a-z0-9_-]|%[89a-f][0-9a-f])*$/);
        assert.ok(slug.length <= 200 && !/^-|-$|--/.test(slug));
        assert.doesNotThrow(() => decodeURIComponent(slug));
        assert.equal(slugify(slug), slug);
      },
    ),
  );
});

test('feeds, embeds and numbers are reserved', () => {
  for (const slug of ['feed', 'embed', '18', '2025']) assert.ok(isReservedSlug(slug));
  for (const slug of ['', '0', 'feeds', '18-2', 'a1']) assert.ok(!isReservedSlug(slug));
});

test('sorting is blind to case and accents', () => {
  const titles = ['Zebra', 'émile', 'Eagle', 'straßen', 'Strasse', 'Øre', 'apple'];
  const sorted = [...titles].sort((a, b) =>
    Buffer.compare(Buffer.from(sortKey(a)), Buffer.from(sortKey(b))),
  );
  assert.deepEqual(sorted, ['apple', 'Eagle', 'émile', 'Øre', 'Strasse', 'straßen', 'Zebra']);
  assert.equal(sortKey('  ÀB\n c '), 'ab c');
});

test('a sort key can be stored and indexed whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
      const key = sortKey(text);
      assert.ok(Buffer.byteLength(key) <= 1000);
      assert.doesNotMatch(key, /[\p{Cs}\0]/u);
      assert.equal(sortKey(key), key);
    }),
  );
});
