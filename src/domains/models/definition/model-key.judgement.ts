import type { RequestContext } from '../../../core/context.js';
import type { Refusal } from '../../../core/errors.js';
import { Judge, refusalsOf } from '../../../core/judgement.js';
import { wasMade } from '../../../core/transact.js';
import { mayReadField } from '../field/field-access.js';
import { groupNamed } from '../field/model-field.service.js';
import type { CreateModelInput } from './model.inputs.js';
import {
  type Belonging,
  belongingOf,
  fieldsById,
  groupsById,
  modelsById,
  modelsByName,
} from './model.service.js';
import { draftOf } from './model-create.service.js';
import { judgeDocument } from './model-judgement.js';
import type { PartKey } from './model-part.service.js';

/** A number of nothing, or a name of no model, is a wrong parameter (docs/behaviour.md 14.1). */
const unknown = (param: string): Refusal => ({
  reason: 'MODEL_NOT_FOUND',
  message: 'Invalid parameter.',
  param,
});

/** Loads fields that the viewer may read: of others is told what is told of numbers of nothing. */
async function readableFieldsById(context: RequestContext, ids: readonly number[]) {
  const rows = await fieldsById(context, ids);
  return rows.map((row) =>
    row && mayReadField(context.viewer, row.part, row.model.document) ? row : undefined,
  );
}

const LOADERS = { model: modelsById, group: groupsById, field: readableFieldsById } as const;
type What = keyof typeof LOADERS;

/** Returns a refusal; none for a retry, which names what it or others have deleted or renamed since. */
const refusedOnce = async (context: RequestContext, refusal: Refusal): Promise<Refusal[]> =>
  (await wasMade(context)) ? [] : [refusal];

async function judgeKey(
  context: RequestContext,
  what: What,
  { id, model }: PartKey,
): Promise<Refusal[]> {
  if (typeof id !== 'number' && typeof model !== 'string') return [];
  const found =
    typeof id === 'number'
      ? await context.loader<number, object>(LOADERS[what]).load(id)
      : await context.loader(modelsByName).load((model ?? '').toLowerCase());
  return found ? [] : refusedOnce(context, unknown(typeof id === 'number' ? 'id' : 'model'));
}

/** Judges the number of a model, group or field, or the name of the model that it is in. */
export const JudgeKey = (what: What) =>
  Judge(async (context: RequestContext, args: { input: PartKey } & PartKey) =>
    judgeKey(context, what, args.input ?? args),
  );

/** Judges the name and the texts of a new model. */
export const JudgeNewModel = () =>
  Judge((_context: RequestContext, { input }: { input: CreateModelInput }) =>
    refusalsOf(() => judgeDocument(draftOf(input))),
  );

interface NewPart extends Belonging {
  readonly groupId?: number | null;
  readonly group?: string | null;
}

/** Judges the model of a new group or field, and the group of a field. */
export const JudgeBelonging = () =>
  Judge(async (context: RequestContext, { input }: { input: NewPart }) => {
    const key = belongingOf(input);
    if (!key) return [];
    const model =
      typeof key.id === 'number'
        ? await context.loader(modelsById).load(key.id)
        : await context.loader(modelsByName).load((key.name ?? '').toLowerCase());
    const param = input.modelKey ? 'modelKey' : typeof key.id === 'number' ? 'modelId' : 'model';
    if (!model) return refusedOnce(context, unknown(param));
    return judgeGroup(context, model.document, input);
  });

/** Judges the group that a field is moved to. */
export const JudgeFieldChange = () =>
  Judge(async (context: RequestContext, { input }: { input: PartKey & NewPart }) => {
    const refusals = await judgeKey(context, 'field', input);
    if (refusals.length > 0) return refusals;
    const model =
      typeof input.id === 'number'
        ? (await context.loader(fieldsById).load(input.id))?.model
        : await context.loader(modelsByName).load((input.model ?? '').toLowerCase());
    return model ? judgeGroup(context, model.document, input) : [];
  });

async function judgeGroup(
  context: RequestContext,
  document: Parameters<typeof groupNamed>[0],
  input: NewPart,
): Promise<Refusal[]> {
  if (groupNamed(document, input) !== undefined) return [];
  return refusedOnce(context, unknown(input.group ? 'group' : 'groupId'));
}
