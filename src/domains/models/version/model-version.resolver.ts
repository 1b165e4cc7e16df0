import { Arg, Args, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { Access, anyone, capable } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { InputArg } from '../../../core/marks.js';
import { PageArgs } from '../../../core/paging.js';
import { Mutation } from '../../../core/root-fields.js';
import { accountsById } from '../../accounts/account.service.js';
import { Account } from '../../accounts/account.types.js';
import { modelOf } from '../definition/model.service.js';
import { Model, managers } from '../definition/model.types.js';
import { ReturnModelInput } from './model-version.inputs.js';
import { differencesOf, listVersions, returnModel } from './model-version.service.js';
import {
  ModelDifference,
  ModelVersion,
  ModelVersionConnection,
  ReturnModelPayload,
} from './model-version.types.js';

@Resolver(() => Model)
export class ModelVersionsResolver {
  @Access(managers)
  @Rows(20)
  @FieldResolver(() => ModelVersionConnection, {
    nullable: true,
    description:
      'Its versions, the newest first; 20 unless said otherwise. For administrators. ' +
      'CURSOR_INVALID, PAGE_SIZES_BOTH.',
  })
  async versions(
    @Ctx() context: RequestContext,
    @Root() { row }: Model,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<ModelVersionConnection> {
    return listVersions(context, row.id, page);
  }
}

@Resolver(() => ModelVersion)
export class ModelVersionResolver {
  @Access(capable('manage_models'))
  @Mutation(() => ReturnModelPayload, {
    description:
      'Makes a model what it was in an earlier version, but for fields that have been in the trash for 30 days: ' +
      'these stay away. Fields that have followed the rename of a model still point at it. ' +
      'MODEL_NOT_FOUND, CONFLICT, MODEL_WOULD_LOSE, MODEL_VALUES_MISSING, MODEL_EXISTS.',
  })
  async returnModel(
    @Ctx() context: RequestContext,
    @InputArg(ReturnModelInput) input: ReturnModelInput,
  ): Promise<{ model: Model }> {
    await returnModel(context, input);
    return { model: new Model(await modelOf(context, { id: input.id })) };
  }

  @Access(anyone)
  @FieldResolver(() => Account, {
    nullable: true,
    description: 'Who did it; null for a command, and when the account is gone.',
  })
  async author(
    @Ctx() context: RequestContext,
    @Root() { accountId }: ModelVersion,
  ): Promise<Account | undefined> {
    return accountId ? context.loader(accountsById).load(accountId) : undefined;
  }

  @Access(anyone)
  @Rows(20)
  @FieldResolver(() => [ModelDifference], {
    nullable: true,
    description: 'In what it differs from another version, by default from the one before it.',
  })
  async differences(
    @Ctx() context: RequestContext,
    @Root() version: ModelVersion,
    @Arg('since', () => Int, { nullable: true, description: 'The number of the other version.' })
    since?: number | null,
  ): Promise<ModelDifference[]> {
    return differencesOf(context, version, since);
  }
}

export const MODEL_VERSION_RESOLVERS = [ModelVersionsResolver, ModelVersionResolver] as const;
