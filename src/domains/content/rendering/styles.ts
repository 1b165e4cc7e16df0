import { trimmedEnd } from '../../../platform/trim.js';
import { STYLE_FUNCTIONS, STYLE_PROPERTY } from './allowed.js';

/**
 * Returns a `style` attribute without the declarations that could load or run something. Returns it
 * unchanged when all declarations are safe.
 */
export function safeStyle(style: string): string {
  const declarations = style.split(';');
  const safe = declarations.filter(
    (declaration) => declaration.trim() === '' || isSafe(declaration),
  );
  return safe.length === declarations.length
    ? style
    : safe
        .map((declaration) => declaration.trim())
        .filter(Boolean)
        .join('; ');
}

function isSafe(declaration: string): boolean {
  const colon = declaration.indexOf(':');
  const property = declaration.slice(0, colon).trim().toLowerCase();
  const value = declaration.slice(colon + 1);
  if (colon < 0 || !STYLE_PROPERTY.test(property) || /[\\<>{}@]|\/\*|[\0-\x1f]/.test(value))
    return false;
  const calls = value.split('(').slice(0, -1);
  return (
    calls.every((head) => STYLE_FUNCTIONS.has(lastWord(head))) &&
    addresses(value).every(isSafeAddress)
  );
}

/** Returns the name before a bracket; `calc` without one, as within `calc(2 * (1px + 2px))`. */
function lastWord(head: string): string {
  const near = head.slice(-40).toLowerCase();
  return near.slice(trimmedEnd(near, 'abcdefghijklmnopqrstuvwxyz-').length) || 'calc';
}

const addresses = (value: string): string[] =>
  value
    .split(/url\(/i)
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf(')')));

/** Returns whether an address, perhaps in quotes, is one of the web or relative. */
function isSafeAddress(quoted: string): boolean {
  const text = quoted.trim();
  const [quote = ''] = text;
  const inQuotes = (quote === '"' || quote === "'") && text.length > 1 && text.endsWith(quote);
  const address = inQuotes ? text.slice(1, -1) : text;
  return !/["'()\s]/.test(address) && (!address.includes(':') || /^https?:/i.test(address));
}
