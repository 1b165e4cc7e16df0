import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import {
  renderContent,
  renderExcerpt,
  renderTitle,
} from '../../../../src/domains/content/rendering/rendering.js';
import {
  sanitiseFootnotes,
  sanitiseHtml,
  sanitiseName,
  sanitiseTitle,
} from '../../../../src/domains/content/rendering/sanitise.js';

const rule = (name: string, examples: readonly (readonly [raw: string, kept: string])[]) =>
  test(name, () => {
    for (const [raw, kept] of examples) expect(sanitiseHtml(raw)).toBe(kept);
  });

const unchanged = (name: string, examples: readonly string[]) =>
  rule(
    name,
    examples.map((raw) => [raw, raw] as const),
  );

unchanged('what an author may write is stored as typed', [
  'It\'s "quoted" \\ back\\\\slashed & more; a < b, 3 > 2, <3, &amp; &hellip; &nosemicolon',
  '<!-- wp:image {"id":1,"alt":"a \\u0026 b"} -->\n<figure class="wp-block-image"><img ' +
    'src="/a.png" alt="it\'s" width=10 /></figure>\n<!-- /wp:image -->',
  'a<!--more-->b<!--nextpage-->c<!-- remark -->',
  '<a href="https://x.example/?a=1&b=2#c" target="_blank" rel=\'noopener\'>a</a> <A ' +
    'HREF="/x">b</A>',
  '<a href="mailto:a@b.example">a</a><a href="tel:+49">b</a>',
  '<p style="color: red;text-align:center;" data-id="1" aria-label="x" id="a">a</p>',
  '<div style="background-image:url(https://x.example/a.png);width:calc(100% - (2 * 1px))">a</div>',
  '<ul><li>a<li>b</ul><table><tr><td colspan="2">c</td></tr></table><br><hr/>',
  '<video controls src="/a.mp4" poster="/a.png"><track src="/a.vtt" kind="captions"></video>',
  '</p>unbalanced</div><b>',
]);

rule('scripts, frames, forms, styles and foreign elements go, their text stays', [
  ['<script>alert(1)</script>', 'alert(1)'],
  ['<SCRIPT\n>alert(1)</SCRIPT\t>', 'alert(1)'],
  [
    'a<iframe src="//x">b</iframe><style>c</style><textarea>d</textarea><form ' +
      'action=x><input>e</form>',
    'abcde',
  ],
  [
    '<svg><style><img title="</style><img src onerror=x>"></style></svg>',
    '<img title="&lt;/style&gt;&lt;img src onerror=x&gt;" />',
  ],
  ['<math><mi xlink:href="javascript:x">a</mi></math>', 'a'],
  [
    '<noscript><p title="</noscript><img src=x onerror=x>">',
    '<p title="&lt;/noscript&gt;&lt;img src=x onerror=x&gt;">',
  ],
]);

rule('event attributes and unknown ones go, the element stays', [
  ['<b onclick="x()" class="a">b</b>', '<b class="a">b</b>'],
  ['<img src=x onerror=alert(1)>', '<img src="x" />'],
  ['<b/onclick=x>a</b>', '<b>a</b>'],
  ['<b\nonclick\n=\nx>a</b>', '<b>a</b>'],
  ['<b ="a" "onclick=x" formaction=y srcset=z>a</b>', '<b>a</b>'],
  ['<b title="a"onclick="b">a</b>', '<b title="a">a</b>'],
  ['</b onclick=x>', '</b>'],
  ['<a href=""onerror=>a</a>', '<a href>a</a>'],
  ['<b onclick="" class="a">a</b>', '<b class="a">a</b>'],
]);

for (const address of [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' \u0001javascript:alert(1)',
  'java\nscript:alert(1)',
  'java&#10;script:alert(1)',
  '&#106;avascript:alert(1)',
  '&#106avascript:alert(1)',
  '&#x6a;avascript:alert(1)',
  'javascript&colon;alert(1)',
  'java&Tab;script:alert(1)',
  'vbscript:x',
  'data:text/html,x',
  'blob:x',
  'java<!-- -->script:alert(1)',
  'java\0script:alert(1)',
]) {
  test(`an address that runs something goes: ${JSON.stringify(address)}`, () => {
    expect(sanitiseHtml(`<a href="${address}">a</a>`)).not.toMatch(/script|data|blob/i);
    expect(sanitiseHtml(`<img src='${address}'>`)).not.toMatch(/script|data|blob/i);
    expect(sanitiseHtml(`<video poster="/ok" poster="${address}" src="${address}">`)).not.toMatch(
      /script|data:|blob/i,
    );
  });
}

rule('a forbidden scheme goes, the rest of the address stays', [
  ['<a href="javascript:x">a</a>', '<a href="x">a</a>'],
  ['<img src="data:image/png;base64,AA">', '<img src="image/png;base64,AA" />'],
  ['<q cite="vbscript: x">a</q>', '<q cite="x">a</q>'],
  ['<a href="&#106;ava&#10;script&colon;alert(1)">a</a>', '<a href="alert(1)">a</a>'],
  [
    '<a href="javascript:data:https://x.example/?a=1">a</a>',
    '<a href="https://x.example/?a=1">a</a>',
  ],
  [`<a href="${'x:'.repeat(50)}y">a</a>`, '<a>a</a>'],
  ['<a href="/a:b?c:d#e:f">a</a>', '<a href="/a:b?c:d#e:f">a</a>'],
]);

test('a name keeps its text, on one line, and no element', () => {
  expect(sanitiseName(' <b onclick=x>Sleep</b>\n &amp; <script>rest</script> ')).toBe(
    'Sleep &amp; rest',
  );
  expect(sanitiseName('5 < 6 <3')).toBe('5 < 6 <3');
  expect(sanitiseName('<<b>img src=x onerror=y>')).toBe('&lt;img src=x onerror=y>');
  expect(sanitiseName('<i></i>')).toBe('');
});

test('footnotes keep ids and sanitised contents, and are nothing when they are no list of them', () => {
  const notes = [
    { id: 'A-1 <b>', content: '<b onclick="x()">see</b> <script>y</script>', more: 1 },
    { id: '', content: 'a' },
    { id: 'b' },
    null,
  ];
  expect(sanitiseFootnotes(JSON.stringify(notes))).toBe('[{"id":"a-1b","content":"<b>see</b> y"}]');
  for (const json of ['<script>x</script>', '5', '"x"', 'null', '['])
    expect(sanitiseFootnotes(json), json).toBe('');
});

rule('style declarations that load or run something go', [
  ['<p style="background:url(javascript:x);color:red">', '<p style="color:red">'],
  ['<p style="width:expression(alert(1))">', '<p>'],
  ['<p style="position:fixed;inset:0">', '<p>'],
  ['<p style="background:u\\72l(x)">', '<p>'],
  ['<p style="color:red;background:u&#114l(javascript:x)">', '<p style="color:red">'],
  ['<p style="background:url(\'data:x\')">', '<p>'],
]);

rule('no comment trick smuggles a tag', [
  ['<!-- <script>a</script> -->b', 'b'],
  ['<!--><img src=x onerror=y>-->', '<img src="x" />-->'],
  ['<!---><img src=x onerror=y>-->', '<img src="x" />-->'],
  ['<!-- a --!><img src=x onerror=y> -->', ''],
  ['<!-- wp:paragraph {"a":"--><script>b</script>"} -->', '<!-- wp:paragraph {"a":"-->b"} -->'],
  ['<!--[if IE]><script>a</script><![endif]-->', ''],
  ['<!-- wp:a', '&lt;!-- wp:a'],
  ['<!doctype html><?php x ?></ x>a', 'a'],
  ['<![CDATA[<b onclick=x>]]>', ']]>'],
]);

rule('what is removed leaves no tag behind', [
  ['<<script>b onclick=x>', '&lt;b onclick=x>'],
  ['<scr<script>ipt>a', '&lt;script>a'],
  ['<a <b onclick=x>', '&lt;a <b>'],
  ['<<!-- < -->script>', '&lt;script>'],
  ['<\0script>a</script>', 'a'],
  ['<b title="a', '&lt;b title="a'],
  ['a <', 'a &lt;'],
]);

test('a title keeps inline elements alone', () => {
  expect(sanitiseTitle('<p>a <em class="x">b</em></p><!-- c --><img src="d">')).toBe(
    'a <em class="x">b</em>',
  );
  expect(sanitiseTitle('AT&T "x" <script>y</script>')).toBe('AT&T "x" y');
});

const word = fc.stringMatching(/^[a-z "'&;.\\éж]{0,12}$/);
const attribute = fc.tuple(
  fc.constantFrom('class', 'id', 'title', 'data-a', 'aria-b'),
  fc.stringMatching(/^[a-z &;'.]{0,8}$/),
);
const cleanHtml: fc.Arbitrary<string> = fc.letrec<{ node: string; list: string }>((tie) => ({
  list: fc.array(tie('node'), { maxLength: 4 }).map((nodes) => nodes.join('')),
  node: fc.oneof(
    { maxDepth: 4 },
    word,
    fc.constantFrom(
      '<br />',
      '<hr>',
      '<!--more-->',
      '<!-- wp:list {"a":"b"} -->',
      '<!-- /wp:list -->',
      '<img src="/a" alt="b" />',
    ),
    fc
      .tuple(
        fc.constantFrom('p', 'b', 'ul', 'li', 'h2', 'td', 'figure', 'code'),
        fc.option(attribute),
        tie('list'),
      )
      .map(
        ([name, given, inner]) =>
          `<${name}${given ? ` ${given[0]}="${given[1]}"` : ''}>${inner}</${name}>`,
      ),
  ),
})).list;

test('clean HTML is stored as typed', () => {
  fc.assert(fc.property(cleanHtml, (html) => expect(sanitiseHtml(html)).toBe(html)));
});

const fragment = fc.constantFrom(
  ...[
    '<',
    '>',
    '</',
    '/>',
    '<!--',
    '-->',
    '--!>',
    '<!',
    '<?',
    '"',
    "'",
    '=',
    ' ',
    '\n',
    '\0',
    '&',
    '&#106',
    '&lt;',
    ';',
    '-',
    '`',
  ],
  ...[
    'script',
    'style',
    'svg',
    'math',
    'img',
    'a',
    'b',
    'p',
    'title',
    'textarea',
    'onerror=',
    'href=',
    'src=',
    'style=',
    'class=',
  ],
  ...[
    'javascript:',
    'alert(1)',
    'wp:a',
    'x',
    '<b>',
    '</b>',
    '<img src=x onerror=y>',
    '<a href="',
    '<script>',
    '</script>',
    '<p title="',
  ],
);
const hostile = fc
  .array(fc.oneof({ weight: 9, arbitrary: fragment }, fc.string({ unit: 'binary', maxLength: 3 })))
  .map((all) => all.join(''));

test('sanitising twice changes nothing more', () => {
  fc.assert(
    fc.property(hostile, (raw) => {
      for (const sanitise of [sanitiseHtml, sanitiseTitle])
        expect(sanitise(sanitise(raw))).toBe(sanitise(raw));
    }),
    { numRuns: 2000 },
  );
});

/** What an independent parser reads in a text. */
function parsed(html: string): { names: string[]; attributes: [name: string, value: string][] } {
  const names: string[] = [];
  const attributes: [string, string][] = [];
  const parser = new Parser({
    onopentag(name, given) {
      names.push(name);
      attributes.push(...Object.entries(given));
    },
  });
  parser.end(html);
  return { names, attributes };
}

const shown: ((raw: string) => string)[] = [
  sanitiseHtml,
  (raw) => renderContent(sanitiseHtml(raw)),
  (raw) => renderContent(`<!-- wp:heading -->${sanitiseHtml(raw)}`),
  (raw) => renderExcerpt('', sanitiseHtml(raw)),
  (raw) => renderTitle(sanitiseTitle(raw)),
];

test('hostile text leaves nothing that a browser would run, neither stored nor rendered', () => {
  fc.assert(
    fc.property(fc.constantFrom(...shown), hostile, (show, raw) => {
      const { names, attributes } = parsed(show(raw));
      for (const name of names) expect(name).toMatch(/^(?:a|b|p|img|br)$/);
      for (const [name, value] of attributes) {
        expect(name).toMatch(/^(?:class|decoding|href|loading|src|style|title)$/);
        if (name === 'href' || name === 'src')
          expect(value).not.toMatch(/^[\s\0-\x1f]*(?:javascript:|&#)/i);
      }
    }),
    { numRuns: 3000 },
  );
});
