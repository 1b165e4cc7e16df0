import fc from 'fast-check';
import {
  renderContent,
  renderExcerpt,
} from '../../../../src/domains/content/rendering/rendering.js';

const shows = (raw: string, rendered: string) => expect(renderContent(raw)).toBe(rendered);
const summarises = (raw: string, words: string) =>
  expect(renderExcerpt('', raw)).toBe(words && `<p>${words}</p>\n`);

const paragraph = (text: string) => `<!-- wp:paragraph --><p>${text}</p><!-- /wp:paragraph -->`;

test('a delimiter whose attributes never end is a comment', () => {
  const raw =
    '<!-- wp:paragraph {"a": -->\n<p>one</p>\n<!-- wp:group -->\n<div class="wp-block-group"><p>two</p>\n' +
    '<!-- /wp:paragraph -->\n<!-- wp:core/paragraph -->\n<p>three</p>\n<!-- /wp:core/paragraph -->';
  shows(
    raw,
    '<!-- wp:paragraph {"a": -->\n<p>one</p>\n\n<div class="wp-block-group"><p>two</p>\n\n\n<p>three</p>\n',
  );
  summarises(raw, 'one two three');
});

test('attributes end at a brace before white space and the end of a comment', () => {
  shows('<!-- wp:a {"b":"-->"} --><p>one</p><!-- /wp:a -->', '<p>one</p>');
  shows('<!-- wp:a {"b":{"c":1}} /--><p>one</p>', '<p>one</p>');
  shows('<!-- wp:a {"b":1}--><p>one</p>', '<!-- wp:a {"b":1}--><p>one</p>');
  shows('<!-- wp:a {"b":1}--><p>one</p><!-- wp:c {"d":2} /-->', '');
});

test('a closing delimiter that ends nothing makes the rest of the text markup', () =>
  shows(
    `${paragraph('one')}<!-- /wp:group --><p>two</p>${paragraph('three')}`,
    `<p>one</p><!-- /wp:group --><p>two</p>${paragraph('three')}`,
  ));

test('a delimiter that both closes and stands alone is a block of its own', () =>
  shows(`${paragraph('one')}<!-- /wp:more /-->${paragraph('two')}`, '<p>one</p><p>two</p>'));

test('a block that never ends has the rest of the text', () =>
  shows(
    '<p>one</p><!-- wp:heading --><h2>two</h2>',
    '<p>one</p><h2 class="wp-block-heading">two</h2>',
  ));

test('blocks that never end come from the innermost outwards, each with the rest of the text', () =>
  shows(
    'one<!-- wp:html --><div>two<!-- wp:paragraph --><p>three',
    '<div>two<p>threeone<div>two<!-- wp:paragraph --><p>three',
  ));

test('blocks that never end repeat a text of some length and no more', () => {
  const rendered = renderContent('<!-- wp:a --><p>one</p>'.repeat(10_000));
  expect(rendered.match(/one/g)?.length).toBeLessThan(50_000);
});

test('an excerpt shows a block that may hold others whole when it holds none', () => {
  summarises('<!-- wp:group --><div><p>one</p></div><!-- /wp:group -->', 'one');
  summarises(`<!-- wp:group --><div>one${paragraph('two')}</div><!-- /wp:group -->`, 'two');
});

test('an excerpt shows a quote whole, and in a group the texts that the quote holds', () => {
  const quote = `<!-- wp:quote --><blockquote>${paragraph('one')}<cite>two</cite></blockquote><!-- /wp:quote -->`;
  summarises(quote, 'one two');
  summarises(`<!-- wp:group --><div>${quote}</div><!-- /wp:group -->`, 'one');
});

test('a text without delimiters that end it is shown with nothing lost', () => {
  const parts = fc.constantFrom(
    '<!-- wp:group -->',
    '<!-- wp:list {"a":1} -->',
    '<p>',
    'word',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 30 }), (list) => {
      const markup = list.filter((part) => !part.startsWith('<!--'));
      const words = markup.filter((part) => part === 'word').length;
      const rendered = renderContent(`<!-- wp:more /-->${list.join('')}`);
      expect(rendered.match(/word/g)?.length ?? 0).toBeGreaterThanOrEqual(words);
    }),
  );
});

describe('Blocks that hold others', () => {
  const text = '<!-- wp:paragraph -->\n<p>A</p>\n<!-- /wp:paragraph -->';
  const group = (attributes: string, opening = '<div class="wp-block-group">', end = '</div>') =>
    renderContent(`<!-- wp:group${attributes} -->\n${opening}${text}${end}\n<!-- /wp:group -->`);
  const shown = '\n<p>A</p>\n';

  it('have a container within a group, with the classes of its layout', () => {
    expect(group('')).toBe(
      '\n<div class="wp-block-group"><div class="wp-block-group__inner-container is-layout-flow ' +
        `wp-block-group-is-layout-flow">${shown}</div></div>\n`,
    );
    expect(
      group(
        ' {"tagName":"section","layout":{"type":"constrained"}}',
        '<section class="wp-block-group alignwide">',
        '</section>',
      ),
    ).toBe(
      '\n<section class="wp-block-group alignwide"><div class="wp-block-group__inner-container ' +
        `is-layout-constrained wp-block-group-is-layout-constrained">${shown}</div></section>\n`,
    );
    const former = '<div class="wp-block-group"><div class="wp-block-group__inner-container">';
    expect(group('', former, '</div></div>')).toBe(
      '\n<div class="wp-block-group"><div class="wp-block-group__inner-container is-layout-flow ' +
        `wp-block-group-is-layout-flow">${shown}</div></div>\n`,
    );
  });

  it('have none in a row, which has a class by the sum of its style', () => {
    expect(group(' {"layout":{"type":"flex","flexWrap":"nowrap"}}')).toBe(
      '\n<div class="wp-block-group is-nowrap is-layout-flex ' +
        `wp-container-core-group-is-layout-ad2f72ca wp-block-group-is-layout-flex">${shown}</div>\n`,
    );
  });

  it('have the classes of buttons, and no button without a text', () => {
    const button = (label: string) =>
      '<!-- wp:button -->\n<div class="wp-block-button"><a class="wp-block-button__link wp-element-button">' +
      `${label}</a></div>\n<!-- /wp:button -->`;
    const buttons = (attributes: string) =>
      renderContent(
        `<!-- wp:buttons${attributes} -->\n<div class="wp-block-buttons">${button('Go')}${button('')}</div>\n<!-- /wp:buttons -->`,
      );
    const one =
      '\n<div class="wp-block-button"><a class="wp-block-button__link wp-element-button">Go</a></div>\n';
    expect(buttons('')).toBe(
      `\n<div class="wp-block-buttons is-layout-flex wp-block-buttons-is-layout-flex">${one}</div>\n`,
    );
    expect(buttons(' {"layout":{"type":"flex","justifyContent":"center"}}')).toBe(
      '\n<div class="wp-block-buttons is-content-justification-center is-layout-flex ' +
        `wp-container-core-buttons-is-layout-16018d1d wp-block-buttons-is-layout-flex">${one}</div>\n`,
    );
  });

  it('have them at the container within a cover', () => {
    const cover =
      '<div class="wp-block-cover"><span aria-hidden="true" class="wp-block-cover__background"></span>' +
      '<div class="wp-block-cover__inner-container">';
    const raw = `<!-- wp:cover -->\n${cover}${text}</div></div>\n<!-- /wp:cover -->`;
    expect(renderContent(raw)).toBe(
      `\n${cover.slice(0, -2)} is-layout-flow wp-block-cover-is-layout-flow">${shown}</div></div>\n`,
    );
  });

  it('have none in a group that never ends', () => {
    expect(
      renderContent('<!-- wp:group -->\n<div class="wp-block-group"><p>A</p>\n<!-- /wp:group -->'),
    ).toBe('\n<div class="wp-block-group"><p>A</p>\n');
  });
});
