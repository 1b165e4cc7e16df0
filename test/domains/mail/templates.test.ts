import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderMail } from '../../../src/domains/mail/rendering.js';
import { TEMPLATES, type TemplateName, templateOf } from '../../../src/domains/mail/templates.js';

const NASTY = (name: string) => `<b onclick="x">${name}</b> & 'co' {site}\r\n\r\nBcc: x@example`;
const names = Object.keys(TEMPLATES) as TemplateName[];

describe('The templates of mails', () => {
  const entries = names.flatMap((name) =>
    Object.keys(TEMPLATES[name].wordings).map((language) => [name, language] as const),
  );

  it('are each there in English and German', () => {
    for (const name of names)
      assert.deepEqual(Object.keys(TEMPLATES[name].wordings), ['en', 'de'], name);
  });

  for (const [name, language] of entries) {
    it(`show every value of ${name} in ${language}, escaped in HTML and on one line in text`, () => {
      const { wordings, values } = templateOf(name) ?? assert.fail();
      const given = Object.fromEntries([...values, 'site'].map((value) => [value, NASTY(value)]));
      const { subject, text, html } = renderMail(wordings, language, given, 'UTC');
      for (const value of [...values, 'site']) {
        assert.ok(
          text.includes(`<b onclick="x">${value}</b> & 'co' {site} Bcc: x@example`),
          `${value} in the text`,
        );
        const escaped = `&lt;b onclick=&quot;x&quot;&gt;${value}&lt;/b&gt; &amp; &#39;co&#39; {site} Bcc: x@example`;
        assert.ok(html.includes(escaped), `${value} in the HTML`);
      }
      assert.ok(!html.includes('<b '), 'no markup comes with a value');
      assert.ok(html.includes(`<html lang="${language}">`));
      assert.ok(!subject.includes('{') && subject.length <= 60, subject);
    });

    it(`name no value in ${name} in ${language} that the template does not have, and keep codes out of the subject`, () => {
      const { wordings, values } = templateOf(name) ?? assert.fail();
      const { subject, paragraphs } = wordings[language] ?? assert.fail();
      const named = [...paragraphs.join(' ').matchAll(/\{(\w+)(?:\|time)?\}/g)].map(
        ([, value]) => value,
      );
      assert.deepEqual(new Set(named), new Set([...values, 'site']));
      assert.ok(!subject.includes('{'));
    });
  }

  it('speak the language of the account, without its region if need be, and English otherwise', () => {
    const { wordings } = TEMPLATES.password_changed;
    const subject = (language: string) => renderMail(wordings, language, {}, 'UTC').subject;
    assert.equal(subject('de'), 'Ihr Passwort wurde geändert');
    assert.equal(subject('de-AT'), 'Ihr Passwort wurde geändert');
    for (const language of ['en', 'fr', 'he', '', 'constructor', '__proto__'])
      assert.equal(subject(language), 'Your password was changed', language);
  });

  it("show instants by the site's clock, in the language of the mail", () => {
    const { wordings } = TEMPLATES.break_glass;
    const values = { site: 'Care', name: 'Dr. Weiss', at: '2026-03-01T08:00:00.000Z' };
    assert.match(
      renderMail(wordings, 'en', values, 'Europe/Berlin').text,
      /on 1 March 2026(,| at) 09:00 CET/,
    );
    assert.match(
      renderMail(wordings, 'de', values, 'Europe/Berlin').text,
      /am 1\. März 2026 um 09:00 MEZ/,
    );
  });

  it('show them right where the clocks of a zone have changed since the release of Node', () => {
    const { wordings } = TEMPLATES.break_glass;
    const values = { site: 'Care', name: 'Dr. Weiss', at: '2026-12-01T16:00:00.000Z' };
    assert.match(
      renderMail(wordings, 'en', values, 'America/Vancouver').text,
      /on 1 December 2026(,| at) 09:00 (GMT-7|MST)/,
    );
  });

  it('do not send codes after they have expired', () => {
    assert.equal(TEMPLATES.password_reset.lifetime, 10 * 60_000);
    assert.equal(TEMPLATES.sign_in_code.lifetime, 10 * 60_000);
  });

  it('are no properties of objects in general', () => {
    for (const name of ['constructor', 'toString', '__proto__', 'nothing'])
      assert.equal(templateOf(name), undefined);
  });
});
