import { createHash } from 'node:crypto';
import { rehash } from '../../domains/accounts/password.js';
import {
  type FieldPart,
  fieldsInUse,
  type ModelDocument,
  optionOf,
} from '../../domains/models/definition/model.document.js';
import { storable } from '../../domains/models/field/field-rule.js';
import {
  isMultiple,
  limitOf,
  pointsAtRows,
  targetOf,
} from '../../domains/models/field/list-rule.js';
import type { StoredValue } from '../../domains/models/field/value-rule.js';
import { columnsOf } from '../../domains/models/item/model-item-write.service.js';
import { identified, LARGEST } from './batches.js';
import { type ItemNumbers, numberItems } from './item-number.service.js';
import {
  countedAs,
  databaseOf,
  type Import,
  type ImportedKind,
  type Left,
  type Mapped,
} from './kind.js';
import { isExtending, readItems, type SourceItem, sourceIds } from './model-item-source.js';
import { ownNumbers, type ReferredTable } from './own-number.service.js';
import { unserialize } from './php.js';
import { zonedOf } from './source-time.js';

/** A model that was imported. */
export interface ImportedModel {
  readonly id: number;
  readonly document: ModelDocument;
}

/**
 * The items of models, one kind for each. They keep their number unless an item of another model has
 * it. `database` is undefined where nothing may be written.
 */
export async function itemKinds(
  run: Import,
  models: readonly ImportedModel[],
  numbersOf: Parameters<typeof numberItems>[0],
): Promise<ImportedKind[]> {
  for (const { id } of models.filter(({ document }) => isExtending(document)))
    run.report.remark({
      ...{ kind: 'model', at: `posts ${id}`, outcome: 'skipped' },
      reason: 'it extends what the platform has: values of its fields are not taken over',
    });
  const pairs: [ImportedModel, readonly number[]][] = [];
  for (const model of models) pairs.push([model, await sourceIds(databaseOf(run), model.document)]);
  const numbers = await numberItems(
    numbersOf,
    pairs.flatMap(([{ id }, ids]) =>
      ids.filter((one) => one <= LARGEST).map((sourceId) => ({ modelId: id, sourceId })),
    ),
  );
  const byName = new Map(models.map(({ id, document }) => [document.name, id]));
  return pairs.map(([model, ids]) => kindOf(model, ids, numbers, byName));
}

function kindOf(
  { id: modelId, document }: ImportedModel,
  ids: readonly number[],
  numbers: ItemNumbers,
  models: ReadonlyMap<string, number>,
): ImportedKind {
  return identified({
    name: `item of ${document.name}`,
    from: document.name,
    table: 'model_item',
    columns: [
      'definition_id',
      '"values"',
      'keys',
      'version',
      'author_id',
      'created_at',
      'updated_at',
    ],
    placeOf: (id) => numbers.sourceOf(id),
    // Those that are too large have no number here, and are refused.
    ids: async () => ids.map((id) => numbers.of(modelId, id) ?? id),
    async read(_run, own) {
      return own.map((id) => ({ id }));
    },
    async map(run, rows) {
      const sources = rows.map(({ id }) => numbers.sourceOf(Number(id)));
      const items = await readItems(run, { id: modelId, document }, sources);
      const own = await ownTargets(run, { document, models }, [...items.values()]);
      const mapped: (Mapped | Left)[] = [];
      // One after the other: each password that is hashed takes memory of its own.
      for (const [i, { id }] of rows.entries()) {
        const item = items.get(sources[i] as number) ?? TRASHED;
        mapped.push(
          'outcome' in item
            ? item
            : await itemOf(run, { id: Number(id), modelId, document, item, numbers, models, own }),
        );
      }
      return mapped;
    },
  });
}

const TRASHED = { outcome: 'skipped', reason: 'it is in the trash, or was never saved' } as const;

interface ItemToMap {
  readonly id: number;
  readonly modelId: number;
  readonly document: ModelDocument;
  readonly item: SourceItem;
  readonly numbers: ItemNumbers;
  readonly models: ReadonlyMap<string, number>;
  /** The numbers of what fields point at that rows of this service have, by the table. */
  readonly own: ReadonlyMap<ReferredTable, ReadonlySet<number>>;
}

/** The tables that fields point at, by the kinds of their targets. */
const TABLES: Readonly<Record<string, ReferredTable>> = {
  account: 'account',
  media: 'media',
  term: 'term',
  item: 'content_item',
};

/** Returns the table of what a field points at; undefined for items of models, and for a field that points at none. */
function tableOf(field: FieldPart, models: ItemToMap['models']): ReferredTable | undefined {
  const target = targetOf(field);
  // Terms of a model are items here.
  const isOfModel = target.kind === 'term' && models.has(target.name);
  return pointsAtRows(field) && !isOfModel ? TABLES[target.kind] : undefined;
}

/** Returns the numbers of what fields of items point at that rows of this service have, by the table. */
async function ownTargets(
  run: Import,
  { document, models }: Pick<ItemToMap, 'document' | 'models'>,
  items: readonly (SourceItem | Left)[],
): Promise<ItemToMap['own']> {
  const ids = new Map<ReferredTable, number[]>();
  const here = items.flatMap((item) => ('outcome' in item ? [] : [item]));
  for (const field of fieldsInUse(document)) {
    const table = tableOf(field, models);
    if (!table) continue;
    const named = here.flatMap((item) => allOf(field, item).map(Number));
    ids.set(table, [...(ids.get(table) ?? []), ...named]);
  }
  const own = new Map<ReferredTable, ReadonlySet<number>>();
  for (const [table, numbers] of ids) own.set(table, await ownNumbers(run, table, numbers));
  return own;
}

/** Returns whether a field of an item points at a row that was refused. */
const isLost = (field: FieldPart, { item, own, models }: ItemToMap): boolean => {
  const table = tableOf(field, models);
  return Boolean(table && allOf(field, item).some((one) => own.get(table)?.has(Number(one))));
};

async function itemOf(run: Import, to: ItemToMap): Promise<Mapped | Left> {
  const { id, modelId, document, item } = to;
  const remarks = new Set<string>(item.remarks);
  const values: Record<string, StoredValue> = {};
  for (const field of fieldsInUse(document)) {
    if (isLost(field, to)) remarks.add(`what its field ${field.name} points at was not imported`);
    const given = givenTo(run, field, item, to);
    if (given === undefined) continue;
    if (field.type === 'password') {
      const salt = createHash('sha256').update(`${modelId} ${field.id} ${id}`).digest();
      values[field.id] = await rehash(String(given), salt.subarray(0, 16));
      continue;
    }
    if (isRepeated(field, item))
      remarks.add(`its field ${field.name} has several values: the first is taken`);
    const checked = storable(field, given);
    if ('fault' in checked)
      remarks.add(`a value of its field ${field.name} does not fit: it ${checked.fault}`);
    const kept = 'fault' in checked ? storable(field, fittingOf(field, given)) : checked;
    if ('value' in kept) values[field.id] = kept.value;
  }
  const mapped = {
    own: {
      id,
      definition_id: modelId,
      ...columnsOf(document, values),
      version: 1,
      author_id: item.authorId,
      created_at: item.createdAt,
      updated_at: item.updatedAt,
    },
    remarks: [...remarks],
  };
  return countedAs(mapped, item.authorThere);
}

/** Returns the entries of a list that fit by themselves, as many as the list may have; none of what is no list. */
const fittingOf = (field: FieldPart, given: unknown): unknown[] =>
  (Array.isArray(given) ? given : [])
    .filter((one) => 'value' in storable(field, [one]))
    .slice(0, limitOf(field));

/** Returns the texts that a field of an item has in the original: the rows it is related to, or its values. */
function allOf(field: FieldPart, item: SourceItem): string[] {
  const related = item.related(field.id);
  const all = related.length > 0 ? related : item.texts(field.name);
  return all.flatMap((one) => textsIn(field, one)).filter((one) => one !== '');
}

const isList = ({ type }: FieldPart): boolean => ['pick', 'file', 'avatar'].includes(type);

/** Whether a field that is no list has several values, as a repeatable one may. */
const isRepeated = (field: FieldPart, item: SourceItem): boolean =>
  !isList(field) && allOf(field, item).length > 1;

/** Returns what a field of an item holds, as its rule takes it; undefined for nothing. */
function givenTo(run: Import, field: FieldPart, item: SourceItem, to: ItemToMap): unknown {
  const texts = allOf(field, item);
  if (texts.length === 0) return undefined;
  if (pointsAtRows(field)) {
    const ids = texts.flatMap((one) => targetNumber(field, Number(one), to) ?? []);
    if (ids.length === 0) return undefined;
    return isMultiple(field) ? ids : ids[0];
  }
  if (field.type === 'pick') return isMultiple(field) ? texts : texts[0];
  return plainOf(run, field.type, texts[0] as string);
}

/** Returns the number that a row which a field points at has here; undefined for none. */
function targetNumber(
  field: FieldPart,
  source: number,
  { numbers, models, own }: ItemToMap,
): number | undefined {
  const target = targetOf(field);
  if (target.kind === 'model') return numbers.of(models.get(target.name) ?? 0, source);
  // Terms of a model are items here.
  if (target.kind === 'term' && models.has(target.name))
    return numbers.of(models.get(target.name) as number, source);
  const table = tableOf(field, models);
  return table && own.get(table)?.has(source) ? undefined : source;
}

/** Returns the texts in a value: itself, or those of a list, which is serialized or, in a table, JSON. */
function textsIn(field: FieldPart, value: string): string[] {
  const list = /^a:\d/.test(value) ? unserialize(value) : undefined;
  if (list instanceof Map) return [...list.values()].map((one) => String(one ?? ''));
  const mayBeList = isList(field) || optionOf(field, 'repeatable') === '1';
  const parsed = mayBeList && /^[[{]/.test(value) ? jsonOf(value) : undefined;
  return parsed ? Object.values(parsed).map((one) => String(one ?? '')) : [value];
}

/** Returns the list or object that a text is in JSON; undefined for none. */
function jsonOf(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

const YES: ReadonlySet<string> = new Set(['1', 'true', 'yes', 'on']);

function plainOf({ site: { timeZone } }: Import, type: string, value: string): unknown {
  switch (type) {
    case 'boolean':
      return YES.has(value.toLowerCase());
    case 'number':
    case 'currency':
      return Number(value);
    case 'datetime':
      return value.startsWith('0000') ? undefined : (zonedOf(value, timeZone) ?? value);
    case 'date':
      return value.startsWith('0000') ? undefined : value;
    case 'text':
      return value
        .split(/[\r\n\u2028\u2029]/)
        .map((line) => line.trim())
        .filter(Boolean)
        .join(' ');
    case 'heading':
    case 'html':
      return undefined;
    default:
      return value;
  }
}
