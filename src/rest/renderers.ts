import { escapeHtml } from '../platform/http/html-escape.js';
import type { RestResponse } from './message.js';
import type { Parameters } from './query.js';
import { xml } from './xml.js';

/** What a renderer makes: another body, or a text with the headers that belong to it. */
type Rendered = Partial<Pick<RestResponse, 'body' | 'text' | 'headers'>>;

/** Makes a response from the result of an operation. */
export interface Renderer {
  /**
   * For the query of the request. `described` makes a document of the routes of the namespace, with
   * schemas of what they are about.
   */
  readonly answer: (
    response: Record<string, unknown>,
    described: (schemas: Record<string, object>) => Promise<object>,
    query: Parameters,
  ) => Rendered | Promise<Rendered>;
  /** Media types of the responses. Default: JSON. */
  readonly types?: readonly string[];
  /** Schema of the body, where it is not that of the operation. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Whether fields are left out instead of null. */
  readonly leavesOutNull?: true;
  /** Makes the response to a request that failed. Default: JSON. */
  readonly failure?: (failed: RestResponse, query: Parameters) => Rendered;
}

/** What a query asks for with `format=xml` is XML; it is JSON with any other format. */
const wantsXml = ({ format }: Parameters) => format === 'xml';

/** Leaves out what is null. */
const known = (response: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(response).filter(([, value]) => value !== null));

/** Bodies by the word of `@render(as:)`. */
export const RENDERERS: Readonly<Record<string, Renderer>> = {
  /** The routes of the namespace as OpenAPI, with the `schemas` of the result. */
  openapi: {
    schema: { type: 'object', additionalProperties: true },
    answer: async ({ schemas }, described) => ({
      body: (await described(schemas as Record<string, object>)) as Record<string, unknown>,
    }),
  },

  /** An embed without what is null. */
  oembedJson: { leavesOutNull: true, answer: (response) => ({ body: known(response) }) },

  /** The same, as XML when the query asks for it; failures as well. */
  oembed: {
    types: ['application/json', 'text/xml'],
    leavesOutNull: true,
    answer(response, _described, query) {
      const body = known(response);
      return wantsXml(query) ? { body, ...xml('oembed', body) } : { body };
    },
    failure: ({ body, headers }, query) =>
      wantsXml(query) ? xml('oembed', body as object, headers) : {},
  },

  /**
   * A small page for people, with a `title` and a `message`. Its address may hold a code: the page
   * is not cached, and the address is not passed on as a referrer.
   */
  page: {
    types: ['text/html'],
    answer: ({ title, message }) => ({
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
  },
};
