import { unescape as percentDecode } from 'node:querystring';

/** Parameters by name: texts, lists and objects. Without a prototype, so that any name is safe. */
export type Parameters = Record<string, unknown>;

/** Parameters beyond these are not read. A level is a name or a pair of brackets. */
const LIMITS = { pairs: 1_000, levels: 8 };
const UNSAFE = new Set(['__proto__', 'constructor', 'prototype']);

/** Returns whether a key is a whole number: then it may be one of a list. */
export const isWholeNumber = (key: string) => /^(?:0|-?[1-9]\d*)$/.test(key);

/** Is called for a parameter that is not read, with the reason. */
export type Excess = (name: string, why: string) => void;

type Branch = Map<string, string | Branch>;

/**
 * Returns a query string, without its question mark, as parameters: `a=1`; `a[]=1&a[]=2` and
 * `a[3]=1&a[1]=2` as a list in the order sent; `a[b]=1` as an object. The later of two scalars
 * wins. A broken percent sequence stays as it is, broken UTF-8 becomes U+FFFD. At most 1,000 pairs
 * of 8 levels are read; `excess` is called for others.
 */
export function parseQuery(text: string, excess?: Excess): Parameters {
  const pairs = text.split('&', LIMITS.pairs + 1).map((pair): [string, string] => {
    const end = pair.indexOf('=');
    return end < 0 ? [decode(pair), ''] : [decode(pair.slice(0, end)), decode(pair.slice(end + 1))];
  });
  return collect(pairs, excess);
}

/** Returns pairs of a bracketed name and a text as parameters. `excess` as of `parseQuery`. */
export function collect(
  pairs: readonly (readonly [string, string])[],
  excess?: Excess,
): Parameters {
  const root: Branch = new Map();
  const beyond = pairs[LIMITS.pairs];
  if (beyond)
    excess?.(beyond[0], `is beyond the first ${LIMITS.pairs.toLocaleString('en')} parameters.`);
  for (const [name, value] of pairs.slice(0, LIMITS.pairs)) {
    const keys = keysOf(name);
    const last = keys.pop();
    if (keys.length >= LIMITS.levels) excess?.(name, `has more than ${LIMITS.levels} levels.`);
    if (
      last === undefined ||
      keys.length >= LIMITS.levels ||
      UNSAFE.has(last) ||
      keys.some((key) => UNSAFE.has(key))
    )
      continue;
    let branch = root;
    for (const key of keys) branch = descend(branch, key);
    branch.set(last || nextIndex(branch), value);
  }
  return objectOf(root);
}

/**
 * Returns parameters as a query string, for links to pages: `a[0]` for lists, `1` and `0` for
 * booleans, nothing for null, the name alone for an empty text. Everything but letters, digits and
 * `-_.` is escaped, and a space is `+`, as in the original (docs/behaviour.md 4.3).
 */
export function buildQuery(parameters: Parameters): string {
  const pairs: [string, string][] = [];
  for (const name of Object.keys(parameters)) flatten(name, parameters[name], pairs);
  const text = new URLSearchParams(pairs).toString();
  return text.replaceAll('*', '%2A').replaceAll(/=(?=&|$)/g, '');
}

function flatten(name: string, value: unknown, pairs: [string, string][]): void {
  if (value === null || value === undefined) return;
  if (typeof value === 'object')
    for (const [key, part] of Object.entries(value)) flatten(`${name}[${key}]`, part, pairs);
  else pairs.push([name, typeof value === 'boolean' ? String(Number(value)) : String(value)]);
}

const decode = (text: string) => percentDecode(text.replaceAll('+', ' '));

/**
 * `a[b][]` is a, b and an empty key. What follows a bracket that is missing or not closed is
 * ignored.
 */
function keysOf(name: string): string[] {
  const start = name.indexOf('[');
  if (start <= 0) return name === '' ? [] : [name];
  const keys = [name.slice(0, start)];
  for (let open = start; name[open] === '['; ) {
    const close = name.indexOf(']', open);
    if (close < 0) break;
    keys.push(name.slice(open + 1, close));
    open = close + 1;
  }
  return keys;
}

function descend(branch: Branch, key: string): Branch {
  const name = key || nextIndex(branch);
  const held = branch.get(name);
  if (held instanceof Map) return held;
  const next: Branch = new Map();
  branch.set(name, next);
  return next;
}

/** Returns the first free index from the number of keys on. */
function nextIndex(branch: Branch): string {
  let index = branch.size;
  while (branch.has(String(index))) index++;
  return String(index);
}

const grown = (value: string | Branch): unknown =>
  value instanceof Map ? (listOf(value) ?? objectOf(value)) : value;

function objectOf(branch: Branch): Parameters {
  const object = Object.create(null) as Parameters;
  for (const [key, value] of branch) object[key] = grown(value);
  return object;
}

/** A branch whose keys are all whole numbers is a list, in the order sent. */
function listOf(branch: Branch): unknown[] | undefined {
  const list: unknown[] = [];
  for (const [key, value] of branch) {
    if (!isWholeNumber(key)) return undefined;
    list.push(grown(value));
  }
  return list;
}
