import { Ctx, ObjectType, Resolver } from 'type-graphql';
import { Access, capable, Visible } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { InputArg } from '../../../core/marks.js';
import { payloadType } from '../../../core/payload.js';
import { Mutation } from '../../../core/root-fields.js';
import { modelOf } from '../definition/model.service.js';
import { DeletionPayload, Model } from '../definition/model.types.js';
import { JudgeBelonging, JudgeKey } from '../definition/model-key.judgement.js';
import {
  CreateModelGroupInput,
  DeleteModelGroupInput,
  UpdateModelGroupInput,
} from './model-group.inputs.js';
import { createGroup, deleteGroup, groupOf, updateGroup } from './model-group.service.js';
import { ModelGroup } from './model-group.types.js';

const PARTS = {
  group: { type: () => ModelGroup, description: 'The group after the change.' },
  model: { type: () => Model, description: 'Its model, with the next version.' },
};
interface GroupChange {
  group: ModelGroup;
  model: Model;
}
const CreateModelGroupPayload = payloadType<GroupChange>('CreateModelGroup', PARTS);
const UpdateModelGroupPayload = payloadType<GroupChange>('UpdateModelGroup', PARTS);

@ObjectType({ description: 'What `deleteModelGroup` changed.' })
class DeleteModelGroupPayload extends DeletionPayload {
  @Visible(() => Model, { description: 'Its model, with the next version.' })
  model!: Model;
}

@Resolver()
export class ModelGroupResolver {
  @Access(capable('manage_models'))
  @JudgeBelonging()
  @Mutation(() => CreateModelGroupPayload, {
    description:
      'Adds a group of fields to a model. MODEL_NOT_FOUND, CONFLICT, MODEL_NAME_REQUIRED, ' +
      'MODEL_NAME_INVALID, MODEL_EXISTS, MODEL_TEXT_TOO_LONG, TOO_MANY.',
  })
  async createModelGroup(
    @Ctx() context: RequestContext,
    @InputArg(CreateModelGroupInput) input: CreateModelGroupInput,
  ): Promise<GroupChange> {
    return changed(context, { id: await createGroup(context, input) });
  }

  @Access(capable('manage_models'))
  @JudgeKey('group')
  @Mutation(() => UpdateModelGroupPayload, {
    description:
      'Changes a group. MODEL_NOT_FOUND, CONFLICT, MODEL_NAME_INVALID, MODEL_EXISTS, ' +
      'MODEL_TEXT_TOO_LONG, TOO_MANY.',
  })
  async updateModelGroup(
    @Ctx() context: RequestContext,
    @InputArg(UpdateModelGroupInput) input: UpdateModelGroupInput,
  ): Promise<GroupChange> {
    return changed(context, await updateGroup(context, input));
  }

  @Access(capable('manage_models'))
  @JudgeKey('group')
  @Mutation(() => DeleteModelGroupPayload, {
    description:
      'Deletes a group; its fields go into the trash. MODEL_NOT_FOUND, CONFLICT, MODEL_WOULD_LOSE.',
  })
  async deleteModelGroup(
    @Ctx() context: RequestContext,
    @InputArg(DeleteModelGroupInput) input: DeleteModelGroupInput,
  ): Promise<DeleteModelGroupPayload> {
    const { modelId } = await deleteGroup(context, input);
    const model = new Model(await modelOf(context, { id: modelId }));
    return Object.assign(new DeleteModelGroupPayload(), { model });
  }
}

async function changed(
  context: RequestContext,
  { id, oldName }: { id: number; oldName?: string | undefined },
): Promise<GroupChange> {
  const { model, part, position } = await groupOf(context, { id });
  return { group: new ModelGroup(model, part, position, oldName), model: new Model(model) };
}
