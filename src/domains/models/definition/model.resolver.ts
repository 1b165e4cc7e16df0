import { Arg, Args, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { Access, anyone, capable } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { InputArg } from '../../../core/marks.js';
import { type Order, OrderBy } from '../../../core/ordering.js';
import { PageArgs } from '../../../core/paging.js';
import { Mutation, Query } from '../../../core/root-fields.js';
import {
  CreateModelInput,
  DeleteModelInput,
  ModelArgs,
  ModelFilter,
  RestoreModelInput,
  UpdateModelInput,
} from './model.inputs.js';
import { modelOf } from './model.service.js';
import {
  CreateModelPayload,
  DeleteModelPayload,
  Model,
  ModelConnection,
  RestoreModelPayload,
  UpdateModelPayload,
} from './model.types.js';
import { createModel } from './model-create.service.js';
import { JudgeKey, JudgeNewModel } from './model-key.judgement.js';
import { itemCounts, modelList, visibleModel } from './model-list.service.js';
import { deleteModel, restoreModel, updateModel } from './model-update.service.js';

@Resolver(() => Model)
export class ModelResolver {
  @Access(anyone)
  @Query(() => Model, {
    description:
      'A model, by its id or its name. Public ones are for everybody, others for editors. ' +
      'MODEL_NOT_FOUND.',
  })
  async model(
    @Ctx() context: RequestContext,
    @Args(() => ModelArgs) args: ModelArgs,
  ): Promise<Model> {
    return visibleModel(context, args);
  }

  @Access(anyone)
  @Rows(20)
  @Query(() => ModelConnection, {
    description:
      'The models that the viewer may see, by name; 20 unless said otherwise. CURSOR_INVALID, ' +
      'PAGE_SIZES_BOTH.',
  })
  async models(
    @Ctx() context: RequestContext,
    @Arg('filter', () => ModelFilter, { nullable: true, description: 'Which. Default: all.' })
    filter: ModelFilter | null | undefined,
    @Args(() => PageArgs) page: PageArgs,
    @OrderBy(modelList) order: Order | null | undefined,
  ): Promise<ModelConnection> {
    return modelList.page(context, { ...page, ...filter }, order);
  }

  @Access(capable('manage_models'))
  @JudgeNewModel()
  @Mutation(() => CreateModelPayload, {
    description:
      'Makes a model. MODEL_NAME_REQUIRED, MODEL_NAME_INVALID, MODEL_EXISTS, ' +
      'MODEL_NOT_EXTENDABLE, MODEL_TEXT_TOO_LONG, TOO_MANY.',
  })
  async createModel(
    @Ctx() context: RequestContext,
    @InputArg(CreateModelInput) input: CreateModelInput,
  ): Promise<object> {
    return changed(context, { id: await createModel(context, input) });
  }

  @Access(capable('manage_models'))
  @JudgeKey('model')
  @Mutation(() => UpdateModelPayload, {
    description:
      'Changes a model; items keep their values. MODEL_NOT_FOUND, CONFLICT, MODEL_EXISTS, ' +
      'MODEL_NAME_INVALID, MODEL_TEXT_TOO_LONG, TOO_MANY.',
  })
  async updateModel(
    @Ctx() context: RequestContext,
    @InputArg(UpdateModelInput) input: UpdateModelInput,
  ): Promise<object> {
    return changed(context, await updateModel(context, input));
  }

  @Access(capable('manage_models'))
  @JudgeKey('model')
  @Mutation(() => DeleteModelPayload, {
    description: 'Puts a model into the trash for 30 days. MODEL_NOT_FOUND, CONFLICT.',
  })
  async deleteModel(
    @Ctx() context: RequestContext,
    @InputArg(DeleteModelInput) input: DeleteModelInput,
  ): Promise<DeleteModelPayload> {
    const { id, items } = await deleteModel(context, input);
    return Object.assign(new DeleteModelPayload(), { databaseId: id, itemCount: items });
  }

  @Access(capable('manage_models'))
  @Mutation(() => RestoreModelPayload, {
    description: 'Brings a model back from the trash. MODEL_NOT_FOUND, MODEL_EXISTS.',
  })
  async restoreModel(
    @Ctx() context: RequestContext,
    @InputArg(RestoreModelInput) input: RestoreModelInput,
  ): Promise<object> {
    return changed(context, { id: await restoreModel(context, input) });
  }

  @Access(anyone)
  @FieldResolver(() => Int, {
    nullable: true,
    description: 'How many items it has.',
  })
  async itemCount(@Ctx() context: RequestContext, @Root() { row }: Model): Promise<number> {
    return (await context.loader(itemCounts).load(row.id)) ?? 0;
  }
}

async function changed(
  context: RequestContext,
  { id, oldName }: { id: number; oldName?: string | undefined },
): Promise<{ model: Model }> {
  return { model: new Model(await modelOf(context, { id }), oldName) };
}
