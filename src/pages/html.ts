import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { escapeHtml } from '../platform/http/html-escape.js';

/** HTML whose values are already escaped. */
export class Markup {
  constructor(readonly text: string) {}
}

type Value = string | number | Markup | readonly Markup[] | undefined | false;

/**
 * Makes HTML with escaped values: html`<p>${name}</p>`. Markup is inserted unchanged. Undefined and
 * false become nothing.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const written = values.map((value) => {
    if (value === undefined || value === false) return '';
    if (value instanceof Markup) return value.text;
    return typeof value === 'object'
      ? value.map(({ text }) => text).join('')
      : escapeHtml(String(value));
  });
  return new Markup(parts.map((part, index) => part + (written[index] ?? '')).join(''));
}

const STYLE = `
:root { color-scheme: light; font: 1rem/1.5 system-ui, sans-serif; color: #1c2024; background: #f2f4f6 }
body { margin: 0; padding: 1.5rem 1rem }
main { box-sizing: border-box; max-width: 34rem; margin: 0 auto; padding: 1.5rem; background: #fff; border: 1px solid #c9ced4; border-radius: .5rem }
@media (min-width: 40rem) { body { padding-top: 4rem } main { padding: 2rem 2.5rem } }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere }
p, dl { margin: 0 0 1rem; overflow-wrap: anywhere }
dt { font-weight: 600 }
dd { margin: 0 0 .5rem }
label { display: block; margin-bottom: .25rem; font-weight: 600 }
input:not([type=hidden]) { box-sizing: border-box; width: 100%; margin-bottom: 1rem; padding: .625rem .75rem; font: inherit; color: inherit; background: #fff; border: 1px solid #6b7480; border-radius: .25rem }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: .5rem }
button { padding: .625rem 1.25rem; font: inherit; font-weight: 600; color: #0b4f8a; background: #fff; border: 2px solid #0b4f8a; border-radius: .25rem; cursor: pointer }
button.first { color: #fff; background: #0b4f8a }
button.quiet { padding: 0; font-weight: 400; color: #0b4f8a; border: 0; text-decoration: underline }
:focus-visible { outline: 3px solid #b35c00; outline-offset: 2px }
a { color: #0b4f8a }
.hint { margin-top: -.75rem; color: #4a525b; font-size: .9375rem }
.wrong { padding: .625rem .75rem; color: #8a1212; background: #fdf0f0; border-left: 4px solid #8a1212 }
.warning { padding: .625rem .75rem; background: #fff6e5; border-left: 4px solid #b35c00 }
.secret { display: block; padding: .75rem; font: 1.125rem/1.5 ui-monospace, monospace; background: #f2f4f6; border: 1px solid #c9ced4; overflow-wrap: anywhere; user-select: all }
main.wide { max-width: none; padding: 1rem; border: 0 }
.wide h1 { font-size: 1.25rem }
figure { margin: 0 0 1rem; overflow-x: auto }
svg { display: block; max-width: 100%; height: auto; font-size: 12px }
figcaption { color: #4a525b; font-size: .875rem }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9375rem }
th, td { padding: .25rem .75rem .25rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid #c9ced4 }
td.number { text-align: right }
td.hidden { color: #4a525b; font-style: italic }
footer { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: 1.5rem; padding-top: 1rem; border-top: 1px solid #c9ced4; color: #4a525b }
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** A page for people. `goesTo` lists the further sources to which its forms may lead. */
export interface Page {
  readonly status?: number;
  readonly title: string;
  /** Title of the site, if known. */
  readonly site?: string;
  readonly body: Markup;
  readonly goesTo?: readonly string[];
  /** The origins whose pages may frame it. Default: none. Such a page uses all of its frame. */
  readonly framedBy?: readonly string[];
}

/**
 * Sends a page. The page loads nothing else, has no script, and must not be cached, nor framed by
 * others than it says.
 */
export function sendPage(
  response: Response,
  { status = 200, title, site, body, goesTo = [], framedBy = [] }: Page,
): void {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    "base-uri 'none'",
    `frame-ancestors ${framedBy.length > 0 ? framedBy.join(' ') : "'none'"}`,
    ["form-action 'self'", ...goesTo].join(' '),
  ];
  response
    .status(status)
    .set({
      ...(framedBy.length > 0 ? UNFRAMED : PRIVATE),
      'Content-Type': 'text/html; charset=UTF-8',
      'Content-Security-Policy': policy.join('; '),
    })
    .send(
      html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}${site && ` · ${site}`}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<main${framedBy.length > 0 && WIDE}>
${body}
</main>
</body>
</html>
`.text,
    );
}

const WIDE = new Markup(' class="wide"');

/** Headers of pages: of those that may be framed too, by whom their policy says. */
const UNFRAMED = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
} as const;

/** Headers of every response of the pages. */
export const PRIVATE = { ...UNFRAMED, 'X-Frame-Options': 'DENY' } as const;
