import { createHash } from 'node:crypto';
import type {
  Insets,
  ReferredMedium,
} from '../../../../src/domains/content/rendering/references.js';
import { namedIn } from '../../../../src/domains/content/rendering/references.js';
import {
  renderContent,
  renderExcerpt,
} from '../../../../src/domains/content/rendering/rendering.js';

const AT = 'https://clinic.example/wp-content/uploads/2020/01/';

function picture(id: number, width = 1200, height = 800, more: Partial<ReferredMedium> = {}) {
  const file = (name: string, w: number, h: number, suffix = `-${w}x${h}`) => ({
    ...{ name, url: `${AT}p${id}${suffix}.png`, width: w, height: h, mimeType: 'image/png' },
  });
  return {
    ...{ id, title: `Picture ${id}`, slug: `p${id}`, caption: '', altText: '', isImage: true },
    ...{ link: `https://clinic.example/p${id}/`, createdAt: id, modifiedAt: -id },
    whole: file('', width, height, ''),
    sizes: [
      file('medium', 300, (300 * height) / width),
      file('large', 1024, Math.round((1024 * height) / width)),
      file('thumbnail', 150, 150),
    ],
    ...more,
  } satisfies ReferredMedium;
}

function show(raw: string, media: readonly ReferredMedium[] = [], insets: Insets = {}): string {
  return renderContent(raw, '', {
    itemId: 360,
    media: new Map(media.map((one) => [one.id, one])),
    attached: new Map([[360, media.map(({ id }) => id)]]),
    siteUrl: 'https://clinic.example',
    insets,
  });
}

/** Numbers of the pictures that a gallery shows, in its order. */
const shownIn = (raw: string, media: readonly ReferredMedium[]) =>
  [...show(raw, media).matchAll(/<a href='https:\/\/clinic.example\/p(\d+)\/'>/g)].map((found) =>
    Number(found[1]),
  );

const thumbnail = (id: number, more = '') =>
  `<img loading="lazy" decoding="async" width="150" height="150" src="${AT}p${id}-150x150.png" ` +
  `class="attachment-thumbnail size-thumbnail" alt=""${more} />`;

describe('A gallery', () => {
  it('shows the pictures of its ids in their order, with captions, in rows', () => {
    const media = [picture(5, 400, 600, { caption: 'It\'s "me"' }), picture(6)];
    const html = show('[gallery ids="6,5,7" columns="2"]\n\nText.', media);
    const [style, body] = html.split('</style>');
    expect(style).toContain('#gallery-1 .gallery-item {\n\t\t\t\tfloat: left;');
    expect(style).toContain('width: 50%;');
    expect(body).toBe(
      "\n\t\t<div id='gallery-1' class='gallery galleryid-360 gallery-columns-2 gallery-size-thumbnail'>" +
        "<dl class='gallery-item'>\n\t\t\t<dt class='gallery-icon landscape'>\n\t\t\t\t" +
        `<a href='https://clinic.example/p6/'>${thumbnail(6)}</a>\n\t\t\t</dt></dl>` +
        "<dl class='gallery-item'>\n\t\t\t<dt class='gallery-icon portrait'>\n\t\t\t\t" +
        `<a href='https://clinic.example/p5/'>${thumbnail(5, ' aria-describedby="gallery-1-5"')}</a>\n\t\t\t</dt>` +
        "\n\t\t\t\t<dd class='wp-caption-text gallery-caption' id='gallery-1-5'>" +
        '\n\t\t\t\tIt&#8217;s &#8220;me&#8221;\n\t\t\t\t</dd></dl><br style="clear: both" />' +
        '\n\t\t</div>\n\n<p>Text.</p>\n',
    );
  });

  it('ends a row that is not full', () => {
    expect(show('[gallery ids="5"]', [picture(5)])).toMatch(
      /<\/dl>\n\t\t\t<br style='clear: both' \/>\n\t\t<\/div>\n/,
    );
    expect(show('[gallery ids="5" columns="0"]', [picture(5)])).not.toContain('<br');
  });

  it('shows the pictures that are attached to its item without ids, and not those that it excludes', () => {
    const media = [picture(7), picture(5), picture(6, 10, 10, { isImage: false })];
    expect(shownIn('[gallery]', media)).toStrictEqual([5, 7]);
    expect(shownIn('[gallery exclude="5"]', media)).toStrictEqual([7]);
    expect(shownIn('[gallery include="7, 5"]', media)).toStrictEqual([5, 7]);
    expect(show('a [gallery ids="99"] b', media)).toBe('<p>a  b</p>\n');
  });

  it('is in the order that it asks for', () => {
    const media = [picture(5), picture(6, 9, 9, { title: 'Äpfel' }), picture(7)];
    expect(shownIn('[gallery orderby="ID" order="DESC"]', media)).toStrictEqual([7, 6, 5]);
    expect(shownIn('[gallery ids="7,6,5" orderby="title"]', media)).toStrictEqual([6, 5, 7]);
    expect(shownIn('[gallery orderby="modified"]', media)).toStrictEqual([7, 6, 5]);
    expect(shownIn('[gallery orderby="nothing known" order="desc"]', media)).toStrictEqual([
      7, 6, 5,
    ]);
    expect(shownIn('[gallery orderby="menu_order ID"]', media)).toStrictEqual([5, 6, 7]);
  });

  it('links to the page or the file of a picture, or to nothing', () => {
    const one = [picture(5)];
    expect(show('[gallery ids="5" link="file"]', one)).toContain(`<a href='${AT}p5.png'><img`);
    expect(show('[gallery ids="5" link="none"]', one)).not.toContain('<a ');
  });

  it('shows a size with its renditions, and the file itself where it has none of that name', () => {
    expect(show('[gallery ids="5" size="medium" link="none"]', [picture(5)])).toContain(
      `<img loading="lazy" decoding="async" width="300" height="200" src="${AT}p5-300x200.png" ` +
        'class="attachment-medium size-medium" alt="" ' +
        `srcset="${AT}p5-300x200.png 300w, ${AT}p5-1024x683.png 1024w, ${AT}p5.png 1200w" ` +
        'sizes="auto, (max-width: 300px) 100vw, 300px" />',
    );
    const bare = picture(5, 1200, 800, { sizes: [] });
    expect(show('[gallery ids="5" size="medium"]', [bare])).toContain(
      `width="300" height="200" src="${AT}p5.png"`,
    );
    expect(show('[gallery ids="5" size="full"]', [bare])).toContain('width="1200" height="800"');
  });

  it('is made of the elements that it asks for, if an author may use them', () => {
    const html = show('[gallery ids="5" itemtag="figure" icontag="div" captiontag="script"]', [
      picture(5, 1, 1, { caption: 'c' }),
    ]);
    expect(html).toContain("<figure class='gallery-item'>");
    expect(html).toContain("<div class='gallery-icon landscape'>");
    expect(html).toContain("<dd class='wp-caption-text");
  });

  it('counts within its content, and is in no excerpt', () => {
    expect(show('[gallery ids="5"]\n\n[gallery ids="5"]', [picture(5)])).toContain(
      "id='gallery-2'",
    );
    expect(renderExcerpt('', '[gallery ids="5"]\n\nText.')).toBe('<p>Text.</p>\n');
  });
});

describe('A picture of a medium', () => {
  const tag = (more: string) => `<p><img ${more} class="wp-image-5"/></p>`;

  it('gets its size and its renditions', () => {
    const tall = picture(5, 2560, 1700);
    const srcset = `${AT}p5.png 2560w, ${AT}p5-300x199.21875.png 300w, ${AT}p5-1024x680.png 1024w`;
    expect(show(tag(`src="${AT}p5.png" alt="A"`), [tall])).toBe(
      `<p><img loading="lazy" decoding="async" width="2560" height="1700" src="${AT}p5.png" alt="A" class="wp-image-5" ` +
        `srcset="${srcset}" sizes="auto, (max-width: 2560px) 100vw, 2560px" /></p>\n`,
    );
  });

  it('keeps the size that it has, and the renditions', () => {
    expect(show(tag(`width="600" height="400" src="${AT}p5.png"`), [picture(5)])).toContain(
      `srcset="${AT}p5.png 1200w, ${AT}p5-300x200.png 300w, ${AT}p5-1024x683.png 1024w" ` +
        'sizes="auto, (max-width: 600px) 100vw, 600px" />',
    );
    const own = tag(`src="${AT}p5.png" width="1" height="1" srcset="x 1w" sizes="10px"`);
    expect(show(own, [picture(5)])).toContain('srcset="x 1w" sizes="auto, 10px"');
    expect(show(tag(`src="${AT}p5.png" style="width: 60px;"`), [picture(5)])).toContain(
      'width="60" height="40"',
    );
  });

  it('is offered no files of another shape, and no files at all where its own is unknown', () => {
    expect(show(tag(`src="${AT}p5-150x150.png"`), [picture(5)])).toBe(
      `<p><img loading="lazy" decoding="async" width="150" height="150" src="${AT}p5-150x150.png" class="wp-image-5"/></p>\n`,
    );
    expect(show(tag('src="https://other.example/x.png"'), [picture(5)])).toBe(
      '<p><img decoding="async" src="https://other.example/x.png" class="wp-image-5"/></p>\n',
    );
  });

  it('has its number where it stands in a block of a gallery', () => {
    const raw =
      '<!-- wp:gallery --><figure class="wp-block-gallery"><!-- wp:image {"id":5} -->' +
      '<figure><img src="/x.png" alt=""/></figure><!-- /wp:image --></figure><!-- /wp:gallery -->';
    expect(show(raw + raw)).toContain(
      '<figure class="wp-block-gallery wp-block-gallery-2 is-layout-flex wp-block-gallery-is-layout-flex">' +
        '<figure><img decoding="async" data-id="5" src="/x.png" alt=""/></figure></figure>',
    );
  });
});

describe('An embed that the original has kept', () => {
  const FILM = '<iframe title="Film" width="500" height="281" src="https://v.example/7"></iframe>';
  const LAZY = FILM.replace('<iframe', '<iframe loading="lazy"');
  const key = (url: string, size = 'i:500;s:6:"height";i:750;') =>
    createHash('md5').update(`${url}a:2:{s:5:"width";${size}}`).digest('hex');
  const url = 'https://v.example/watch?v=7&t=1';
  const insets = { embeds: { [key(url)]: FILM } };

  it('takes the place of its address on a line or in a paragraph of its own', () => {
    expect(show(`Before\n\n${url}\n\nAfter ${url}`, [], insets)).toBe(
      `<p>Before</p>\n<p>${LAZY}</p>\n<p>After https://v.example/watch?v=7&#038;t=1</p>\n`,
    );
    expect(show(`<p>${url.replace('&', '&amp;')}</p>`, [], insets)).toBe(`<p>${LAZY}</p>\n`);
    const block = `<!-- wp:embed {"url":"x"} --><figure><div>\n${url}\n</div></figure><!-- /wp:embed -->`;
    expect(show(block, [], insets)).toBe(`<figure><div>\n${LAZY}\n</div></figure>`);
  });

  it('takes the place of its shortcode, of the size that this asks for', () => {
    const sized = { embeds: { [key(url, 's:3:"400";s:6:"height";i:750;')]: FILM } };
    expect(show(`[embed width="400"]${url}[/embed]`, [], sized)).toBe(`<p>${LAZY}</p>\n`);
    expect(show(`[embed]${url}[/embed]`, [], insets)).toBe(`<p>${LAZY}</p>\n`);
    expect(show(`[embed]${url}[/embed]`, [], sized)).toContain('<a href="https://v.example/watch');
  });

  it('is none in a tag, and without one an address stays', () => {
    expect(show(`<a\nhref="\n${url}\n">x</a>`, [], insets)).not.toContain('iframe');
    expect(show('https://other.example/', [], insets)).toBe('<p>https://other.example/</p>\n');
  });
});

describe('A reused block', () => {
  const text = (words: string) => `<!-- wp:paragraph --><p>${words}</p><!-- /wp:paragraph -->`;
  const reuse = (id: number) => `<!-- wp:block {"ref":${id}} /-->`;

  it('shows its content, also in another one, but not within itself', () => {
    const blocks = { 1: `${text('one')}${reuse(2)}`, 2: `${text('two')}${reuse(1)}` };
    expect(show(`${reuse(1)}|${reuse(2)}|${reuse(3)}`, [], { blocks })).toBe(
      '<p>one</p><p>two</p>|<p>two</p><p>one</p>|',
    );
  });

  it('shows a text of some length and no more', () => {
    const blocks = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [i, `${text('x')}${reuse(i + 1)}${reuse(i + 1)}`]),
    );
    expect(show(reuse(0), [], { blocks }).length).toBeLessThan(2 ** 20);
  });

  it('names the media of its content', () =>
    expect(
      namedIn(reuse(1), 360, { blocks: { 1: '[gallery id="9" ids="5, 6"] wp-image-7' } }),
    ).toStrictEqual({ media: [7, 5, 6], items: [9] }));
});
