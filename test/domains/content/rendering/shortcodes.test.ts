import fc from 'fast-check';
import {
  renderContent,
  renderExcerpt,
  renderTitle,
} from '../../../../src/domains/content/rendering/rendering.js';
import { runShortcodes } from '../../../../src/domains/content/rendering/shortcodes.js';

const shows = (raw: string, rendered: string) => expect(runShortcodes(raw)).toBe(rendered);

test('a caption is a frame with the picture and the words below it', () => {
  shows(
    '[caption id="attachment_5" align="alignleft" width="300"]<a href="/x"><img src="/a.png" ' +
      'alt="a > b" /></a> My <em>words</em>[/caption]',
    '<div id="attachment_5" style="width: 310px" class="wp-caption alignleft"><a href="/x">' +
      '<img aria-describedby="caption-attachment-5" src="/a.png" alt="a > b" /></a>' +
      '<p id="caption-attachment-5" class="wp-caption-text">My <em>words</em></p></div>',
  );
  shows('[caption]<img src="/a.png"> no width[/caption]', '<img src="/a.png"> no width');
});

test('audio and video are players of addresses of the web', () => {
  shows(
    '[audio src="https://a/x.mp3"]',
    '<audio controls="controls" preload="none" src="https://a/x.mp3"></audio>',
  );
  shows(
    "[video width='640' height='x' mp4='https://a/x.mp4'][/video]",
    '<video controls="controls" preload="metadata" src="https://a/x.mp4" width="640"></video>',
  );
  shows('a [audio src="javascript:alert(1)"] b', 'a  b');
});

test('an embed is a link', () =>
  shows(
    '[embed]https://a/b?c=1&d[/embed]',
    '<a href="https://a/b?c=1&amp;d">https://a/b?c=1&amp;d</a>',
  ));

test('an unknown shortcode, one in a tag, and an escaped one stay text', () => {
  shows('[box size="a"]', '[box size="a"]');
  shows('[audiobook]', '[audiobook]');
  shows('[[audio src="https://a/x.mp3"]]', '[audio src="https://a/x.mp3"]');
  shows(
    `<a title='[audio src="https://a/x.mp3"]'>x</a>`,
    `<a title='[audio src="https://a/x.mp3"]'>x</a>`,
  );
  shows('<!-- [audio src="https://a/x.mp3"] -->', '<!-- [audio src="https://a/x.mp3"] -->');
});

test('content runs them, an automatic excerpt leaves them out', () => {
  expect(renderContent('Before\n\n[audio src="https://a/x.mp3"]')).toBe(
    '<p>Before</p>\n<audio controls="controls" preload="none" ' +
      'src="https://a/x.mp3"></audio>\n',
  );
  expect(
    renderExcerpt('', 'Before [caption width="3"]<img src="/a.png"> words[/caption] after'),
  ).toBe('<p>Before after</p>\n');
});

test('no attribute breaks out of what it makes', () => {
  const nasty = fc.string({
    unit: fc.constantFrom('"', "'", '<', '>', '&', ' ', '=', '/', 'x', ']', '[', 'onerror'),
    maxLength: 12,
  });
  const property = fc.property(nasty, nasty, (a, b) => {
    const html = runShortcodes(
      `[audio src="https://a/${a}"][video src='//${b}' width=${a}][embed]https://a/${b}[/embed]`,
    );
    for (const [, inside = ''] of html.matchAll(/<(?:audio|video|a)\b((?:[^">]|"[^"]*")*)>/g))
      expect(inside.replace(/"[^"]*"/g, '""')).not.toMatch(/onerror/);
  });
  fc.assert(property, { numRuns: 500 });
});

test("a phone number of the original's plugin is a link to call it, and in no automatic excerpt", () => {
  const link = '<a class="care-phone" href="tel:+49 89 123">+49 89 123</a>';
  expect(renderContent('Call [care_phone nr="+49 89 123"] now')).toBe(`<p>Call ${link} now</p>\n`);
  expect(renderExcerpt('', 'Call [care_phone nr="112"] now')).toBe('<p>Call now</p>\n');
  shows(`[care_phone nr='"&gt;x']`, '<a class="care-phone" href="tel:&quot;&gt;x">&quot;&gt;x</a>');
});

test('a title and an excerpt show a shortcode as it is written', () => {
  expect(renderTitle('[care_phone nr="1"] "now"')).toBe('[care_phone nr="1"] &#8220;now&#8221;');
  expect(renderExcerpt('A\n\n[care_phone nr="1"]', '')).toBe('<p>A</p>\n[care_phone nr="1"]\n');
  expect(renderTitle('[other nr="1"]')).toBe('[other nr=&#8221;1&#8243;]');
});
