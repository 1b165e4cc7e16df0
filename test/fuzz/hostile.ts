// Requests that take the most to read: batches of hostile paths, multipart bodies of many parts,
// long HTML.
import fc from 'fast-check';
import type { Wire } from './rest.js';
import { type Draw, hostile, pick } from './values.js';

/** Larger bodies are refused while they are sent. */
const LARGEST = 2 * 2 ** 20 - 1;

/** Pieces that addresses are made of, repeated: what once took a time that grew with the square. */
const PIECES = [
  '@',
  ':',
  '//',
  '/',
  '?',
  '#',
  '[',
  ']',
  '[a]',
  '%',
  '%41',
  '&',
  '&a[]=1',
  'a@',
  ',a',
];
const SHAPES = [
  '<div>',
  '<b>',
  '<p id=a>',
  '<a b="',
  '<!--',
  '<br>\n',
  '[caption]',
  '"',
  'a\n',
  '&',
];

/** A text of some of the pieces, each repeated, of some 40,000 characters at most. */
function repeated(draw: Draw, pieces: readonly string[], most: number): string {
  return Array.from({ length: 1 + draw(fc.nat, 2) }, () =>
    pick(draw, pieces).repeat(draw(fc.nat, most)),
  ).join('x');
}

/** A path of a request in a batch. */
function hostilePath(draw: Draw): string {
  const begins = ['/v1/posts', '/v1/posts?', '//', 'http://', 'http://[', '/v1/posts?_fields=', ''];
  return pick(draw, begins) + repeated(draw, PIECES, draw(fc.boolean) ? 4_000 : 20);
}

/** Draws a batch of up to 26 requests at hostile paths. */
export function hostileBatch(draw: Draw): Wire {
  const requests = Array.from({ length: 1 + draw(fc.nat, 25) }, () => ({
    path: draw(fc.nat, 19) === 0 ? hostile(draw) : hostilePath(draw),
    ...(draw(fc.nat, 3) === 0 && { body: { title: 'x', content: hostile(draw) } }),
  }));
  return {
    method: 'POST',
    path: `${pick(draw, ['/api', '/v3/api'])}/batch/v1`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ requests }),
  };
}

/** Draws a multipart body of up to some thousand parts, now and then cut off or of another boundary. */
export function multipartRequest(draw: Draw): Wire {
  const boundary = pick(draw, ['x', '-', 'x'.repeat(70), '----a', "'()+_,-./:=?"]);
  const part = (name: string) =>
    `--${boundary}\r\nContent-Disposition: ${pick(draw, ['form-data', 'form-data', 'file'])}; name="${name}"` +
    `${pick(draw, ['', '', '; filename="a"', "; filename*=UTF-8''%41"])}\r\n` +
    `${pick(draw, ['', '', 'Content-Type: text/plain\r\n', 'x: y\r\n'.repeat(20)])}\r\n` +
    `${pick(draw, ['1', '', 'text', '\r\n--', '\r\n-'.repeat(50)])}\r\n`;
  const names = [
    'title',
    'content',
    'meta[a]',
    'a[]',
    'a[b][c]',
    '',
    '__proto__',
    'p'.repeat(1_001),
  ];
  const parts = Array.from({ length: draw(fc.nat, 8) }, () => part(pick(draw, names))).join('');
  const body = `${parts.repeat(1 + draw(fc.nat, draw(fc.nat, 4) === 0 ? 1_500 : 20))}--${boundary}--\r\n`;
  const sent = draw(fc.nat, 4) === 0 ? body.slice(0, draw(fc.nat, body.length)) : body;
  const named = draw(fc.nat, 9) === 0 ? 'other' : boundary;
  return {
    method: 'POST',
    path: `${pick(draw, ['/api', '/v3/api'])}/v1/${pick(draw, ['posts', 'medicine_reminder', 'ncsm'])}`,
    headers: { 'content-type': `multipart/form-data; boundary="${named}"` },
    body: sent.slice(0, LARGEST),
  };
}

/** Draws a post of long HTML: a tenth of them up to 300,000 characters. */
export function longPost(draw: Draw): Wire {
  const content = repeated(draw, SHAPES, draw(fc.nat, 9) === 0 ? 20_000 : 300);
  return {
    method: 'POST',
    path: '/api/v1/posts',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'x', content, excerpt: draw(fc.boolean) ? '' : content }),
  };
}

/** Draws one of these. */
export const hostileRequest = (draw: Draw): Wire =>
  pick(draw, [hostileBatch, multipartRequest, longPost])(draw);
