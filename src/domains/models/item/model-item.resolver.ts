import { JSONObjectResolver } from 'graphql-scalars';
import { Arg, Args, Ctx, createUnionType, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { Access, anyone, capable, type RowRule } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows, WEIGHTS, Weight } from '../../../core/cost.js';
import { IdArg, InputArg } from '../../../core/marks.js';
import { Mutation, Query } from '../../../core/root-fields.js';
import { Text } from '../../../core/scalars.js';
import type { Viewer } from '../../../core/viewer.js';
import { accountsById } from '../../accounts/account.service.js';
import { Account } from '../../accounts/account.types.js';
import { HealthcareItem, Page, Post } from '../../content/item/item-kinds.types.js';
import { Media } from '../../content/media/media.types.js';
import { Term } from '../../content/term/term.types.js';
import { Model } from '../definition/model.types.js';
import { readableFields } from '../field/field-access.js';
import type { StoredValue } from '../field/value-rule.js';
import {
  CreateModelItemInput,
  DeleteModelItemInput,
  ModelItemsArgs,
  UpdateModelItemInput,
} from './model-item.inputs.js';
import { modelItemOf } from './model-item.service.js';
import {
  CreateModelItemPayload,
  DeleteModelItemPayload,
  ModelItem,
  ModelItemConnection,
  ModelItemField,
  UpdateModelItemPayload,
} from './model-item.types.js';
import { listModelItems } from './model-item-list.service.js';
import { createModelItem, deleteModelItem, updateModelItem } from './model-item-write.service.js';
import { ModelPickValue } from './model-value.types.js';
import { targetsOf, visibleIds, visibleValue } from './pick-target.service.js';

const INVALID =
  'MODEL_FIELD_UNKNOWN, MODEL_VALUE_INVALID, MODEL_VALUE_REQUIRED: `problems` has all.';

/** Access rule: who writes items. */
const editors: RowRule = (viewer: Viewer) =>
  viewer.can('edit_model_items')
    ? undefined
    : { reason: 'FORBIDDEN', message: 'Only editors see this.' };

export const ModelTarget = createUnionType({
  name: 'ModelTarget',
  description: 'What a value of an item can point at.',
  types: () => [ModelItem, Post, Page, HealthcareItem, Term, Media, Account] as const,
});

@Resolver(() => Model)
export class ModelItemsResolver {
  @Access(anyone)
  @Rows(20)
  @FieldResolver(() => ModelItemConnection, {
    nullable: true,
    description:
      'Its items, the newest first unless said otherwise; 20 unless said otherwise. ' +
      'MODEL_FIELD_UNKNOWN, MODEL_VALUE_INVALID, TOO_MANY, CURSOR_INVALID, PAGE_SIZES_BOTH.',
  })
  async items(
    @Ctx() context: RequestContext,
    @Root() { row }: Model,
    @Args(() => ModelItemsArgs) args: ModelItemsArgs,
  ): Promise<ModelItemConnection> {
    return listModelItems(context, row, args);
  }
}

@Resolver(() => ModelItem)
export class ModelItemResolver {
  @Access(anyone)
  @Query(() => ModelItem, {
    description: 'An item of a model that the viewer may see. MODEL_NOT_FOUND.',
  })
  async modelItem(
    @Ctx() context: RequestContext,
    @IdArg('id', 'ModelItem', { description: 'Its id.' }) id: number,
  ): Promise<ModelItem> {
    return modelItemOf(context, id);
  }

  @Access(capable('edit_model_items'))
  @Mutation(() => CreateModelItemPayload, {
    description: `Makes an item of a model. MODEL_NOT_FOUND. ${INVALID}`,
  })
  async createModelItem(
    @Ctx() context: RequestContext,
    @InputArg(CreateModelItemInput) input: CreateModelItemInput,
  ): Promise<{ item: ModelItem }> {
    return { item: await createModelItem(context, input) };
  }

  @Access(capable('edit_model_items'))
  @Mutation(() => UpdateModelItemPayload, {
    description: `Changes values of an item. MODEL_NOT_FOUND, CONFLICT. ${INVALID}`,
  })
  async updateModelItem(
    @Ctx() context: RequestContext,
    @InputArg(UpdateModelItemInput) input: UpdateModelItemInput,
  ): Promise<{ item: ModelItem }> {
    return { item: await updateModelItem(context, input) };
  }

  @Access(capable('edit_model_items'))
  @Mutation(() => DeleteModelItemPayload, {
    description: 'Deletes an item for good. MODEL_NOT_FOUND, CONFLICT.',
  })
  async deleteModelItem(
    @Ctx() context: RequestContext,
    @InputArg(DeleteModelItemInput) input: DeleteModelItemInput,
  ): Promise<{ item: ModelItem }> {
    return { item: await deleteModelItem(context, input) };
  }

  @Access(anyone)
  @Weight(WEIGHTS.text)
  @FieldResolver(() => JSONObjectResolver, {
    description:
      'Its values by the names of fields, as they are given on input: of the fields that the ' +
      'viewer may read, without passwords, and of picked rows those that the viewer may see. ' +
      '`fields` has them with their types.',
  })
  async values(
    @Ctx() context: RequestContext,
    @Root() { row }: ModelItem,
  ): Promise<Record<string, unknown>> {
    const fields = readableFields(context.viewer, row.model.document).filter(
      ({ id, type }) => type !== 'password' && row.values[id] !== undefined,
    );
    const entries = fields.map(async (field) => [
      field.name,
      await visibleValue(context, field, row.values[field.id] as StoredValue),
    ]);
    return Object.fromEntries(
      (await Promise.all(entries)).filter(([, value]) => value !== undefined),
    );
  }

  @Access(anyone)
  @FieldResolver(() => Model, { description: 'Its model.' })
  model(@Root() { row }: ModelItem): Model {
    return new Model(row.model);
  }

  @Access(anyone)
  @Rows(20)
  @FieldResolver(() => [ModelItemField], {
    description:
      'Its fields that the viewer may read, with their values, in the order of the model; those ' +
      'named, or all.',
  })
  fields(
    @Ctx() { viewer }: RequestContext,
    @Root() { row }: ModelItem,
    @Arg('names', () => [Text], { nullable: true, description: 'Names of fields.' })
    names?: string[] | null,
  ): ModelItemField[] {
    return readableFields(viewer, row.model.document).flatMap((field) =>
      !names || names.includes(field.name) ? [new ModelItemField(field, row.values[field.id])] : [],
    );
  }

  @Access(editors)
  @FieldResolver(() => Account, {
    nullable: true,
    description: 'Who made it; null when the account is gone. For editors.',
  })
  async author(
    @Ctx() context: RequestContext,
    @Root() { row }: ModelItem,
  ): Promise<Account | undefined> {
    return row.authorId ? context.loader(accountsById).load(row.authorId) : undefined;
  }
}

@Resolver(() => ModelPickValue)
export class ModelPickResolver {
  @Access(anyone)
  @Rows(3)
  @FieldResolver(() => [ModelTarget], {
    description:
      'The rows themselves: those that the viewer may see. Of accounts, the authors of published ' +
      'content; for administrators all.',
  })
  async targets(
    @Ctx() context: RequestContext,
    @Root() { field, ids }: ModelPickValue,
  ): Promise<object[]> {
    return targetsOf(context, field, ids);
  }

  @Access(anyone)
  @Rows(3)
  @FieldResolver(() => [Int], {
    description:
      'Numbers of the rows that the viewer may see, in the order in which they were picked.',
  })
  async databaseIds(
    @Ctx() context: RequestContext,
    @Root() { field, ids }: ModelPickValue,
  ): Promise<readonly number[]> {
    return visibleIds(context, field, ids);
  }
}

export const MODEL_ITEM_RESOLVERS = [
  ModelItemsResolver,
  ModelItemResolver,
  ModelPickResolver,
] as const;
