import { refuse } from '../../../core/errors.js';
import { containing, literally, searchTerms } from '../../../core/search.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { isStorable } from '../../../platform/storable.js';
import { sortKey } from '../../content/rendering/slug.js';
import type { FieldPart } from '../definition/model.document.js';
import { keyKindOf } from '../field/field-rule.js';
import { pointsAtRows } from '../field/list-rule.js';
import { dateText, momentText, timeText } from '../field/time-values.js';
import { entriesOf, keyOf } from './item-key.sql.js';
import { type ModelItemCondition, ModelOperator } from './model-item.inputs.js';

const { join, raw, sql } = Prisma;
/** Most conditions of a filter, and most values of one. */
export const MOST = { conditions: 20, values: 100 };

/** Returns one of the fields of a viewer by which items can be compared. Throws MODEL_FIELD_UNKNOWN. */
export function comparable(fields: readonly FieldPart[], name: string, param: string): FieldPart {
  const field = fields.find((other) => other.name === name);
  if (!field || keyKindOf(field) === 'none') throw notComparable(name, param);
  return field;
}

/** Returns the refusal of a field by which the viewer cannot compare items. */
export const notComparable = (name: string, param: string) =>
  refuse('MODEL_FIELD_UNKNOWN', `There is no field ${name} to compare by.`, { param });

/** Throws TOO_MANY for a filter of too many conditions. */
export function judgeLength(filter: readonly ModelItemCondition[]): void {
  if (filter.length > MOST.conditions)
    throw refuse('TOO_MANY', `At most ${MOST.conditions} conditions.`, { param: 'filter' });
}

/** Returns the SQL of conditions on the fields that the viewer may read. Throws MODEL_FIELD_UNKNOWN, MODEL_VALUE_INVALID. */
export function conditionsOf(
  fields: readonly FieldPart[],
  filter: readonly ModelItemCondition[],
): Prisma.Sql[] {
  return filter.map((condition, i) => {
    const field = comparable(fields, condition.field, `filter.${i}.field`);
    return conditionOf(field, condition, `filter.${i}.value`);
  });
}

const COMPARED: Readonly<Partial<Record<ModelOperator, string>>> = {
  [ModelOperator.LESS]: '<',
  [ModelOperator.LESS_OR_EQUAL]: '<=',
  [ModelOperator.GREATER]: '>',
  [ModelOperator.GREATER_OR_EQUAL]: '>=',
};

/**
 * Returns what is above all numbers and texts: PostgreSQL takes a range with two ends for a narrow
 * one.
 */
const top = (field: FieldPart) =>
  keyKindOf(field) === 'number' ? sql`'Infinity'::float8` : sql`${'\u{10FFFF}'}`;

function conditionOf(
  field: FieldPart,
  { operator, value }: ModelItemCondition,
  at: string,
): Prisma.Sql {
  const by = operator ?? ModelOperator.EQUALS;
  if (by === ModelOperator.IS_EMPTY) return emptiness(field, value !== false);
  if (keyKindOf(field) === 'list') return listCondition(field, by, value, at);
  const key = keyOf(field);
  const sign = COMPARED[by];
  if (sign) {
    const bound = sql`${key} ${raw(sign)} ${compared(field, value, at)}`;
    return by === ModelOperator.LESS || by === ModelOperator.LESS_OR_EQUAL
      ? sql`(${bound} AND ${emptiness(field, false)})`
      : sql`(${bound} AND ${key} < ${top(field)})`;
  }
  switch (by) {
    case ModelOperator.NOT_EQUALS:
      return sql`${key} <> ${compared(field, value, at)}`;
    case ModelOperator.IN: {
      const given = valuesOf(value, at).map((one) => compared(field, one, at));
      return given.length > 0 ? sql`${key} IN (${join(given)})` : sql`FALSE`;
    }
    case ModelOperator.STARTS_WITH:
    case ModelOperator.CONTAINS: {
      if (keyKindOf(field) !== 'text' || typeof value !== 'string' || !isStorable(value))
        throw unfit(at);
      const start = by === ModelOperator.CONTAINS ? '%' : '';
      return sql`${key} LIKE ${`${start}${literally(sortKey(value))}%`}`;
    }
    default:
      return sql`${key} = ${compared(field, value, at)}`;
  }
}

function emptiness(field: FieldPart, empty: boolean): Prisma.Sql {
  if (keyKindOf(field) === 'list')
    return empty ? sql`${entriesOf(field)} IS NULL` : sql`${entriesOf(field)} IS NOT NULL`;
  const none = keyKindOf(field) === 'number' ? sql`'-Infinity'::float8` : sql`''`;
  return sql`${keyOf(field)} ${raw(empty ? '=' : '>')} ${none}`;
}

function listCondition(
  field: FieldPart,
  by: ModelOperator,
  value: unknown,
  param: string,
): Prisma.Sql {
  const has = (entry: unknown) =>
    sql`${entriesOf(field)} @> ${JSON.stringify([entryOf(field, entry, param)])}::jsonb`;
  if (by === ModelOperator.EQUALS) return has(value);
  if (by === ModelOperator.NOT_EQUALS) return sql`(${has(value)}) IS NOT TRUE`;
  if (by !== ModelOperator.IN) throw unfit(param);
  const given = valuesOf(value, param).map(has);
  return given.length > 0 ? sql`(${join(given, ' OR ')})` : sql`FALSE`;
}

function entryOf(field: FieldPart, value: unknown, param: string): string | number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && isStorable(value) && !pointsAtRows(field)) return value;
  throw unfit(param);
}

function valuesOf(value: unknown, param: string): readonly unknown[] {
  if (!Array.isArray(value) || value.length > MOST.values) throw unfit(param);
  return value;
}

const READERS: Readonly<Record<string, (text: string) => string | undefined>> = {
  date: dateText,
  datetime: momentText,
  time: timeText,
};

/** Returns what a field compares a given value by. Throws MODEL_VALUE_INVALID. */
function compared(field: FieldPart, value: unknown, param: string): Prisma.Sql {
  if (keyKindOf(field) === 'number') {
    const number = typeof value === 'boolean' ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isFinite(number)) throw unfit(param);
    return sql`${String(number)}::text::float8`;
  }
  const read = READERS[field.type] ?? ((text: string) => text);
  const text = typeof value === 'string' && isStorable(value) ? read(value) : undefined;
  if (text === undefined) throw unfit(param);
  return sql`${sortKey(text)}`;
}

/** Returns the refusal of a value that a field cannot be compared with. */
export const unfit = (param: string) =>
  refuse('MODEL_VALUE_INVALID', 'cannot be compared with the values of the field', { param });

/** Long texts, whose keys are only their beginnings. */
const LONG: ReadonlySet<string> = new Set(['paragraph', 'wysiwyg', 'code']);

/** Returns the SQL of a search: every word stands in one of the texts of an item, or in none. */
export function searchCondition(all: readonly FieldPart[], search: string): Prisma.Sql[] {
  const fields = all.filter((field) => keyKindOf(field) === 'text');
  return searchTerms(search).map(({ text, excluded }) => {
    const pattern = `%${literally(sortKey(text))}%`;
    const found = fields.map((field) =>
      LONG.has(field.type)
        ? sql`folded("values" ->> ${raw(`'${field.id}'`)}) LIKE ${containing(text)}`
        : sql`${keyOf(field)} LIKE ${pattern}`,
    );
    const any = found.length > 0 ? sql`(${join(found, ' OR ')})` : sql`FALSE`;
    return excluded ? sql`(${any}) IS NOT TRUE` : any;
  });
}
