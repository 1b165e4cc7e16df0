import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { Model, managers } from '../definition/model.types.js';
import { ModelGroup } from '../group/model-group.types.js';
import { fieldsOf, groupsOf, removedFieldsOf } from './field-access.js';
import { ModelField } from './model-field.types.js';

const DESCRIPTION = 'Its fields that the viewer may read, in their order.';

@Resolver(() => Model)
export class ModelFieldListResolver {
  @Access(anyone)
  @Rows(50)
  @FieldResolver(() => [ModelField], { description: DESCRIPTION })
  fields(@Ctx() context: RequestContext, @Root() { row }: Model): ModelField[] {
    return fieldsOf(context.viewer, row);
  }

  @Access(managers)
  @Rows(20)
  @FieldResolver(() => [ModelField], {
    nullable: true,
    description: 'Fields in the trash: they can be brought back for 30 days. For administrators.',
  })
  removedFields(@Ctx() context: RequestContext, @Root() { row }: Model): ModelField[] {
    return removedFieldsOf(context, row);
  }

  @Access(anyone)
  @Rows(50)
  @FieldResolver(() => [ModelGroup], {
    description: 'Its groups of fields that the viewer may read, in their order.',
  })
  groups(@Ctx() context: RequestContext, @Root() { row }: Model): ModelGroup[] {
    return groupsOf(context.viewer, row);
  }
}

@Resolver(() => ModelGroup)
export class GroupFieldListResolver {
  @Access(anyone)
  @Rows(50)
  @FieldResolver(() => [ModelField], { description: DESCRIPTION })
  fields(@Ctx() context: RequestContext, @Root() { model, part }: ModelGroup): ModelField[] {
    return fieldsOf(context.viewer, model).filter((field) => field.part.groupId === part.id);
  }
}

export const FIELD_LIST_RESOLVERS = [ModelFieldListResolver, GroupFieldListResolver] as const;
