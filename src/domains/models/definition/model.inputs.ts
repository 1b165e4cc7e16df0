import { JSONObjectResolver } from 'graphql-scalars';
import { ArgsType, Field, InputType, Int } from 'type-graphql';
import { IdField, Internal, Required } from '../../../core/marks.js';
import { AnyJson, KeyText, LongText, SearchText, Text } from '../../../core/scalars.js';
import { ModelKind, ModelMode, ModelStorage } from './model-kinds.js';

export const OPTIONS =
  'Options to set, in this order; one whose value is null is taken away. Those that nobody knows are kept for ' +
  'clients.';
const VERSION =
  'The version of the model that this change is made to. CONFLICT when the model has another.';

@InputType({ description: 'An option of a model, a group or a field.' })
export class ModelOptionInput {
  @Field(() => Text, { description: 'Its name. Flags are `1` and `0`.' })
  name!: string;

  @Field(() => LongText, { nullable: true, description: 'Its value; null takes it away.' })
  value?: string | null;
}

/** What every change of a model, a group or a field may hold. */
@InputType()
export abstract class ModelChangeInput {
  @Required()
  @Field(() => Int, { nullable: true, description: VERSION })
  version?: number | null;

  @Field(() => LongText, {
    nullable: true,
    description: 'What it is for. At most 10,000 characters.',
  })
  description?: string | null;

  @Field(() => [ModelOptionInput], { nullable: true, description: OPTIONS })
  options?: ModelOptionInput[] | null;

  @Internal()
  @Field(() => AnyJson, {
    nullable: true,
    description: 'A list of additional options to save.',
  })
  args?: unknown;

  @Internal()
  @Field(() => JSONObjectResolver, { nullable: true, description: 'Further fields of the body.' })
  others?: Record<string, unknown> | null;
}

@InputType({ description: 'A new model. It needs a name or a label.' })
export class CreateModelInput {
  @Field(() => LongText, {
    nullable: true,
    description:
      'Its name, in lower case without punctuation; default: made of the label. Unique. ' +
      'MODEL_EXISTS, MODEL_NAME_INVALID.',
  })
  name?: string | null;

  @Field(() => LongText, { nullable: true, description: 'Its name for people, of several items.' })
  label?: string | null;

  @Field(() => ModelKind, { description: 'What it is of.' })
  type!: ModelKind;

  @Field(() => LongText, { nullable: true, description: 'Its name for people, of one item.' })
  labelSingular?: string | null;

  @Field(() => LongText, { nullable: true, description: 'What it is for.' })
  description?: string | null;

  @Field(() => ModelStorage, { nullable: true, description: 'Default: META.' })
  storage?: ModelStorage | null;

  @Field(() => ModelMode, {
    nullable: true,
    description: 'Default: CREATE. EXTEND adds fields to what has the name. MODEL_NOT_EXTENDABLE.',
  })
  mode?: ModelMode | null;

  @Field(() => [ModelOptionInput], { nullable: true, description: OPTIONS })
  options?: ModelOptionInput[] | null;

  @Internal()
  @Field(() => LongText, { nullable: true, description: 'The menu label of the Pod.' })
  menuName?: string | null;

  @Internal()
  @Field(() => LongText, { nullable: true, description: 'The menu location of the Pod.' })
  menuLocation?: string | null;
}

@InputType({ description: 'A change of a model. What is absent or null stays.' })
export class UpdateModelInput extends ModelChangeInput {
  @Required()
  @IdField('Model', { nullable: true, description: 'The model.' })
  id?: number | null;

  @Internal()
  @Field(() => KeyText, { nullable: true, description: 'The Pod slug.' })
  slug?: string | null;

  @Field(() => LongText, {
    nullable: true,
    description:
      'A new name; null or empty stays as it is. Values of items stay, and fields of all models that point at it ' +
      'follow. MODEL_EXISTS when another model has it, and when fields point at the model while another one of its ' +
      'present name is in the trash.',
  })
  name?: string | null;

  @Field(() => LongText, { nullable: true, description: 'Its name for people, of several items.' })
  label?: string | null;

  @Field(() => LongText, { nullable: true, description: 'Its name for people, of one item.' })
  labelSingular?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'How many values of items may be lost. Default 0. MODEL_WOULD_LOSE.',
  })
  maxLost?: number | null;
}

@InputType({
  description:
    'A model to put into the trash, from which it comes back for 30 days with its items; or ' +
    'whose items are deleted for good.',
})
export class DeleteModelInput {
  @Required()
  @IdField('Model', { nullable: true, description: 'The model.' })
  id?: number | null;

  @Internal()
  @Field(() => KeyText, { nullable: true, description: 'The Pod slug.' })
  slug?: string | null;

  @Required()
  @Field(() => Int, { nullable: true, description: VERSION })
  version?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether to delete all items for good. Default: they stay with the model.',
  })
  deleteItems?: boolean | null;

  @Required()
  @Field(() => Int, {
    nullable: true,
    description: 'How many items the caller has counted (`Model.itemCount`). CONFLICT for others.',
  })
  itemCount?: number | null;
}

@InputType({ description: 'A model to bring back from the trash.' })
export class RestoreModelInput {
  @IdField('Model', { description: 'The model.' })
  id!: number;

  @Field(() => Text, { nullable: true, description: 'Another name, when its own was taken.' })
  name?: string | null;
}

@InputType({ description: 'Which models. Everything given must hold.' })
export class ModelFilter {
  @Field(() => SearchText, { nullable: true, description: 'Words in the name or the label.' })
  search?: string | null;

  @Field(() => ModelKind, { nullable: true, description: 'Only of this kind.' })
  type?: ModelKind | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: those in the trash instead. For administrators.',
  })
  removed?: boolean | null;
}

@ArgsType()
export class ModelArgs {
  @IdField('Model', { nullable: true, description: 'Its id. Give the id or the name.' })
  id?: number | null;

  @Field(() => Text, { nullable: true, description: 'Its name.' })
  name?: string | null;
}
