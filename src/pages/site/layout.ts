import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { SHARED } from '../../core/response-cache.js';
import { html, Markup } from '../html.js';

const STYLE = `
:root { color-scheme: light dark; font: 1.0625rem/1.6 system-ui, sans-serif }
body { max-width: 42rem; margin: 0 auto; padding: 1.5rem 1rem; overflow-wrap: break-word }
h1 { line-height: 1.2 }
img, video, iframe { max-width: 100% }
img { height: auto }
table { display: block; overflow-x: auto; border-collapse: collapse }
td, th { padding: .25rem .5rem; border: 1px solid }
header a { font-weight: 600 }
.when { color: GrayText }
nav { display: flex; gap: 1rem }
input, button { font: inherit; padding: .5rem .75rem }
`;
const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** A public page of the site. */
export interface SitePage {
  readonly status?: number;
  /** HTML without elements. */
  readonly title: string;
  readonly site: { readonly title: string; readonly url: string };
  /** More elements of the head. */
  readonly head?: Markup;
  readonly body: Markup;
  /** A script of the page, which its policy names. */
  readonly script?: string;
  /** Whether other sites may frame it. Default: no. */
  readonly framed?: boolean;
  /** Whether shared caches may keep it, as REST's public content. Default: yes. */
  readonly shared?: boolean;
}

/** Returns the `Cache-Control` of a public page, and of what leads to it. */
export const cacheControl = (shared: boolean): string => (shared ? SHARED : 'private, no-store');

/**
 * Sends a public page. Content may have images, players, frames and styles of any site; scripts
 * never run, except `script`.
 */
export function sendSitePage(response: Response, page: SitePage): void {
  const { status = 200, title, site, head, body, script, framed = false, shared = true } = page;
  response
    .status(status)
    .set({
      'Content-Type': 'text/html; charset=UTF-8',
      'Content-Security-Policy': policyOf(script, framed),
      'Cache-Control': cacheControl(shared),
      'Referrer-Policy': 'strict-origin-when-cross-origin',
      ...(framed && { 'X-Robots-Tag': 'noindex' }),
    })
    .send(
      html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${new Markup(title)} – ${site.title}</title>
${head}
<style>${new Markup(STYLE)}</style>
</head>
<body>
${!framed && html`<header><a href="${site.url}/">${site.title}</a></header>`}
${body}
${script !== undefined && html`<script>${new Markup(script)}</script>`}
</body>
</html>
`.text,
    );
}

function policyOf(script: string | undefined, framed: boolean): string {
  return [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    'img-src http: https: data:',
    'media-src http: https:',
    'frame-src https:',
    ...(script ? [`script-src ${hash(script)}`] : []),
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${framed ? '*' : "'self'"}`,
  ].join('; ');
}
