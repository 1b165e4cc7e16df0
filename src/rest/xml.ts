import { escapeHtml } from '../platform/http/html-escape.js';
import type { RestResponse } from './message.js';

/** Characters that XML 1.0 (2.2) does not allow, escaped or not. */
const FORBIDDEN = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/**
 * Returns an object as XML: an element for each of its properties, named by its key, inside one
 * root; objects and lists nested.
 */
export function xml(
  root: string,
  value: object,
  headers: RestResponse['headers'] = {},
): Pick<RestResponse, 'text' | 'headers'> {
  return {
    text: `<?xml version="1.0"?>\n${element(root, value)}\n`,
    headers: { ...headers, 'Content-Type': 'text/xml; charset=UTF-8' },
  };
}

function element(name: string, value: unknown): string {
  return `<${name}>${contentOf(value)}</${name}>`;
}

function contentOf(value: unknown): string {
  if (Array.isArray(value)) return value.map((entry) => element('oembed', entry)).join('');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, entry]) => element(key, entry))
      .join('');
  return escapeHtml(String(value ?? '').replaceAll(FORBIDDEN, ''));
}
