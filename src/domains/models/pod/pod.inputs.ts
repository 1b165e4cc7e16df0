import { ArgsType, Field, Int } from 'type-graphql';
import { AnyJson, AnyWords, IdWords, KeyText, TypeWords } from '../../../core/scalars.js';
import { PodReturn } from '../definition/model-enums.js';

/** Names a model, group or field as the paths of REST do. */
@ArgsType()
export class PodKeyArgs {
  @Field(() => Int, { nullable: true, description: 'The ID.' })
  id?: number | null;

  @Field(() => KeyText, { nullable: true, description: 'The Pod slug.' })
  model?: string | null;

  @Field(() => KeyText, { nullable: true, description: 'The slug.' })
  slug?: string | null;
}

/** What lists answer, and what all of them can be filtered by. */
@ArgsType()
abstract class ListArgs {
  @Field(() => PodReturn, { nullable: true, description: 'The type of data to return.' })
  returnType?: PodReturn | null;

  @Field(() => AnyJson, { nullable: true, description: 'A list of arguments to filter by.' })
  args?: unknown;
}

/** Filters of a list of models. */
@ArgsType()
export class PodListArgs extends ListArgs {
  @Field(() => TypeWords, { nullable: true, description: 'A list of types to filter by.' })
  types?: string[] | null;

  @Field(() => IdWords, { nullable: true, description: 'A list of IDs to filter by.' })
  ids?: string[] | null;
}

/** Filters of a list of groups or fields. */
@ArgsType()
export class PartListArgs extends ListArgs {
  @Field(() => AnyWords, { nullable: true, description: 'A list of types to filter by.' })
  types?: string[] | null;

  @Field(() => AnyWords, { nullable: true, description: 'A list of IDs to filter by.' })
  ids?: string[] | null;

  @Field(() => KeyText, { nullable: true, description: 'Only those of this Pod.' })
  pod?: string | null;

  @Field(() => KeyText, { nullable: true, description: 'Only those of this Group.' })
  group?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether to include the parent.' })
  includeParent?: boolean | null;
}
