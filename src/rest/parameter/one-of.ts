import type { Schema } from './json-schema.js';
import { type Checked, sentence, validationError } from './validation-error.js';

/** One of several schemas, and how a value reads by it. */
interface Tried {
  readonly title: string | undefined;
  readonly position: number;
  readonly result: Checked;
}

/**
 * Reads a value by several schemas, of which exactly one must fit. The validation error says a
 * reason when only one schema failed for something else than the type of the whole value.
 */
export function readOneOf(
  schemas: readonly Schema[],
  name: string,
  read: (schema: Schema) => Checked,
): Checked {
  const tried = schemas.map((schema, position) => ({
    title: schema.title,
    position,
    result: read(schema),
  }));
  const fitting = tried.filter(({ result }) => 'value' in result);
  if (fitting.length === 0) return noneFits(tried, name);
  if (fitting.length === 1 && fitting[0]) return fitting[0].result;
  const text =
    titles(fitting, ', but should match only one') ?? 'more than one of the expected formats';
  return validationError('rest_one_of_multiple_matches', `${name} matches ${text}.`, {
    positions: fitting.map(({ position }) => position),
  });
}

function noneFits(tried: readonly Tried[], name: string): Checked {
  const failures = tried.flatMap(({ title, position, result }) =>
    'validationError' in result ? [{ title, position, ...result.validationError }] : [],
  );
  const telling = failures.filter(
    ({ code, data }) => code !== 'rest_invalid_type' || (data as { param: string }).param !== name,
  );
  const [reason] = failures.length === 1 ? failures : telling.length === 1 ? telling : [];
  if (!reason) {
    const text = titles(tried);
    return validationError(
      'rest_no_matching_schema',
      `${name} ${text ? `is not a valid ${text}` : 'does not match any of the expected formats'}.`,
    );
  }
  const { title, position, message } = reason;
  const text = title ? `is not a valid ${title}` : 'does not match the expected format';
  return validationError('rest_no_matching_schema', `${name} ${text}. Reason: ${message}`, {
    position,
  });
}

const titles = (tried: readonly Tried[], end = '') =>
  tried.every(({ title }) => title) ? sentence(tried.map(({ title }) => title)) + end : undefined;
