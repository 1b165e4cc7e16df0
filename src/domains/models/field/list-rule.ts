import { type FieldPart, optionOf } from '../definition/model.document.js';
import type { Checked, KeyKind, Rule } from './value-rule.js';

/** Of what the values of a field are ids, or that they are words. */
export type Target =
  | { readonly kind: 'model' | 'item' | 'term'; readonly name: string }
  | { readonly kind: 'media' | 'account' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'nothing' };

const ITEMS: ReadonlySet<string> = new Set(['post', 'page', 'healthcare']);
const MOST = 100;

/** Returns what a field of type pick, file or avatar points at. */
export function targetOf(field: FieldPart): Target {
  if (field.type !== 'pick') return { kind: 'media' };
  const name = optionOf(field, 'pick_val')?.toLowerCase() ?? '';
  switch (optionOf(field, 'pick_object') ?? '') {
    case 'user':
      return { kind: 'account' };
    case 'media':
      return { kind: 'media' };
    case 'taxonomy':
      return { kind: 'term', name: name === 'tag' ? 'post_tag' : name };
    case 'post_type':
      return { kind: ITEMS.has(name) ? 'item' : 'model', name };
    case 'pod':
      return { kind: 'model', name };
    case 'custom-simple':
      return { kind: 'choice', choices: choicesOf(field).map(([word]) => word) };
    default:
      return { kind: 'nothing' };
  }
}

const POINTERS: ReadonlySet<string> = new Set(['pick', 'file', 'avatar']);

/** Returns whether the values of a field are ids of rows. */
export function pointsAtRows(field: FieldPart): boolean {
  const { kind } = targetOf(field);
  return POINTERS.has(field.type) && kind !== 'choice' && kind !== 'nothing';
}

/** Returns whether what was given takes a value away. */
export const isNothing = (given: unknown): boolean =>
  given === null ||
  given === undefined ||
  given === '' ||
  (Array.isArray(given) && given.length === 0);

/** Returns whether no value can fit a field: it does not say what it picks, or has no words. */
export function picksNothing(field: FieldPart): boolean {
  const target = targetOf(field);
  if (target.kind === 'choice') return target.choices.length === 0;
  return field.type === 'pick' && target.kind === 'nothing';
}

/** Returns the words of a field with their labels: lines of `word` or `word|label`. */
export function choicesOf(field: FieldPart): [word: string, label: string][] {
  const lines = (optionOf(field, 'pick_custom') ?? '').split(/\r?\n/).map((line) => line.trim());
  return lines.filter(Boolean).map((line) => {
    const [word = '', label = word] = line.split('|').map((part) => part.trim());
    return [word, label];
  });
}

/** Returns whether a field holds a list. */
export const isMultiple = (field: FieldPart): boolean =>
  field.type !== 'avatar' && optionOf(field, `${field.type}_format_type`) === 'multi';

/** Most entries of a list. */
export function limitOf(field: FieldPart): number {
  const limit = Number(optionOf(field, `${field.type}_limit`));
  return isMultiple(field) ? (limit > 0 ? Math.min(limit, MOST) : MOST) : 1;
}

/** Returns whether a value can be the number of a row. */
export const isId = (value: unknown) =>
  Number.isInteger(value) && (value as number) > 0 && (value as number) <= 2 ** 31 - 1;

/** The rule of ids and words, alone or in lists. What there is of their rows is checked apart. */
export const listRule: Rule = {
  check(value, field): Checked {
    const target = targetOf(field);
    if (target.kind === 'nothing')
      return { fault: 'cannot be set: the field does not say what it picks' };
    const given = Array.isArray(value) ? value : [value];
    const entries = [...new Set(given)] as (string | number)[];
    const fits = (entry: unknown) =>
      target.kind === 'choice' ? target.choices.includes(entry as string) : isId(entry);
    const limit = limitOf(field);
    const what = target.kind === 'choice' ? 'words of the list' : 'ids';
    if (entries.length === 0 || entries.length > limit || !entries.every(fits))
      return {
        fault: limit === 1 ? `must be one of the ${what}` : `must be 1 to ${limit} ${what}`,
      };
    return { value: isMultiple(field) ? entries : (entries[0] as string | number) };
  },
  key: (field): KeyKind => {
    if (isMultiple(field)) return 'list';
    return targetOf(field).kind === 'choice' ? 'text' : 'number';
  },
};
