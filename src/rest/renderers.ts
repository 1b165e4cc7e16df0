import { escapeHtml } from '../platform/http/html-escape.js';
import type { RestResponse } from './message.js';

/**
 * Bodies that are no JSON, by the word of `@render(as:)`. Each makes a text, and the headers that
 * belong to it, from the result of the operation.
 */
export const RENDERERS: Readonly<
  Record<string, (answered: Record<string, unknown>) => Pick<RestResponse, 'text' | 'headers'>>
> = {
  /**
   * A small page for people, with a `title` and a `message`. Its address may hold a code: the page
   * is not cached, and the address is not passed on as a referrer.
   */
  page: ({ title, message }) => ({
    text: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(String(title ?? ''))}</title>
<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 4rem auto; padding: 0 1rem; color: #222 }</style>
<h1>${escapeHtml(String(title ?? ''))}</h1>
<p>${escapeHtml(String(message ?? ''))}</p>
</html>
`,
    headers: {
      'Content-Type': 'text/html; charset=UTF-8',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
    },
  }),
};
