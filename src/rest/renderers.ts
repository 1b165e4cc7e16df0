import { escapeHtml } from '../platform/http/html-escape.js';
import { type DescribedApi, openApi } from './descriptor/openapi.js';
import type { RestResponse } from './message.js';

/**
 * Makes a body from the result of an operation: a text with the headers that belong to it, or JSON
 * for which the routes of the namespace are needed.
 */
export type Renderer = (
  answered: Record<string, unknown>,
  api: () => DescribedApi,
) => Pick<RestResponse, 'text' | 'headers'> | { body: object };

/** Bodies by the word of `@render(as:)`. */
export const RENDERERS: Readonly<Record<string, Renderer>> = {
  /** The routes of the namespace as OpenAPI, with the `schemas` of the result. */
  openapi: ({ schemas }, api) => ({ body: openApi(api(), schemas as Record<string, object>) }),

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
