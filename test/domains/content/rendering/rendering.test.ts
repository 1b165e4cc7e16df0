import fc from 'fast-check';
import { shortened } from '../../../../src/domains/content/rendering/excerpt.js';
import {
  blockVersion,
  renderContent,
  renderExcerpt,
  renderTitle,
} from '../../../../src/domains/content/rendering/rendering.js';

type Example = readonly [raw: string, rendered: string];

const rule = (name: string, render: (raw: string) => string, examples: readonly Example[]) =>
  test(name, () => {
    for (const [raw, rendered] of examples) expect(render(raw)).toBe(rendered);
  });

rule('a title is typographic, keeps its HTML and loses the space around it', renderTitle, [
  ['Apple post 1', 'Apple post 1'],
  ['Ünïcode & Ampersand', 'Ünïcode &#038; Ampersand'],
  [
    ' <em>"Hi"</em>, it\'s &amp; isn\'t ',
    '<em>&#8220;Hi&#8221;</em>, it&#8217;s &amp; isn&#8217;t',
  ],
]);

rule(
  'a content has signs in place of smilies, but within tags and code',
  (raw) => renderContent(raw),
  [
    ['Well :) done :-D', '<p>Well 🙂 done 😀</p>\n'],
    [':???: ;) 8-O&nbsp;:!:\n:cry:', '<p>😕 😉 😯&nbsp;❗<br />\n😥</p>\n'],
    ['At 8:P, (:) x:) 8) :-)) :)', '<p>At 8:P, (:) x:) 8) :-)) 🙂</p>\n'],
    ['<b>:)</b> <a title=" :) ">:|</a>', '<p><b>🙂</b> <a title=" :) ">😐</a></p>\n'],
    ['<code>a <i>:)</i></code> :)', '<p><code>a <i>:)</i></code> 🙂</p>\n'],
    ['<pre>:)</pre>', '<pre>:)</pre>\n'],
    ['A :mrgreen: one', '<p>A :mrgreen: one</p>\n'],
  ],
);

rule(
  'an excerpt has them too, of its own text and of the content',
  (raw) => renderExcerpt('', raw),
  [
    ['Well :) :mrgreen: done', '<p>Well 🙂 done</p>\n'],
    ['In <code>:)</code>', '<p>In 🙂</p>\n'],
    ['A Wordpress site', '<p>A WordPress site</p>\n'],
  ],
);

test('an excerpt that was written has them, and keeps the name of the original', () => {
  expect(renderExcerpt('Well :) Wordpress', '')).toBe('<p>Well 🙂 Wordpress</p>\n');
});

rule(
  'a title writes the name of the original as the original does, and has no signs',
  renderTitle,
  [
    ['Wordpress :) xWordpress', 'WordPress :) xWordPress'],
    ['wordpress WORDPRESS', 'wordpress WORDPRESS'],
  ],
);

rule(
  'a content writes that name so behind blanks, tags, brackets and quotes',
  (raw) => renderContent(raw),
  [
    ['Wordpress (Wordpress) Wordpress', '<p>WordPress (WordPress) WordPress</p>\n'],
    [
      '"Wordpress" \'Wordpress\' -Wordpress xWordpress',
      '<p>&#8220;WordPress&#8221; &#8216;WordPress&#8217; -Wordpress xWordpress</p>\n',
    ],
    ['<code>Wordpress a Wordpress</code>', '<p><code>WordPress a WordPress</code></p>\n'],
  ],
);

test('the block of footnotes becomes their list, and nothing without any', () => {
  const raw =
    '<!-- wp:paragraph -->\n<p>A<sup>1</sup></p>\n<!-- /wp:paragraph -->\n\n<!-- wp:footnotes /-->';
  const note = { id: 'a1', content: 'See <em>37</em> & "more"' };
  const list =
    '<ol class="wp-block-footnotes"><li id="a1">See <em>37</em> &#038; &#8220;more&#8221; ' +
    '<a href="#a1-link" aria-label="Jump to footnote reference 1">\u21a9\ufe0e</a></li></ol>';
  const text = '\n<p>A<sup>1</sup></p>\n\n\n';
  expect(renderContent(raw, JSON.stringify([note]))).toBe(text + list);
  for (const none of ['', '[]', 'no JSON', '7', undefined])
    expect(renderContent(raw, none)).toBe(text);
  expect(renderContent(raw, '[null]')).toContain('<li id=""> <a href="#-link"');
  expect(renderExcerpt('', raw)).toBe('<p>A1</p>\n');
});

rule('quotes curl towards the word they stand at, over inline tags too', renderTitle, [
  ['"a" (\'b\') ["c"]', '&#8220;a&#8221; (&#8216;b&#8217;) [&#8220;c&#8221;]'],
  ['"\'so\' he said"', '&#8220;&#8216;so&#8217; he said&#8221;'],
  ['"<em>a</em>", <b>John</b>\'s', '&#8220;<em>a</em>&#8221;, <b>John</b>&#8217;s'],
  ['[box size="a" width="10"]', '[box size=&#8221;a&#8221; width=&#8221;10&#8243;]'],
  ['&nbsp;"a"', '&nbsp;&#8220;a&#8221;'],
]);

rule('an apostrophe stays one at the start of a word or a year', renderTitle, [
  ["it's the '90s, '99", 'it&#8217;s the &#8217;90s, &#8217;99'],
  ["'tis", '&#8217;tis'],
  ["1990's", '1990&#8217;s'],
]);

rule('a quote after a digit is a prime unless it ends a quotation', renderTitle, [
  ['6\'4"', '6&#8242;4&#8243;'],
  ['it is 5\'10" tall', 'it is 5&#8217;10&#8221; tall'],
  ['"chapter 9"', '&#8220;chapter 9&#8221;'],
  ["'chapter 9'", '&#8216;chapter 9&#8217;'],
]);

rule('hyphens become dashes, dots an ellipsis, x between numbers a times sign', renderTitle, [
  ['a -- b, a--b, a---b, a - b, a-b', 'a &#8212; b, a&#8211;b, a&#8212;b, a &#8211; b, a-b'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['wait... what', 'wait&#8230; what'],
  ['9x5, 2.5x3, 0x1f, 1920x1080p, 4x4x4, x9', '9&#215;5, 2.5&#215;3, 0x1f, 1920x1080p, 4x4x4, x9'],
  ["``so'' (tm)", '&#8220;so&#8221; &#8482;'],
]);

rule('a lone ampersand is escaped, an entity is not', renderTitle, [
  ['a & b &amp; &#38; &#x26; &nosemicolon', 'a &#038; b &amp; &#38; &#x26; &#038;nosemicolon'],
  ['<a href="?a=1&b=2">x</a>', '<a href="?a=1&#038;b=2">x</a>'],
]);

rule('code, preformatted text, scripts, comments and attributes stay as typed', renderTitle, [
  ['<code>"a" -- 9x5</code> "b"', '<code>"a" -- 9x5</code> &#8220;b&#8221;'],
  ['<script>if (a && "b") x--;</script>', '<script>if (a && "b") x--;</script>'],
  ['<b title="it\'s -- 9x5">a</b><!-- "a" -->', '<b title="it\'s -- 9x5">a</b><!-- "a" -->'],
]);

rule('a lone ampersand of code is an entity, that of a script is not', renderTitle, [
  ['<pre><code>a && b</code></pre>', '<pre><code>a &#038;&#038; b</code></pre>'],
  ['<code>a &amp; b</code>', '<code>a &amp; b</code>'],
  ['<pre><script>a && b</script></pre>', '<pre><script>a && b</script></pre>'],
]);

rule(
  'pictures are decoded apart, and loaded when they come into view where their size is known',
  renderContent,
  [
    ['<img src="/a.png">', '<p><img decoding="async" src="/a.png"></p>\n'],
    [
      '<img src="/a.png" width="3" height="4" />',
      '<p><img loading="lazy" decoding="async" src="/a.png" width="3" height="4" /></p>\n',
    ],
    [
      '<img src="/a.png" width="3" height="4" loading="eager" decoding="sync" />',
      '<p><img src="/a.png" width="3" height="4" loading="eager" decoding="sync" /></p>\n',
    ],
    ["<img src='/a.png'>", "<p><img src='/a.png'></p>\n"],
  ],
);

rule('quotes and columns have the classes of their layout', renderContent, [
  [
    '<!-- wp:quote --><blockquote class="wp-block-quote">a</blockquote><!-- /wp:quote -->',
    '<blockquote class="wp-block-quote is-layout-flow wp-block-quote-is-layout-flow">a</blockquote>',
  ],
  [
    '<!-- wp:columns --><div class="wp-block-columns"><!-- wp:column --><div class="wp-block-column">a' +
      '</div><!-- /wp:column --></div><!-- /wp:columns -->',
    '<div class="wp-block-columns is-layout-flex wp-container-core-columns-is-layout-9d6595d7 ' +
      'wp-block-columns-is-layout-flex"><div class="wp-block-column is-layout-flow ' +
      'wp-block-column-is-layout-flow">a</div></div>',
  ],
]);

rule('an automatic excerpt leaves out a list of items', (raw) => renderExcerpt('', raw), [
  [
    '<!-- wp:paragraph --><p>a</p><!-- /wp:paragraph --><!-- wp:list --><ul><!-- wp:list-item -->' +
      '<li>b</li><!-- /wp:list-item --></ul><!-- /wp:list -->',
    '<p>a</p>\n',
  ],
  ['<!-- wp:list --><ul><li>b</li></ul><!-- /wp:list -->', '<p>b</p>\n'],
]);

rule(
  'classic text: blank lines part paragraphs, a single line break becomes <br />',
  renderContent,
  [
    ['', ''],
    [' \n ', ''],
    ['Body', '<p>Body</p>\n'],
    ['One.\n\nTwo.', '<p>One.</p>\n<p>Two.</p>\n'],
    ['One.\r\n \r\n\r\nTwo.\r\n', '<p>One.</p>\n<p>Two.</p>\n'],
    ['a  \nb', '<p>a<br />\nb</p>\n'],
    ['a<br>\nb<br><br/>c', '<p>a<br />\nb</p>\n<p>c</p>\n'],
    ['a <a\nhref="x">b</a>', '<p>a <a\nhref="x">b</a></p>\n'],
  ],
);

rule('classic text: block elements are not wrapped and stand on their own lines', renderContent, [
  ['<p>Hi</p>', '<p>Hi</p>\n'],
  ['<h2>T</h2>\ntext', '<h2>T</h2>\n<p>text</p>\n'],
  ['<div>\ntext\n</div>', '<div>\ntext\n</div>\n'],
  ['<div><p>x</p></div>', '<div>\n<p>x</p>\n</div>\n'],
  ['<div>a\n\nb</div>', '<div>a</p>\n<p>b</p></div>\n'],
  ['<h2>T</h2> text', '<h2>T</h2>\n<p> text</p>\n'],
  ['<ul>\n<li>a</li>\n<li>b</li>\n</ul>', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n'],
  ['<table><tr><td>a</td></tr></table>', '<table>\n<tr>\n<td>a</td>\n</tr>\n</table>\n'],
  ['a<hr />b', '<p>a</p>\n<hr />\n<p>b</p>\n'],
  ['<p>a\n\nb</p>', '<p>a</p>\n<p>b</p>\n'],
  ['<p></p>', ''],
]);

rule('classic text: a block quotation takes a paragraph', renderContent, [
  ['<blockquote>a</blockquote>', '<blockquote><p>a</p></blockquote>\n'],
  ['<blockquote>a\n\nb</blockquote>', '<blockquote><p>a</p>\n<p>b</p></blockquote>\n'],
]);

rule(
  'classic text: preformatted text, styles, scripts and media keep their line breaks',
  renderContent,
  [
    ['<pre>a\n\n"b"</pre>\nx', '<pre>a\n\n"b"</pre>\n<p>x</p>\n'],
    ['<style>a\n\nb</style>', '<style>a\n\nb</style>\n'],
    ['x <script>a\n\nb</script>', '<p>x <script>a\n\nb</script></p>\n'],
    ['<video>\n<source src="a">\n</video>', '<p><video>\n<source src="a">\n</video></p>\n'],
  ],
);

rule('the more and page markers are kept literally', renderContent, [
  ['a\n\n<!--more-->\n\nb', '<p>a</p>\n<p><!--more--></p>\n<p>b</p>\n'],
  ['<!-- wp:more -->\n<!--more-->\n<!-- /wp:more -->', '\n<!--more-->\n'],
  ['<!-- wp:nextpage -->\n<!--nextpage-->\n<!-- /wp:nextpage -->', '\n<!--nextpage-->\n'],
]);

rule('blocks lose their delimiters, keep their line breaks and are typographic', renderContent, [
  [
    '<!-- wp:paragraph -->\n<p>Body of Apple number 1, it\'s "quoted" & more.</p>\n<!-- ' +
      '/wp:paragraph -->',
    '\n<p>Body of Apple number 1, it&#8217;s &#8220;quoted&#8221; &#038; more.</p>\n',
  ],
  [
    '<!-- wp:paragraph -->\n<p>a</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:core/paragraph ' +
      '{"a":{"b":1}} -->\n<p>b</p>\n<!-- /wp:core/paragraph -->',
    '\n<p>a</p>\n\n\n\n<p>b</p>\n',
  ],
  [
    '<!-- wp:group --><div><!-- wp:my/map {"z":1} /--></div><!-- /wp:group -->',
    '<div class="is-layout-flow wp-block-group-is-layout-flow">' +
      '<div class="wp-block-group__inner-container"></div></div>',
  ],
]);

rule('headings and lists get their class when the markup lacks it', renderContent, [
  [
    '<!-- wp:heading --><h2 id="a">A</h2><!-- /wp:heading -->',
    '<h2 class="wp-block-heading" id="a">A</h2>',
  ],
  [
    "<!-- wp:heading --><h2 class='b'>A</h2><!-- /wp:heading -->",
    "<h2 class='b wp-block-heading'>A</h2>",
  ],
  [
    '<!-- wp:heading --><h2 class=b>A</h2><!-- /wp:heading -->',
    '<h2 class="b wp-block-heading">A</h2>',
  ],
  [
    '<!-- wp:heading --><h2 class="wp-block-heading">A</h2><!-- /wp:heading --><h3>B</h3>',
    '<h2 class="wp-block-heading">A</h2><h3>B</h3>',
  ],
  [
    '<!-- wp:list --><ul><!-- wp:list-item --><li>a<!-- wp:list --><ol></ol><!-- /wp:list ' +
      '--></li><!-- /wp:list-item --></ul><!-- /wp:list -->',
    '<ul class="wp-block-list"><li>a<ol class="wp-block-list"></ol></li></ul>',
  ],
]);

rule(
  'text outside of all blocks stands as it is: content with blocks is not made into paragraphs',
  renderContent,
  [['a\nb<!-- wp:paragraph --><p>c</p><!-- /wp:paragraph -->\n\nd', 'a\nb<p>c</p>\n\nd']],
);

rule('a delimiter that is none is left as a comment', renderContent, [
  ['<!-- wp:Paragraph --><b>a</b>', '<!-- wp:Paragraph --><b>a</b>'],
  ['<!-- wp:paragraph nonsense -->a', '<!-- wp:paragraph nonsense -->a'],
]);

test('content is of version 1 when it holds blocks, else of version 0', () => {
  expect(blockVersion('<!-- wp:paragraph -->\n<p>a</p>\n<!-- /wp:paragraph -->')).toBe(1);
  expect(blockVersion('<p>a</p><!--more-->')).toBe(0);
});

test('an explicit excerpt is typographic and in paragraphs, whatever the content', () => {
  expect(renderExcerpt('Short.', 'Content')).toBe('<p>Short.</p>\n');
  expect(renderExcerpt('"a"\n\nb', '', 1)).toBe('<p>&#8220;a&#8221;</p>\n<p>b</p>\n');
});

test('an automatic excerpt has the first words of the content, 55 by default', () => {
  const content = `<p>${Array.from({ length: 56 }, (_, index) => `w${index}`).join(' ')}</p>`;
  expect(renderExcerpt('', content)).toMatch(/^<p>w0 w1 .* w54 \[&hellip;\]<\/p>\n$/);
  expect(renderExcerpt('', '<p>One two three four.</p>', 3)).toBe(
    '<p>One two three [&hellip;]</p>\n',
  );
  expect(renderExcerpt('', '<p>One two three four.</p>', 4)).toBe('<p>One two three four.</p>\n');
});

test('an automatic excerpt of no or fewer words is the ellipsis alone, of empty content ""', () => {
  for (const words of [0, -1])
    expect(renderExcerpt('', 'One two', words)).toBe('<p> [&hellip;]</p>\n');
  for (const content of ['', ' \n', '<p></p>', '<img src="a">', '<!-- wp:spacer /-->']) {
    for (const words of [55, 0]) expect(renderExcerpt('', content, words)).toBe('');
  }
});

rule(
  'an automatic excerpt ends at the more or page marker',
  (content) => renderExcerpt('', content),
  [
    ['a b<!--more-->c', '<p>a b</p>\n'],
    ['a b<!--more Go on-->c', '<p>a b</p>\n'],
    ['a b\n<!--nextpage-->\nc', '<p>a b</p>\n'],
  ],
);

rule('an automatic excerpt shows text alone', (content) => renderExcerpt('', content), [
  ['<p>a <b>b</b>c</p><p>d<br>e</p>', '<p>a bc d e</p>\n'],
  ['<style>p {}</style>a<script>b</script><!-- c -->', '<p>a</p>\n'],
  [`<!-- wp:paragraph -->\n<p>it's</p>\n<!-- /wp:paragraph -->`, '<p>it&#8217;s</p>\n'],
  [
    '<!-- wp:code --><pre>x</pre><!-- /wp:code --><!-- wp:group --><!-- wp:list ' +
      '--><ul><li>a</li></ul><!-- /wp:list --><!-- /wp:group -->',
    '<p>a</p>\n',
  ],
  ['<<b>script>a', '<p>&lt;script>a</p>\n'],
  ['a < b', '<p>a < b</p>\n'],
  ['<code>if (a < b) "c"</code>', '<p>if (a < b) &#8220;c&#8221;</p>\n'],
]);

test('rendering never throws, and rendered classic text keeps its words', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: fc.constantFrom(...'<>!-/"\'= \n&;[]abpx9') }),
      (a, b) => {
        for (const raw of [a, b, a + b, `<!-- wp:${b} -->${a}`]) {
          for (const render of [renderTitle, renderContent])
            expect(typeof render(raw)).toBe('string');
          renderExcerpt('', raw);
          renderExcerpt(raw, '');
        }
      },
    ),
  );
  fc.assert(
    fc.property(
      fc.array(
        fc.array(fc.array(fc.stringMatching(/^[a-z]{1,5}$/), { minLength: 1 }), { minLength: 1 }),
      ),
      (paragraphs) => {
        const raw = paragraphs
          .map((rows) => rows.map((row) => row.join(' ')).join('\n'))
          .join('\n\n');
        const rendered = paragraphs
          .map((rows) => `<p>${rows.map((row) => row.join(' ')).join('<br />\n')}</p>\n`)
          .join('');
        expect(renderContent(raw)).toBe(rendered);
      },
    ),
  );
});

test('an automatic excerpt of fewer words is cut from the stored one', () => {
  const word = fc.constantFrom(
    'a',
    'b.',
    '"c"',
    '<b>d</b>',
    '[&hellip;]',
    '...',
    '\n\n',
    '<!-- wp:paragraph --><p>e</p><!-- /wp:paragraph -->',
  );
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 120 }),
      fc.integer({ min: -1, max: 55 }),
      (words, length) => {
        const content = words.join(' ');
        expect(shortened(renderExcerpt('', content), length)).toBe(
          renderExcerpt('', content, length),
        );
      },
    ),
  );
});

test('an automatic excerpt has no marks of footnotes, and nothing behind CDATA that does not end', () => {
  const mark = '<sup data-fn="a-1" class="fn"><a href="#a-1" id="a-1-link">1</a></sup>';
  expect(renderExcerpt('', `One${mark}. Two`)).toBe('<p>One. Two</p>\n');
  expect(renderExcerpt('', 'Before ]]> after <![CDATA[ x ]]> & end')).toBe(
    '<p>Before ]]&gt; after</p>\n',
  );
});
