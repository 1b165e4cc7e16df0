import { ArgsType, Field, InputType, Int } from 'type-graphql';
import { IdField, Internal, Required } from '../../../core/marks.js';
import { KeyText, LongText, Text } from '../../../core/scalars.js';
import { ModelOptionInput } from '../definition/model.inputs.js';
import {
  CreatePartInput,
  DeletePartInput,
  UpdatePartInput,
} from '../definition/model-part.inputs.js';
import { ModelFieldType } from './field-types.js';

const VERSION = 'The version of the model. CONFLICT when the model has another.';

@InputType({ description: 'A new field.' })
export class CreateModelFieldInput extends CreatePartInput {
  @IdField('ModelGroup', { nullable: true, description: 'The group. Default: none.' })
  groupId?: number | null;

  @Internal()
  @Field(() => KeyText, { nullable: true, description: 'The Group name.' })
  group?: string | null;

  @Field(() => LongText, {
    nullable: true,
    description:
      'Its name, unique in the model; default: made of the label. MODEL_NAME_RESERVED, ' +
      'MODEL_EXISTS.',
  })
  name?: string | null;

  @Field(() => ModelFieldType, { description: 'What it holds.' })
  type!: ModelFieldType;
}

@InputType({ description: 'A change of a field. What is absent or null stays.' })
export class UpdateModelFieldInput extends UpdatePartInput {
  @Required()
  @IdField('ModelField', { nullable: true, description: 'The field.' })
  id?: number | null;

  @Internal()
  @Field(() => KeyText, { nullable: true, description: 'The Field slug.' })
  slug?: string | null;

  @Field(() => LongText, {
    nullable: true,
    description: 'A new name; null or empty stays as it is. Values of items stay.',
  })
  name?: string | null;

  @Field(() => ModelFieldType, {
    nullable: true,
    description: 'A new type. Values are converted: see `modelFieldChange`. MODEL_WOULD_LOSE.',
  })
  type?: ModelFieldType | null;

  /** REST takes any word. */
  @Internal()
  @Field(() => Text, { nullable: true, description: 'The new Field type.' })
  typeName?: string | null;

  @IdField('ModelGroup', { nullable: true, description: 'Another group; 0 for none.' })
  groupId?: number | null;

  @Internal()
  @Field(() => KeyText, { nullable: true, description: 'The new Group name.' })
  group?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'How many values of items may be lost. Default 0. MODEL_WOULD_LOSE.',
  })
  maxLost?: number | null;
}

@InputType({
  description: 'A field to put into the trash: it comes back for 30 days, with its values.',
})
export class DeleteModelFieldInput extends DeletePartInput {
  @Required()
  @IdField('ModelField', { nullable: true, description: 'The field.' })
  id?: number | null;

  @Internal()
  @Field(() => KeyText, { nullable: true, description: 'The Field slug.' })
  slug?: string | null;
}

@InputType({ description: 'A field to bring back from the trash.' })
export class RestoreModelFieldInput {
  @IdField('ModelField', { description: 'The field.' })
  id!: number;

  @Field(() => Int, { description: VERSION })
  version!: number;

  @Field(() => Text, { nullable: true, description: 'Another name, when its own was taken.' })
  name?: string | null;
}

@ArgsType()
export class ModelFieldChangeArgs {
  @IdField('ModelField', { description: 'The field.' })
  id!: number;

  @Field(() => ModelFieldType, { nullable: true, description: 'The new type.' })
  type?: ModelFieldType | null;

  @Field(() => [ModelOptionInput], { nullable: true, description: 'Options to set.' })
  options?: ModelOptionInput[] | null;
}
