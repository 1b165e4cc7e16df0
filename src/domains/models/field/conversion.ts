import type { FieldPart } from '../definition/model.document.js';
import { storable } from './field-rule.js';
import { targetOf } from './list-rule.js';
import type { StoredValue } from './value-rule.js';

/** What becomes of a stored value when its field changes. */
export type Fate =
  | { readonly kept: true }
  | { readonly value: StoredValue }
  | { readonly lost: true };

const LOST: Fate = { lost: true };
const KEPT: Fate = { kept: true };
const LISTS: ReadonlySet<string> = new Set(['pick', 'file', 'avatar']);
const MIDNIGHT = 'T00:00:00.000Z';

/**
 * Returns what becomes of a value of one state of a field in another. A value is lost when it
 * breaks the new rule, and also when it could not be had back from what it would become. Passwords
 * are kept or lost.
 */
export function convert(value: StoredValue, from: FieldPart, to: FieldPart): Fate {
  if (from.type === 'password' || to.type === 'password')
    return from.type === to.type ? KEPT : LOST;
  if (isPointer(from) !== isPointer(to)) return LOST;
  if (LISTS.has(from.type) && LISTS.has(to.type) && !isSameTarget(from, to)) return LOST;
  for (const candidate of candidatesOf(value, from, to)) {
    const checked = storable(to, candidate);
    if ('fault' in checked) continue;
    if (isSame(checked.value, value)) return KEPT;
    if (isSame(checked.value, candidate)) return checked;
  }
  return LOST;
}

/** Returns whether values are ids: they say nothing without what they are the ids of. */
const isPointer = (field: FieldPart) => LISTS.has(field.type) && targetOf(field).kind !== 'choice';

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function isSameTarget(from: FieldPart, to: FieldPart): boolean {
  const [before, after] = [targetOf(from), targetOf(to)];
  if (before.kind === 'choice' && after.kind === 'choice') return true;
  return isSame(before, after);
}

/** Returns what a value could be in another state of its field, the likeliest first. */
function* candidatesOf(value: StoredValue, from: FieldPart, to: FieldPart): Generator<StoredValue> {
  yield value;
  if (Array.isArray(value)) {
    const [only, ...others] = value;
    if (others.length > 0 || only === undefined) return;
    yield only;
    if (typeof only === 'string') yield* readingsOf(only, from, to);
    return;
  }
  const scalar = value as string | number | boolean;
  if (LISTS.has(to.type)) {
    if (typeof scalar !== 'boolean') yield [scalar];
    // The words of a choice are texts.
    if (typeof scalar === 'number') {
      yield String(scalar);
      yield [String(scalar)];
    }
    return;
  }
  if (typeof scalar === 'string') yield* readingsOf(scalar, from, to);
  else {
    yield String(scalar);
    if (typeof scalar === 'number' && (scalar === 0 || scalar === 1)) yield scalar === 1;
    if (typeof scalar === 'boolean') yield scalar ? 1 : 0;
  }
}

/** Returns what a text could mean: only what would give the same text again. */
function* readingsOf(text: string, from: FieldPart, to: FieldPart): Generator<StoredValue> {
  if (String(Number(text)) === text) yield Number(text);
  if (text === 'true' || text === 'false') yield text === 'true';
  if (from.type === 'date' && to.type === 'datetime') yield text + MIDNIGHT;
  if (from.type === 'datetime' && to.type === 'date' && text.endsWith(MIDNIGHT))
    yield text.slice(0, -MIDNIGHT.length);
}
