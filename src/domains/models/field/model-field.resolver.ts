import { Args, Ctx, Resolver } from 'type-graphql';
import { Access, capable } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { InputArg } from '../../../core/marks.js';
import { Mutation, Query } from '../../../core/root-fields.js';
import { modelOf } from '../definition/model.service.js';
import { Model } from '../definition/model.types.js';
import { JudgeBelonging, JudgeFieldChange, JudgeKey } from '../definition/model-key.judgement.js';
import {
  CreateModelFieldInput,
  DeleteModelFieldInput,
  ModelFieldChangeArgs,
  RestoreModelFieldInput,
  UpdateModelFieldInput,
} from './model-field.inputs.js';
import {
  CreateModelFieldPayload,
  DeleteModelFieldPayload,
  type FieldChange,
  ModelFieldChange,
  RestoreModelFieldPayload,
  UpdateModelFieldPayload,
} from './model-field.payload.js';
import {
  createField,
  deleteField,
  fieldOf,
  restoreField,
  tryFieldChange,
  updateField,
} from './model-field.service.js';
import { ModelField } from './model-field.types.js';

@Resolver()
export class ModelFieldResolver {
  @Access(capable('manage_models'))
  @Query(() => ModelFieldChange, {
    description:
      'What a change of a field would do to the values of items. It changes nothing. ' +
      'MODEL_NOT_FOUND.',
  })
  async modelFieldChange(
    @Ctx() context: RequestContext,
    @Args(() => ModelFieldChangeArgs) args: ModelFieldChangeArgs,
  ): Promise<ModelFieldChange> {
    return Object.assign(new ModelFieldChange(), await tryFieldChange(context, args));
  }

  @Access(capable('manage_models'))
  @JudgeBelonging()
  @Mutation(() => CreateModelFieldPayload, {
    description:
      'Adds a field to a model. MODEL_NOT_FOUND, CONFLICT, MODEL_NAME_REQUIRED, ' +
      'MODEL_NAME_INVALID, MODEL_NAME_RESERVED, MODEL_EXISTS, MODEL_VALUES_MISSING, ' +
      'MODEL_TEXT_TOO_LONG, TOO_MANY.',
  })
  async createModelField(
    @Ctx() context: RequestContext,
    @InputArg(CreateModelFieldInput) input: CreateModelFieldInput,
  ): Promise<FieldChange> {
    return changed(context, { id: await createField(context, input) });
  }

  @Access(capable('manage_models'))
  @JudgeFieldChange()
  @Mutation(() => UpdateModelFieldPayload, {
    description:
      'Changes a field, and the values of items with it where its rule changes. MODEL_NOT_FOUND, ' +
      'CONFLICT, MODEL_WOULD_LOSE, MODEL_VALUES_MISSING, MODEL_NAME_INVALID, ' +
      'MODEL_NAME_RESERVED, MODEL_EXISTS, MODEL_TEXT_TOO_LONG, TOO_MANY.',
  })
  async updateModelField(
    @Ctx() context: RequestContext,
    @InputArg(UpdateModelFieldInput) input: UpdateModelFieldInput,
  ): Promise<FieldChange> {
    return changed(context, await updateField(context, input));
  }

  @Access(capable('manage_models'))
  @JudgeKey('field')
  @Mutation(() => DeleteModelFieldPayload, {
    description:
      'Puts a field into the trash for 30 days, and its values with it. MODEL_NOT_FOUND, ' +
      'CONFLICT, MODEL_WOULD_LOSE.',
  })
  async deleteModelField(
    @Ctx() context: RequestContext,
    @InputArg(DeleteModelFieldInput) input: DeleteModelFieldInput,
  ): Promise<DeleteModelFieldPayload> {
    const { modelId } = await deleteField(context, input);
    const model = new Model(await modelOf(context, { id: modelId }));
    return Object.assign(new DeleteModelFieldPayload(), { model });
  }

  @Access(capable('manage_models'))
  @Mutation(() => RestoreModelFieldPayload, {
    description:
      'Brings a field back from the trash, with its values. It is not required any more when ' +
      'items were made without it. MODEL_NOT_FOUND, CONFLICT, MODEL_EXISTS.',
  })
  async restoreModelField(
    @Ctx() context: RequestContext,
    @InputArg(RestoreModelFieldInput) input: RestoreModelFieldInput,
  ): Promise<FieldChange> {
    return changed(context, { id: await restoreField(context, input) });
  }
}

async function changed(
  context: RequestContext,
  { id, oldName }: { id: number; oldName?: string | undefined },
): Promise<FieldChange> {
  const { model, part, position } = await fieldOf(context, { id });
  return { field: new ModelField(model, part, position, oldName), model: new Model(model) };
}
