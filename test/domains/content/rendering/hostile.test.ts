import {
  renderContent,
  renderExcerpt,
  renderTitle,
} from '../../../../src/domains/content/rendering/rendering.js';
import { sanitiseHtml } from '../../../../src/domains/content/rendering/sanitise.js';
import { slugify, sortKey } from '../../../../src/domains/content/rendering/slug.js';

/**
 * `.ci/nightly` takes texts of one MiB, the largest content there is. The limit of a test is never
 * reached in linear time, always in quadratic: all texts together take a small part of it.
 */
const SIZE = process.env.NIGHTLY ? 2 ** 20 : 150_000;

const filled = (unit: string, size = SIZE): string =>
  unit.repeat(Math.ceil(size / unit.length)).slice(0, size);

const UNITS = [
  ...[
    '<',
    '[',
    '"',
    "'",
    '&',
    '-- ',
    '-',
    ' ',
    '\n',
    ' \n',
    '.',
    '1x',
    '&#',
    '%',
    '%d0%bf',
    '\u0301',
    '\ud800',
    '👍',
  ],
  ...[
    '<!--',
    '<!-- wp:',
    '<!-- wp:a ',
    '<!-- wp:a {',
    '<!-- wp:a -->',
    '<!-- /wp:a -->',
    '<!-- wp:gallery -->',
    '<!-- wp:image -->',
    '<!-- wp:image {"id":1} --><img src="x">',
    '<iframe src="',
    '<!--more ',
    '<!',
    '</',
    '<?',
  ],
  ...[
    '<!-- wp:list --><ul><li>',
    '<ul><li>',
    '<b>',
    '<a ',
    '<a x="',
    `<a x='<b y="`,
    '<a href="x">',
    '<script>',
    '<pre>',
    '<video>',
  ],
  ...[
    '[audio src="https://a/x"]',
    '[audio a',
    '[audio a ',
    '[caption width="1"]',
    '[embed]',
    '[gallery ',
    '[gallery ids="1,',
    '[[audio]',
  ],
  ...[
    '<br>\n',
    '<p>',
    '</p>',
    '<blockquote>x\n\n',
    '<p style="',
    '<p style="a:b;c:url(x)">',
    '<code>',
    'one\ntwo\n\n',
  ],
];

const TEXTS: Record<string, string> = {
  ...Object.fromEntries(UNITS.map((unit) => [JSON.stringify(unit), filled(unit)])),
  'delimiters ended once': `${filled('<!-- wp:a {')}-->`,
  'delimiters ended after spaces': `${filled('<!-- wp:a {', SIZE / 2)}${filled(' ', SIZE / 2)}-->`,
  'comments ended once': `${filled('<!--')}-->`,
  'one tag of many attributes': `<a ${Array.from({ length: 100_000 }, (_, index) => `a${index}`).join(' ')}>`,
  'an address of comments': `<a href="${filled('<!---->')}">`,
  'an address of escaped comments': `<a href="${filled('&lt;!----&gt;')}">`,
  'a list of addresses': `<img srcset="${filled('a (')}">`,
  'a style of brackets': `<p style="color:${filled('rgb(')}">`,
  'captions ended once': `${filled('[caption width="1"]<img>')}[/caption]`,
  'captions ended in a tag': `${filled('[caption width="1"]')}<a title="[/caption]">`,
  'many different tags': Array.from({ length: 50_000 }, (_, index) => `<a href="/${index}">`).join(
    '',
  ),
};

const FUNCTIONS: Record<string, (text: string) => string> = {
  renderTitle,
  renderContent,
  renderExcerpt: (text) => renderExcerpt('', text),
  sanitiseHtml,
  slugify,
  sortKey,
};

for (const [name, run] of Object.entries(FUNCTIONS)) {
  test(`${name} takes linear time on hostile text`, () => {
    for (const value of Object.values(TEXTS)) expect(typeof run(value)).toBe('string');
  });
}
