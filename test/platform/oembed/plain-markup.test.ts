import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { safeHtml } from '../../../src/platform/oembed/safe-html.js';
import { ATTACKS } from './attacks.js';

const ELEMENTS = new Set(
  (
    'a audio b blockquote br cite code div em figcaption figure i iframe img li ol p small ' +
    'source span strong ul video'
  ).split(' '),
);
const RUNS = Number(process.env.PROPERTY_RUNS ?? 2_000);

/** Returns what of HTML is neither a listed element nor a harmless attribute of one. */
function suspect(html: string): string[] {
  const found: string[] = [];
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (!ELEMENTS.has(name)) found.push(name);
      for (const [attribute, value] of Object.entries(attributes)) {
        if (/^on|^style$|^srcdoc$|^(?:form)?action$|^ping$|^id$|^name$/.test(attribute))
          found.push(attribute);
        if (/^(?:src|href|cite|poster)$/.test(attribute) && !isHarmless(value)) found.push(value);
      }
    },
    oncomment: () => found.push('comment'),
    onprocessinginstruction: (name) => found.push(name),
  });
  parser.end(html);
  return found;
}

/** An address of the web, or one within the site. */
const isHarmless = (address: string) =>
  /^https?:\/\//i.test(address) || !/^[^/?#]*:/.test(address.replace(/[\0-\x20]/g, ''));

describe('HTML of another site', () => {
  it('has no element and no attribute that could run, whatever it is made of', () => {
    expect(ATTACKS.length).toBeGreaterThanOrEqual(220);
    const through = ATTACKS.flatMap((html) => {
      const safe = safeHtml(html, 'listed').html;
      const found = suspect(safe);
      return found.length > 0 ? [`${html.slice(0, 100)} -> ${safe.slice(0, 200)}: ${found}`] : [];
    });
    expect(through).toStrictEqual([]);
  });

  it('has nothing left to take out when it was sanitised', () => {
    const part = fc.constantFrom(
      ...ATTACKS.map((html) => html.slice(0, 300)),
      ...['<p>', '</p>', '<!--', '-->', '"', "'", '>', '<', '=', 'x', '&lt;', '<a href=', '</xmp>'],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const safe = safeHtml(parts.join(''), 'listed').html;
        expect(suspect(safe), safe).toStrictEqual([]);
        expect(safeHtml(safe, 'listed').html).toBe(safe);
      }),
      { numRuns: RUNS },
    );
  });

  it('keeps text, links, images and frames', () => {
    expect(
      safeHtml(
        '<p>A &amp; <b>b</b> <a href="https://a.example">c</a><img src="/x.png"></p>',
        'listed',
      ).html,
    ).toBe(
      '<p>A &amp; <b>b</b> <a href="https://a.example" rel="noopener nofollow">c</a><img src="/x.png" /></p>',
    );
    expect(safeHtml('<iframe src="https://a.example/1">no</iframe>', 'listed').html).toContain(
      '<iframe src="https://a.example/1" sandbox=',
    );
  });
});
