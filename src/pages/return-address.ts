import { isLoopback } from '../platform/identity/address.js';

/** An address outside, to which a page may send its visitor. */
export interface ReturnAddress {
  readonly href: string;
  /** Where it leads, in words for people. */
  readonly place: string;
  /**
   * How a Content-Security-Policy names it: by its scheme, because Chromium holds a form's policy against every redirect that
   * follows, and where the application leads on to is its own affair.
   */
  readonly source: string;
}

const LONGEST = 2_000;
/** Schemes that run or show what the address itself holds, or files of this machine. */
const NEVER = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'blob:',
  'file:',
  'filesystem:',
  'about:',
  'view-source:',
  'ws:',
  'wss:',
]);

/** Hosts as they are: URLs allow more, and people read them. */
const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/;

/** Reads an address given by an application: https, an app's own scheme, or plain http on this machine. Otherwise why not, in a sentence. */
export function readReturnAddress(text: string): ReturnAddress | string {
  if (text.length > LONGEST || !URL.canParse(text)) return 'Invalid URL format.';
  const { href, protocol, hostname, host } = new URL(text);
  if (NEVER.has(protocol)) return 'Invalid URL format.';
  const isWeb = protocol === 'https:' || protocol === 'http:';
  if (!isWeb) return { href, place: `the app for ${protocol} addresses on your device`, source: protocol };
  if (!HOST.test(host)) return 'Invalid URL format.';
  if (protocol === 'http:' && !isLoopback(hostname)) return 'The URL must be served over a secure connection.';
  return { href, place: protocol === 'https:' ? host : `${host} on your device`, source: protocol };
}

/** An address with more parameters behind those that it has. */
export function withParameters(href: string, parameters: Readonly<Record<string, string>>): string {
  const [address = '', fragment] = splitOnce(href, '#');
  const added = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${address}${joint}${added.join('&')}${fragment === undefined ? '' : `#${fragment}`}`;
}

function splitOnce(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
