import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { Prisma } from '../../../generated/prisma/client.js';
import {
  type FieldPart,
  fieldsInUse,
  type ModelDocument,
  type ModelRow,
  optionOf,
} from '../definition/model.document.js';
import { convert } from '../field/conversion.js';
import { isRequired, keyOfValue, ruleText, storable } from '../field/field-rule.js';
import type { StoredValue } from '../field/value-rule.js';

const { sql } = Prisma;
const BATCH = 1_000;

/** A field whose values must follow a new rule. `before` is absent for a new or restored field. */
interface RuleChange {
  readonly before: FieldPart | undefined;
  readonly after: FieldPart;
}

/** What a change of rules does to the values of items. */
export interface RuleOutcome {
  /** Values that there are. */
  readonly values: number;
  readonly converted: number;
  readonly lost: number;
  /** Items that lack a value that becomes required. */
  readonly missing: number;
  /** Values that items get because the field has a default. */
  readonly filled: number;
  /** Some of the values that would change, at most 10; none of a password, which nobody reads. */
  readonly examples: readonly RuleExample[];
}

/** A value before and after a change; null when it is lost. */
export interface RuleExample {
  readonly itemId: number;
  readonly before: StoredValue;
  readonly after: StoredValue | null;
}

interface ItemValues {
  readonly id: number;
  readonly values: string;
}

/**
 * Makes the items of a model follow the new rules of its fields. Throws MODEL_WOULD_LOSE when more
 * than `maxLost` values would be lost, those of fields that go into the trash among them, and
 * MODEL_VALUES_MISSING when items lack a value that becomes required and has no default.
 */
export async function followRules(
  context: RequestContext,
  { id, document }: ModelRow,
  next: ModelDocument,
  maxLost: number,
): Promise<void> {
  const changes = ruleChanges(document, next);
  const { lost: validationErrors, missing } =
    changes.length > 0
      ? await outcomeOf(context, id, changes, (rows) => rewrite(context, rows))
      : NOTHING;
  const lost = validationErrors + (await droppedValues(context, id, document, next));
  if (lost > maxLost)
    throw refuse(
      'MODEL_WOULD_LOSE',
      `${lost} values of items would be lost. Allow it by maxLost: ${lost}.`,
      { param: 'maxLost', detail: { lost } },
    );
  if (missing > 0)
    throw refuse(
      'MODEL_VALUES_MISSING',
      `${missing} values that become required are missing. Give the field a default_value.`,
      { param: 'options', detail: { missing } },
    );
}

const NOTHING = { lost: 0, missing: 0 } as const;

/** Returns how many values the fields have that are in use in a document, and not in the next. */
async function droppedValues(
  context: RequestContext,
  modelId: number,
  document: ModelDocument,
  next: ModelDocument,
): Promise<number> {
  const kept = new Set(fieldsInUse(next).map(({ id }) => id));
  const dropped = fieldsInUse(document).filter(({ id }) => !kept.has(id));
  if (dropped.length === 0) return 0;
  const [{ count = 0 } = {}] = await context.rows<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM model_item, jsonb_object_keys("values") AS field
    WHERE definition_id = ${modelId}::int
      AND field = ANY(${dropped.map(({ id }) => String(id))}::text[])`);
  return count;
}

/** Returns the fields whose values must be looked at when a document becomes another. */
export function ruleChanges(document: ModelDocument, next: ModelDocument): RuleChange[] {
  const before = new Map(document.fields.map((field) => [field.id, field]));
  return fieldsInUse(next).flatMap((after) => {
    const known = before.get(after.id);
    if (known && !known.removedAt && ruleText(known) === ruleText(after)) return [];
    if (!known && !isRequired(after)) return [];
    return [{ before: known, after }];
  });
}

/** Returns what a change does to the items of a model. `write` gets the items that it alters. */
export async function outcomeOf(
  context: RequestContext,
  modelId: number,
  changes: readonly RuleChange[],
  write?: (rows: readonly Rewritten[]) => Promise<void>,
): Promise<RuleOutcome> {
  const sum = { values: 0, converted: 0, lost: 0, missing: 0, filled: 0 };
  const examples: RuleExample[] = [];
  for (let after = 0; ; ) {
    const items = await context.rows<ItemValues>(sql`
      SELECT id, "values"::text AS values FROM model_item
      WHERE definition_id = ${modelId}::int AND id > ${after}::int ORDER BY id
        LIMIT ${BATCH}::int`);
    const altered = items.flatMap((item) => {
      const values = JSON.parse(item.values) as Record<string, StoredValue>;
      const patch = new Map<FieldPart, StoredValue | null>();
      for (const change of changes) follow(change, item.id, values, { sum, patch, examples });
      return patch.size > 0 ? [{ id: item.id, patch }] : [];
    });
    if (write && altered.length > 0) await write(altered);
    const last = items.at(-1);
    if (items.length < BATCH || !last) return { ...sum, examples };
    after = last.id;
  }
}

interface Findings {
  readonly sum: Record<'values' | 'converted' | 'lost' | 'missing' | 'filled', number>;
  readonly patch: Map<FieldPart, StoredValue | null>;
  readonly examples: RuleExample[];
}

/** Counts what a change does to one item, and notes the new value. */
function follow(
  { before, after }: RuleChange,
  itemId: number,
  values: Readonly<Record<string, StoredValue>>,
  { sum, patch, examples }: Findings,
): void {
  const value = values[after.id];
  let present = value !== undefined;
  if (value !== undefined && before) {
    sum.values++;
    const fate = convert(value, before, after);
    if (!('kept' in fate)) {
      const next = 'value' in fate ? fate.value : null;
      if (next === null) sum.lost++;
      else sum.converted++;
      if (examples.length < 10 && before.type !== 'password')
        examples.push({ itemId, before: value, after: next });
      patch.set(after, next);
      present = next !== null;
    } else if (before.removedAt || before.type !== after.type) patch.set(after, value);
  }
  if (present || !isRequired(after)) return;
  const preset = presetOf(after);
  if (preset === undefined) sum.missing++;
  else {
    sum.filled++;
    patch.set(after, preset);
  }
}

/** Returns the default of a field, when it fits the field. */
export function presetOf(field: FieldPart): StoredValue | undefined {
  const text = optionOf(field, 'default_value');
  if (!text || field.type === 'password') return undefined;
  const readings = [text, Number(text), text === '1' || text === 'true'];
  for (const reading of readings) {
    const checked = storable(field, reading);
    if ('value' in checked && (field.type !== 'boolean' || /^(?:0|1|true|false)$/.test(text)))
      return checked.value;
  }
  return undefined;
}

interface Rewritten {
  readonly id: number;
  readonly patch: ReadonlyMap<FieldPart, StoredValue | null>;
}

async function rewrite({ db }: RequestContext, rows: readonly Rewritten[]): Promise<void> {
  const values = rows.map(({ patch }) =>
    JSON.stringify(
      Object.fromEntries(
        [...patch].flatMap(([{ id }, value]) => (value === null ? [] : [[id, value]])),
      ),
    ),
  );
  const keys = rows.map(({ patch }) =>
    JSON.stringify(
      Object.fromEntries(
        [...patch].flatMap(([field, value]) => {
          const key = value === null ? undefined : keyOfValue(field, value);
          return key === undefined ? [] : [[field.id, key]];
        }),
      ),
    ),
  );
  const gone = rows.map(({ patch }) => [...patch.keys()].map(({ id }) => id).join());
  await db.$executeRaw(sql`
    UPDATE model_item i SET version = i.version + 1,
      "values" = (i."values" - string_to_array(n.gone, ',')) || n.values::jsonb,
      keys = (i.keys - string_to_array(n.gone, ',')) || n.keys::jsonb
    FROM unnest(${rows.map(({ id }) => id)}::int[], ${values}::text[], ${keys}::text[],
      ${gone}::text[])
      AS n(id, values, keys, gone)
    WHERE i.id = n.id`);
}
