import { escapeHtml } from '../../platform/http/html-escape.js';
import { inLanguage, languageFor, type Spoken } from '../../platform/language.js';
import { plainName } from '../../platform/plain-name.js';
import { zoneForIntl } from '../../platform/zone.js';
import type { Wording } from './templates.js';

/** Values that people chose as names. Older ones may not be plain names, so each is made plain. */
const NAMES = new Set(['name', 'maker', 'application']);

/** The subject and both bodies of a mail. */
export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * Renders a mail with its values, including `site`. Instants are in the clock time of `timeZone`. A
 * paragraph that consists of one value is shown large. Values are escaped in HTML.
 */
export function renderMail(
  wordings: Spoken<Wording>,
  language: string,
  values: Readonly<Record<string, string>>,
  timeZone: string,
): RenderedMail {
  const spoken = languageFor(wordings, language);
  const { subject, paragraphs } = inLanguage(wordings, language);
  const put = (text: string, write: (value: string) => string) =>
    text.replace(/\{(\w+)(\|time)?\}/g, (_, name: string, time?: string) => {
      const value = NAMES.has(name) ? plainName(values[name] ?? '') : oneLine(values[name] ?? '');
      return write(time ? spokenTime(value, spoken, timeZone) : value);
    });
  const body = paragraphs.map((paragraph) => {
    const html = put(paragraph, escapeHtml);
    return /^\{\w+\}$/.test(paragraph)
      ? `<p><strong style="font-size: 1.4em">${html}</strong></p>`
      : `<p>${html}</p>`;
  });
  return {
    subject: put(subject, (value) => value),
    text: `${paragraphs.map((paragraph) => put(paragraph, (value) => value)).join('\n\n')}\n\n-- \n${oneLine(values.site ?? '')}\n`,
    html: `<!doctype html>
<html lang="${spoken}">
<meta charset="utf-8">
<body style="font: 1rem/1.5 system-ui, sans-serif; color: #222">
${body.join('\n')}
<p style="color: #666">${escapeHtml(oneLine(values.site ?? ''))}</p>
</body>
</html>
`,
  };
}

/** Removes line breaks from a value, because they could imitate paragraphs of the service. */
const oneLine = (value: string) => value.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();

function spokenTime(instant: string, language: string, timeZone: string): string {
  const parts = {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  } as const;
  const date = new Date(instant);
  return Number.isNaN(date.getTime())
    ? instant
    : date.toLocaleString(language === 'en' ? 'en-GB' : language, {
        ...parts,
        timeZone: zoneForIntl(date.getTime(), timeZone),
      });
}
