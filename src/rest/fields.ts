import { Beyond } from './errors.js';
import type { Failure } from './message.js';
import type { Parameters } from './query.js';

/** Most characters of `_fields` and `_embed`: as many as a request line has. Batches send more. */
const LONGEST = 16_384;

/** Returns the failure of a query whose `_fields` or `_embed` is too long. */
export function longListFailure(query: Parameters): Failure | undefined {
  const beyond = new Beyond();
  for (const name of ['_fields', '_embed']) {
    const texts = [query[name]].flat().filter((one) => typeof one === 'string');
    const length = texts.reduce((sum, one) => sum + one.length, 0);
    if (length > LONGEST)
      beyond.take(name, `has more than ${LONGEST.toLocaleString('en')} characters.`);
  }
  return beyond.failure;
}

/**
 * Returns the words of a list parameter such as `_fields`; undefined when it is absent or names
 * nothing.
 */
export function listOf(value: unknown): string[] | undefined {
  const words = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? value.split(/[\s,]+/)
      : [];
  const named = words.filter((word): word is string => typeof word === 'string' && word !== '');
  return named.length > 0 ? named : undefined;
}

/**
 * Returns what `_fields` keeps of a body that no operation made: names, and names within objects.
 * Of a list it keeps no elements.
 */
export function keepFields(body: unknown, fields: readonly string[] | undefined): unknown {
  if (!fields || typeof body !== 'object' || body === null) return body;
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    const within = fields
      .filter((field) => field.startsWith(`${name}.`))
      .map((field) => field.slice(name.length + 1));
    if (fields.includes(name)) kept[name] = value;
    else if (within.length > 0) kept[name] = Array.isArray(value) ? [] : keepFields(value, within);
  }
  return kept;
}
