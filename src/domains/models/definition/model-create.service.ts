import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { hold, transact } from '../../../core/transact.js';
import {
  type FieldPart,
  type GroupPart,
  MODEL_BOUNDS,
  type ModelDocument,
  type Options,
  withOptions,
} from './model.document.js';
import type { CreateModelInput } from './model.inputs.js';
import { json, newPartIds, recordVersion, refuseTaken } from './model-change.service.js';
import { judgeDocument } from './model-judgement.js';
import {
  EXTENDED_LABELS,
  FIRST_FIELDS,
  FIRST_GROUP,
  ModelKind,
  ModelMode,
  ModelStorage,
  NOT_EXTENDING,
  optionsOfKind,
  storageOfKind,
} from './model-kinds.js';
import { cleanName } from './model-name.js';

/**
 * Makes a definition. Returns its id. Throws MODEL_NAME_REQUIRED without name and label,
 * MODEL_NOT_EXTENDABLE for a kind that extends nothing, MODEL_EXISTS, MODEL_NAME_INVALID,
 * MODEL_TEXT_TOO_LONG, TOO_MANY.
 */
export async function createModel(
  context: RequestContext,
  input: CreateModelInput,
): Promise<number> {
  const document = draftOf(input);
  return transact(
    context,
    (inner) =>
      insertModel(inner, document, async (id) =>
        input.type === ModelKind.POD && input.mode !== ModelMode.EXTEND
          ? withFirstParts(inner, id, document)
          : document,
      ),
    { replayable: true },
  );
}

/**
 * Returns the definition that an input makes, without parts. Throws MODEL_NAME_REQUIRED,
 * MODEL_NOT_EXTENDABLE.
 */
export const draftOf = (input: CreateModelInput): ModelDocument =>
  input.mode === ModelMode.EXTEND ? extending(input) : creating(input);

/**
 * Writes a new definition, inside a transaction. `complete` may add parts to it. Returns its id.
 */
export async function insertModel(
  inner: RequestContext,
  document: ModelDocument,
  complete: (id: number) => Promise<ModelDocument>,
  change = 'created',
): Promise<number> {
  judgeDocument(document);
  await hold(inner, 'models');
  await refuseTaken(inner, document);
  if ((await inner.db.modelDefinition.count({ where: { removedAt: null } })) >= MODEL_BOUNDS.models)
    throw refuse('TOO_MANY', `There are at most ${MODEL_BOUNDS.models} definitions.`, {
      param: 'name',
    });
  const [row] = await inner.db.$queryRaw<{ id: number }[]>`
    SELECT nextval(pg_get_serial_sequence('model_part', 'id'))::int AS id`;
  const id = row?.id as number;
  const now = inner.now();
  const data = { id, name: document.name, version: 1, createdAt: now, updatedAt: now };
  await inner.db.modelDefinition.create({
    data: { ...data, document: json(document) },
    select: { id: true },
  });
  await inner.db.modelPart.create({
    data: { id, definitionId: id, kind: 'model' },
    select: { id: true },
  });
  const whole = await complete(id);
  judgeDocument(whole);
  if (whole !== document)
    await inner.db.modelDefinition.update({
      where: { id },
      data: { document: json(whole) },
      select: { id: true },
    });
  await recordVersion(inner, id, 1, whole, change);
  return id;
}

function creating(input: CreateModelInput): ModelDocument {
  const kind = input.type as ModelKind;
  const given = { name: input.name ?? '', label: input.label ?? '' };
  if (!given.name && !given.label) throw nameless('Pod');
  const name = given.name ? cleanName(given.name, '-') : cleanName(given.label, '_');
  const label = given.label || given.name;
  const menu = kind === ModelKind.SETTINGS ? menuOf(input, label) : [];
  const options = withSent(
    [['label_singular', input.labelSingular || label], ...optionsOfKind(kind), ...menu],
    input,
  );
  return {
    name,
    label,
    description: input.description ?? '',
    type: kind,
    storage: storageOfKind(kind, input.storage ?? ModelStorage.META),
    options,
    groups: [],
    fields: [],
  };
}

/** Returns where settings stand in the menu of the original; other kinds do not say it there. */
const menuOf = ({ menuName, menuLocation }: CreateModelInput, label: string): Options => [
  ['menu_name', menuName || label],
  ...(menuLocation ? [['menu_location', menuLocation] as const] : []),
];

/** Returns options with those that were sent, which win. */
const withSent = (options: Options, { options: sent }: CreateModelInput): Options =>
  withOptions(
    options,
    (sent ?? []).map(({ name, value }) => [name, value ?? null] as const),
  );

function extending(input: CreateModelInput): ModelDocument {
  const kind = input.type as ModelKind;
  if (NOT_EXTENDING.has(kind))
    throw refuse('MODEL_NOT_EXTENDABLE', 'Pod type not supported for extending.');
  const named = input.name || input.label || (kind === ModelKind.USER ? 'user' : '');
  if (!named) throw nameless('Pod');
  const name = cleanName(named, '-');
  const singular: Options = input.labelSingular ? [['label_singular', input.labelSingular]] : [];
  return {
    name,
    label: Object.hasOwn(EXTENDED_LABELS, name)
      ? (EXTENDED_LABELS[name] as string)
      : input.label || named,
    description: input.description ?? '',
    type: kind,
    storage: input.storage ?? ModelStorage.META,
    options: withSent([['object', name], ...singular], input),
    groups: [],
    fields: [],
  };
}

/** Makes the error for a thing that was given neither name nor label. */
export const nameless = (what: 'Pod' | 'Group' | 'Field') =>
  refuse('MODEL_NAME_REQUIRED', `${what} not added, name or label is required.`);

async function withFirstParts(
  inner: RequestContext,
  id: number,
  document: ModelDocument,
): Promise<ModelDocument> {
  const [groupId = 0] = await newPartIds(inner, id, 'group', 1);
  const ids = await newPartIds(inner, id, 'field', FIRST_FIELDS.length);
  const group: GroupPart = { id: groupId, ...FIRST_GROUP, description: '', options: [] };
  const fields = FIRST_FIELDS.map(
    ([name, label, type, options], i): FieldPart => ({
      id: ids[i] as number,
      name,
      label,
      description: '',
      type,
      groupId,
      options,
    }),
  );
  return { ...document, groups: [group], fields };
}
