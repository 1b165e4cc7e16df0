import { JSONObjectResolver, JSONResolver } from 'graphql-scalars';
import { Arg, Args, Ctx, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { Access, anyone, capable, Visible } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Internal } from '../../../core/marks.js';
import { Points } from '../../../core/quota.js';
import { Query } from '../../../core/root-fields.js';
import { modelOf } from '../definition/model.service.js';
import { Model, managers } from '../definition/model.types.js';
import { JudgeKey } from '../definition/model-key.judgement.js';
import { groupsOf } from '../field/field-access.js';
import { fieldOf } from '../field/model-field.service.js';
import { ModelField } from '../field/model-field.types.js';
import { groupOf } from '../group/model-group.service.js';
import { ModelGroup } from '../group/model-group.types.js';
import { PartListArgs, PodKeyArgs, PodListArgs } from './pod.inputs.js';
import { fieldObject, groupObject, groupWithFields, type Pod, podOf } from './pod.js';
import { listPodFields, listPodGroups, listPods } from './pod-list.service.js';
import { itemSchemas } from './pod-schema.service.js';

@ObjectType({ description: 'Models, groups or fields as REST lists them.' })
class PodList {
  @Internal()
  @Visible(() => JSONResolver, { description: 'Objects, names, numbers or a count.' })
  result!: unknown;
}

@ObjectType({ description: 'What items of models hold.' })
class PodSchemas {
  @Internal()
  @Visible(() => JSONObjectResolver, { description: 'JSON schemas by the names of models.' })
  schemas!: object;
}

const listed = (result: unknown) => Object.assign(new PodList(), { result });

/** What the editions read of models (docs/behaviour.md 14). GraphQL callers read `models`. */
@Resolver()
export class PodResolver {
  @Internal()
  @Access(capable('manage_models'))
  @Query(() => PodList, { description: 'Models as REST lists them, by label.' })
  async podList(
    @Ctx() context: RequestContext,
    @Args(() => PodListArgs) args: PodListArgs,
  ): Promise<PodList> {
    return listed(await listPods(context, args));
  }

  @Internal()
  @Access(capable('manage_models'))
  @Query(() => PodList, { description: 'Groups as REST lists them.' })
  async podGroupList(
    @Ctx() context: RequestContext,
    @Args(() => PartListArgs) args: PartListArgs,
  ): Promise<PodList> {
    return listed(await listPodGroups(context, args));
  }

  @Internal()
  @Access(capable('manage_models'))
  @Query(() => PodList, { description: 'Fields as REST lists them.' })
  async podFieldList(
    @Ctx() context: RequestContext,
    @Args(() => PartListArgs) args: PartListArgs,
  ): Promise<PodList> {
    return listed(await listPodFields(context, args));
  }

  @Internal()
  @Access(capable('manage_models'))
  @JudgeKey('model')
  @Query(() => Model, { description: 'A model for REST. MODEL_NOT_FOUND.' })
  async podModel(
    @Ctx() context: RequestContext,
    @Args(() => PodKeyArgs) { id, slug }: PodKeyArgs,
  ): Promise<Model> {
    return new Model(await modelOf(context, { id: id ?? null, name: slug ?? null }));
  }

  @Internal()
  @Access(capable('manage_models'))
  @JudgeKey('group')
  @Query(() => ModelGroup, { description: 'A group for REST. MODEL_NOT_FOUND.' })
  async podGroup(
    @Ctx() context: RequestContext,
    @Args(() => PodKeyArgs) key: PodKeyArgs,
  ): Promise<ModelGroup> {
    const { model, part, position } = await groupOf(context, key);
    return new ModelGroup(model, part, position);
  }

  @Internal()
  @Access(capable('manage_models'))
  @JudgeKey('field')
  @Query(() => ModelField, { description: 'A field for REST. MODEL_NOT_FOUND.' })
  async podField(
    @Ctx() context: RequestContext,
    @Args(() => PodKeyArgs) key: PodKeyArgs,
  ): Promise<ModelField> {
    const { model, part, position } = await fieldOf(context, key);
    return new ModelField(model, part, position);
  }
}

@Resolver()
export class PodSchemaResolver {
  @Internal()
  @Access(anyone)
  @Points(5)
  @Query(() => PodSchemas, { description: 'What items of models hold, for REST.' })
  async podSchemas(@Ctx() context: RequestContext): Promise<PodSchemas> {
    return Object.assign(new PodSchemas(), { schemas: await itemSchemas(context) });
  }
}

@Resolver(() => Model)
export class ModelPodResolver {
  @Internal()
  @Access(managers)
  @FieldResolver(() => JSONObjectResolver, {
    nullable: true,
    description: 'The model as REST shows it.',
  })
  pod(
    @Root() { row, oldName }: Model,
    @Arg('fields', () => Boolean, { nullable: true, description: 'With its fields.' })
    fields?: boolean,
    @Arg('groups', () => Boolean, { nullable: true, description: 'With its groups.' })
    groups?: boolean,
    @Arg('groupFields', () => Boolean, {
      nullable: true,
      description: 'With the fields of each group.',
    })
    groupFields?: boolean,
  ): Pod {
    return podOf(row, { fields, groups, groupFields }, oldName);
  }
}

@Resolver(() => ModelGroup)
export class GroupPodResolver {
  @Internal()
  @Access(managers)
  @FieldResolver(() => JSONObjectResolver, {
    nullable: true,
    description: 'The group as REST shows it.',
  })
  pod(
    @Root() { model, part: group, position, oldName }: ModelGroup,
    @Arg('fields', () => Boolean, { nullable: true, description: 'With its fields.' })
    fields?: boolean,
  ): Pod {
    return fields
      ? groupWithFields(model, group, position)
      : groupObject(model.id, group, position, oldName);
  }
}

@Resolver(() => ModelField)
export class FieldPodResolver {
  @Internal()
  @Access(managers)
  @FieldResolver(() => JSONObjectResolver, {
    nullable: true,
    description: 'The field as REST shows it.',
  })
  pod(@Root() { model, part: field, position, oldName }: ModelField): Pod {
    return fieldObject(model.id, field, position, oldName);
  }

  @Access(anyone)
  @FieldResolver(() => ModelGroup, { nullable: true, description: 'Its group; null for none.' })
  group(
    @Ctx() context: RequestContext,
    @Root() { model, part: field }: ModelField,
  ): ModelGroup | undefined {
    return groupsOf(context.viewer, model).find(({ id }) => id === field.groupId);
  }
}

export const POD_RESOLVERS = [
  PodSchemaResolver,
  PodResolver,
  ModelPodResolver,
  GroupPodResolver,
  FieldPodResolver,
] as const;
