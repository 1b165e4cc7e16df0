import fc from 'fast-check';
import { beginning } from '../../../../src/domains/content/rendering/beginning.js';
import {
  hasBlocks,
  renderSummarisedBlocks,
} from '../../../../src/domains/content/rendering/blocks.js';
import {
  firstWords,
  opening,
  plainText,
} from '../../../../src/domains/content/rendering/excerpt.js';
import { paragraphs } from '../../../../src/domains/content/rendering/paragraphs.js';
import { stripShortcodes } from '../../../../src/domains/content/rendering/shortcodes.js';
import { typography } from '../../../../src/domains/content/rendering/typography.js';

/** What `beginning` promises, of the whole content. */
function ofTheWhole(content: string, words: number): string {
  const source = stripShortcodes(opening(content)).replaceAll(']]>', ']]&gt;');
  const all = Number.POSITIVE_INFINITY;
  const html = hasBlocks(source) ? renderSummarisedBlocks(source, all) : paragraphs(source);
  return firstWords(plainText(typography(html)), words + 1).join(' ');
}

const PROSE = [
  ...['one', 'two ', ' three', '\n', '\n\n', '\r\n', '\r\n\r\n', '\t', ' ', ' \n \n', '\u00a0'],
  ...['"', "'", "''", '``', '--', ' - ', '---', '...', '9x5', "'90s", '6\'4"', '(tm)', '&', ' & '],
  ...['&amp;', '&nbsp;', '&#8217;', '&lt;b&gt;', '&quot;', '<', '>', ' < ', '<3', '[', ']'],
];
const MARKUP = [
  ...['<p>', '</p>', '<b>', '</b>', '<br>', '<br />', '<div>', '</div>', '<ul><li>', '</li></ul>'],
  ...['<a href="/x?a=1&b=2">', '<a title="a > b">', "<a title='", '</a>', '<a ', '</', '<!', '<?'],
  ...['<pre>', '</pre>', '<code>', '</code>', '<script>', '</script>', '<style>', '</style>'],
  ...['<textarea>', '</textarea>', '<video>', '</video>', '<svg>', '</svg>', '<blockquote>'],
  ...['<!-- a comment -->', '<!--', '-->', '<!---->', '<!-->', '</blockquote>', '<h2>', '</h2>'],
  ...['[caption width="1"]', '[/caption]', '[audio src="/x"]', '[embed]', '[/embed]', '[[audio]]'],
  ...['[unknown]', '[caption', '<!--more-->', '<!--nextpage-->', '<a title="<!-- ', '"><b x="'],
];
const BLOCKS = [
  ...['<!-- wp:paragraph -->', '<!-- /wp:paragraph -->', '<!-- wp:group -->', '<!-- /wp:group -->'],
  ...['<!-- wp:list {"a":1} -->', '<!-- /wp:list -->', '<!-- wp:image -->', '<!-- /wp:image -->'],
  ...['<!-- wp:a {', '} -->', '<!-- wp:more /-->', '<!-- wp:heading --><h2>', '<!-- wp:'],
];

const words = fc
  .integer({ min: 1, max: 120 })
  .map((count) => Array.from({ length: count }, (_, i) => `w${i}${i % 7 ? '' : ','}`).join(' '));
const pieces = (...odd: string[][]) =>
  fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: words },
        { weight: 2, arbitrary: fc.constantFrom(...PROSE) },
        ...odd.map((list) => ({ weight: 2, arbitrary: fc.constantFrom(...list) })),
      ),
      { minLength: 1, maxLength: 60 },
    )
    .chain((list) => fc.constantFrom('', ' ', '\n\n').map((joint) => list.join(joint)));
const closed = words.map((text) => `<!-- wp:paragraph --><p>${text} "q"</p><!-- /wp:paragraph -->`);
const tidy = fc.array(closed, { maxLength: 40 }).map((list) => list.join('\n\n'));

const contents = {
  prose: pieces(PROSE),
  markup: pieces(MARKUP),
  blocks: pieces(BLOCKS, MARKUP),
  'tidy blocks, then anything': fc.tuple(tidy, pieces(BLOCKS, MARKUP)).map((both) => both.join('')),
};

for (const [name, content] of Object.entries(contents))
  test(`the beginning of ${name} is that of the whole`, () => {
    const lengths = fc.constantFrom(0, 1, 5, 30, 55, 200, 1000);
    fc.assert(
      fc.property(content, lengths, (text, count) => {
        expect(beginning(text, count)).toBe(ofTheWhole(text, count));
      }),
      { numRuns: 1_000 },
    );
  });

test('the beginning is that of the whole wherever quotes, dashes and tags stand', () => {
  for (const odd of ['"', "'", ' -- ', '<b>"</b>', "'90s", '9x5', '&', '\n\n', '<!-- x -->'])
    for (let at = 0; at < 60; at++) {
      const text = `${'w '.repeat(at)}${odd}${' w'.repeat(60 - at)} `.repeat(30);
      expect(beginning(text, 30)).toBe(ofTheWhole(text, 30));
    }
});

test('the beginning is that of the whole when something in it is closed far behind', () => {
  const long = 'word\n\n'.repeat(3_000);
  for (const [open, close] of [
    ['<!--', '-->'],
    ['<a title="', '">'],
    ['<b ', '>'],
    ['<?php ', '?>'],
    ['</ ', '>'],
    ['<script>', '</script>'],
    ['<style>', '</style>'],
    ['<textarea>', '</textarea>'],
    ['<pre>', '</pre>'],
    ['[caption width="1"]', '[/caption]'],
    ['<!-- wp:image {', '} -->'],
    ['<!-- wp:image -->', '<!-- /wp:image -->'],
  ])
    for (const before of ['', '<!-- wp:paragraph --><p>a</p><!-- /wp:paragraph -->']) {
      const text = `${before} one two ${open}${long}${close} three ${'four '.repeat(500)}`;
      expect(beginning(text, 30), `${before}${open}`).toBe(ofTheWhole(text, 30));
    }
});

describe('The first words of a text', () => {
  it('are what white space separates, however long a word is', () => {
    const long = 'x'.repeat(20 * 1024 * 1024);
    expect(firstWords(` one\t\ttwo\n${long} four `, 3)).toStrictEqual(['one', 'two', long]);
    expect(firstWords(long, 2)).toStrictEqual([long]);
    expect(firstWords('a b c', 2)).toStrictEqual(['a', 'b']);
    expect([firstWords('', 2), firstWords(' \n', 2), firstWords('a', 0)]).toStrictEqual([
      [],
      [],
      [],
    ]);
  });
});
