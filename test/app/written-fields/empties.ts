import {
  type GraphQLInputField,
  type GraphQLInputType,
  getNullableType,
  isListType,
  isNonNullType,
} from 'graphql';
import type { Run } from './run.js';
import { headOf, readAt, selectionOf, type Writing } from './writing.js';

/** What stands for nothing: null, an empty text and an empty list, each where the type takes it. */
export function emptiesOf(type: GraphQLInputType): unknown[] {
  if (isNonNullType(type)) return [];
  const bare = getNullableType(type);
  return [null, ...(String(bare) === 'String' ? [''] : []), ...(isListType(bare) ? [[]] : [])];
}

/** What an input says of null in a field: the value stays as it is, or is taken away. */
function ruleOfNull({ input }: Writing, { description }: GraphQLInputField) {
  if (/null (?:or empty )?stays/i.test(String(description))) return 'stays';
  if (/(?:^|[.;,] )(?:or )?null/i.test(String(description))) return 'goes';
  if (/absent or null stays/.test(String(input.description))) return 'stays';
  return /null empties/.test(String(input.description)) ? 'goes' : undefined;
}

const saysEmptyStays = ({ description }: GraphQLInputField) =>
  /empty stays/.test(String(description));

/** Lists of what is to be changed, of which none changes nothing. */
const OF_CHANGES = /^Update(?:Model|ModelField|ModelGroup)Input\.options$/;

const isEmpty = (value: unknown) => value === null || value === '' || String(value) === '';

/**
 * Returns what is wrong with a field that was sent nothing: it was accepted, and neither is what was
 * sent read, nor was the value changed as the input says. A value that stands for nothing, as the
 * site's time zone does, is another than that of before.
 */
export function faultOfEmpty(
  writing: Writing,
  field: GraphQLInputField,
  { sent, before, after }: { sent: unknown; before: unknown; after: unknown },
): string | undefined {
  const at = `was sent ${JSON.stringify(sent)}`;
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  const stays = sent === null ? ruleOfNull(writing, field) === 'stays' : saysEmptyStays(field);
  if (sent === null && !ruleOfNull(writing, field)) return `${at}: nothing says what that does`;
  if (OF_CHANGES.test(`${writing.input.name}.${field.name}`)) return undefined;
  if (!stays && isSame && !isEmpty(after)) return `${at}, still reads ${JSON.stringify(after)}`;
  if (stays && !isSame) return `${at}, reads ${JSON.stringify(after)} as if it were taken away`;
  return undefined;
}

/** Reads a field of the row that a run has written. */
export async function readField(
  run: Run,
  { path, name }: GraphQLInputField & { path: string },
  row: Record<string, unknown>,
  input: Record<string, unknown>,
): Promise<unknown> {
  const read = await run.again(row, `${name}: ${selectionOf(path)}`, input);
  return readAt(read?.[name], path.split('.').map(headOf).slice(1));
}
