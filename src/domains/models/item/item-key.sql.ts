import { Prisma } from '../../../generated/prisma/client.js';
import type { FieldPart } from '../definition/model.document.js';
import { keyKindOf } from '../field/field-rule.js';

const { raw, sql } = Prisma;

/**
 * Returns the SQL of what a field of an item is compared and ordered by. An item without a value
 * comes before all others. The text is the same in indexes and in queries, so that the planner
 * uses the index: ids of fields are numbers of our own and stand in it. It fails for no key: an
 * index is made over rows of before a change of type too, while somebody may still see them.
 */
export function keyOf(field: FieldPart): Prisma.Sql {
  const id = raw(`'${field.id}'`);
  return keyKindOf(field) === 'number'
    ? sql`(CASE jsonb_typeof(keys -> ${id}) WHEN 'number' THEN (keys -> ${id})::float8
        ELSE '-Infinity'::float8 END)`
    : sql`(COALESCE(keys ->> ${id}, '') COLLATE "C")`;
}

/**
 * Returns the SQL of the condition of the index of a field: the items of a model alone. No model
 * has a number below 0. The number of the field is there because PostgreSQL does not combine
 * indexes that have a condition in common.
 */
export const indexedFor = (modelId: number, { id }: Pick<FieldPart, 'id'>): Prisma.Sql =>
  sql`definition_id IN (${raw(String(modelId))}, ${raw(String(-id))})`;

/** Returns the SQL of the entries of a field that holds a list. */
export const entriesOf = ({ id }: FieldPart): Prisma.Sql => sql`("values" -> ${raw(`'${id}'`)})`;

/** Returns what an index of a field is on. */
export const indexedValue = (field: FieldPart): Prisma.Sql =>
  keyKindOf(field) === 'list'
    ? sql`USING gin (${entriesOf(field)} jsonb_path_ops)`
    : sql`(${keyOf(field)}, id)`;
