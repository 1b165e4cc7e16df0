import type { RequestContext } from '../../../core/context.js';
import type { FieldPart } from '../definition/model.document.js';
import { isId, pointsAtRows } from '../field/list-rule.js';
import { comparable, judgeLength, MOST, unfit } from './item-filter.sql.js';
import { type ModelItemCondition, ModelOperator } from './model-item.inputs.js';
import { seesAllTargets, visibleIds } from './pick-target.service.js';
import { asIds } from './value-check.service.js';

/**
 * Returns conditions that tell nothing of rows that the viewer may not see: a field that points at
 * such a row is compared as if it pointed at another. Ids are numbers in them, however they were
 * given. Throws MODEL_FIELD_UNKNOWN; MODEL_VALUE_INVALID
 * for a comparison by size with rows of which the viewer may not see all; TOO_MANY.
 */
export function visibleConditions(
  context: RequestContext,
  fields: readonly FieldPart[],
  filter: readonly ModelItemCondition[],
): Promise<ModelItemCondition[]> {
  judgeLength(filter);
  return Promise.all(
    filter.map(async (given, i) => {
      const field = comparable(fields, given.field, `filter.${i}.field`);
      const condition = pointsAtRows(field)
        ? { ...given, value: asIds(field, given.value) }
        : given;
      return (await seesAllTargets(context, field))
        ? condition
        : visibleCondition(context, field, condition, `filter.${i}.value`);
    }),
  );
}

/** Types of values that are compared as numbers. */
const HAVE_NUMBERS: ReadonlySet<string> = new Set(['number', 'boolean']);
/** The number of no row. */
const NOBODY = 0;

async function visibleCondition(
  context: RequestContext,
  field: FieldPart,
  condition: ModelItemCondition,
  param: string,
): Promise<ModelItemCondition> {
  const by = condition.operator ?? ModelOperator.EQUALS;
  if (by === ModelOperator.IS_EMPTY) return condition;
  if (!BY_IDENTITY.has(by)) throw unfit(param);
  const { value } = condition;
  if (Array.isArray(value) && value.length > MOST.values) throw unfit(param);
  const entries: unknown[] = Array.isArray(value) ? value : [value];
  const ids = entries.filter((entry) => isId(entry)) as number[];
  const visible = new Set<unknown>(await visibleIds(context, field, ids));
  const shown = (entry: unknown) =>
    HAVE_NUMBERS.has(typeof entry) && !visible.has(entry) ? NOBODY : entry;
  return { ...condition, value: Array.isArray(value) ? entries.map(shown) : shown(value) };
}

const BY_IDENTITY: ReadonlySet<ModelOperator> = new Set([
  ModelOperator.EQUALS,
  ModelOperator.NOT_EQUALS,
  ModelOperator.IN,
]);
