import { renderMail } from '../../../src/domains/mail/mail-rendering.js';
import {
  TEMPLATES,
  type TemplateName,
  templateOf,
  type Wording,
} from '../../../src/domains/mail/templates.js';

const NASTY = (name: string) => `<b onclick="x">${name}</b> & 'co' {site}\r\n\r\nBcc: x@example`;
/** A name, which holds no tag, and any other value: on one line. */
const TAMED = (value: string) => {
  const isName = ['name', 'maker', 'application'].includes(value);
  const [open, close] = isName ? [' b', ' /b'] : ['<b', '</b'];
  return `${open} onclick="x">${value}${close}> & 'co' {site} Bcc: x@example`.trim();
};
const ESCAPED = new Map([
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ['&', '&amp;'],
  ["'", '&#39;'],
]);
const names = Object.keys(TEMPLATES) as TemplateName[];

function template(name: TemplateName) {
  const found = templateOf(name);
  if (!found) throw new Error(`There is no template ${name}.`);
  return found;
}

describe('The templates of mails', () => {
  const entries = names.flatMap((name) =>
    Object.keys(TEMPLATES[name].wordings).map((language) => [name, language] as const),
  );

  it('are each there in English and German', () => {
    for (const name of names)
      expect(Object.keys(TEMPLATES[name].wordings), name).toStrictEqual(['en', 'de']);
  });

  /** The values that a template shows of those that all have. */
  const ofAll = (name: string) => (name === 'sign_in_code' ? ['site', 'end'] : ['site']);

  for (const [name, language] of entries) {
    it(`show every value of ${name} in ${language}, escaped in HTML and on one line in text`, () => {
      const { wordings, values } = template(name);
      const given = Object.fromEntries(
        [...values, ...ofAll(name)].map((value) => [value, NASTY(value)]),
      );
      const { subject, text, html } = renderMail(wordings, language, given, 'UTC');
      for (const value of [...values, ...ofAll(name)]) {
        expect(text, `${value} in the text`).toContain(TAMED(value));
        const escaped = [...TAMED(value)].map((sign) => ESCAPED.get(sign) ?? sign).join('');
        expect(html, `${value} in the HTML`).toContain(escaped);
      }
      expect(html, 'no markup comes with a value').not.toContain('<b ');
      expect(html).toContain(`<html lang="${language}">`);
      expect(!subject.includes('{') && subject.length <= 60, subject).toBe(true);
    });

    it(`name no value in ${name} in ${language} that the template does not have, and keep codes out of the subject`, () => {
      const { wordings, values } = template(name);
      const { subject, paragraphs } = wordings[language] as Wording;
      const named = [...paragraphs.join(' ').matchAll(/\{(\w+)(?:\|time)?\}/g)].map(
        ([, value]) => value,
      );
      expect(new Set(named)).toStrictEqual(new Set([...values, ...ofAll(name)]));
      expect(subject).not.toContain('{');
    });
  }

  it('speak the language of the account, without its region if need be, and English otherwise', () => {
    const { wordings } = TEMPLATES.password_changed;
    const subject = (language: string) => renderMail(wordings, language, {}, 'UTC').subject;
    expect(subject('de')).toBe('Ihr Passwort wurde geändert');
    expect(subject('de-AT')).toBe('Ihr Passwort wurde geändert');
    for (const language of ['en', 'fr', 'he', '', 'constructor', '__proto__'])
      expect(subject(language), language).toBe('Your password was changed');
  });

  it("show instants by the site's clock, in the language of the mail", () => {
    const { wordings } = TEMPLATES.break_glass;
    const values = { site: 'Care', name: 'Dr. Weiss', at: '2026-03-01T08:00:00.000Z' };
    expect(renderMail(wordings, 'en', values, 'Europe/Berlin').text).toMatch(
      /on 1 March 2026(,| at) 09:00 CET/,
    );
    expect(renderMail(wordings, 'de', values, 'Europe/Berlin').text).toMatch(
      /am 1\. März 2026 um 09:00 MEZ/,
    );
  });

  it('show them right where the clocks of a zone have changed since the release of Node', () => {
    const { wordings } = TEMPLATES.break_glass;
    const values = { site: 'Care', name: 'Dr. Weiss', at: '2026-12-01T16:00:00.000Z' };
    expect(renderMail(wordings, 'en', values, 'America/Vancouver').text).toMatch(
      /on 1 December 2026(,| at) 09:00 (GMT-7|MST)/,
    );
  });

  it('do not send codes after they have expired', () => {
    expect(TEMPLATES.password_reset.lifetime).toBe(10 * 60_000);
    expect(TEMPLATES.sign_in_code.lifetime).toBe(10 * 60_000);
  });

  it('are no properties of objects in general', () => {
    for (const name of ['constructor', 'toString', '__proto__', 'nothing'])
      expect(templateOf(name)).toBeUndefined();
  });
});
