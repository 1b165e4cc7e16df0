import { Field, ID, InputType, Int } from 'type-graphql';
import { IdOf, Internal, Required } from '../../../core/marks.js';
import { KeyText, LongText, Text } from '../../../core/scalars.js';
import { ModelChangeInput } from '../definition/model.inputs.js';

@InputType({ description: 'A new group of fields.' })
export class CreateModelGroupInput extends ModelChangeInput {
  @Required()
  @IdOf('Model')
  @Field(() => ID, { nullable: true, description: 'The model.' })
  modelId?: number | null;

  @Internal()
  @Field(() => KeyText, { nullable: true, description: 'The Pod ID.' })
  modelKey?: string | null;

  @Internal()
  @Field(() => KeyText, { nullable: true, description: 'The Pod name.' })
  model?: string | null;

  @Field(() => LongText, {
    nullable: true,
    description: 'Its name, unique in the model; default: made of the label.',
  })
  name?: string | null;

  @Field(() => LongText, { description: 'Its name for people.' })
  label!: string;
}

@InputType({ description: 'A change of a group. What is absent or null stays.' })
export class UpdateModelGroupInput extends ModelChangeInput {
  @Required()
  @IdOf('ModelGroup')
  @Field(() => ID, { nullable: true, description: 'The group.' })
  id?: number | null;

  @Internal()
  @Field(() => KeyText, { nullable: true, description: 'The Pod name.' })
  model?: string | null;

  @Internal()
  @Field(() => KeyText, { nullable: true, description: 'The Group slug.' })
  slug?: string | null;

  /** An option like others, but a parameter of REST. */
  @Internal()
  @Field(() => Text, { nullable: true, description: 'The new Group type.' })
  typeName?: string | null;

  @Field(() => LongText, { nullable: true, description: 'A new name.' })
  name?: string | null;

  @Field(() => LongText, { nullable: true, description: 'Its name for people.' })
  label?: string | null;
}

@InputType({ description: 'A group to delete. Its fields go into the bin.' })
export class DeleteModelGroupInput {
  @Required()
  @IdOf('ModelGroup')
  @Field(() => ID, { nullable: true, description: 'The group.' })
  id?: number | null;

  @Internal()
  @Field(() => KeyText, { nullable: true, description: 'The Pod name.' })
  model?: string | null;

  @Internal()
  @Field(() => KeyText, { nullable: true, description: 'The Group slug.' })
  slug?: string | null;

  @Required()
  @Field(() => Int, {
    nullable: true,
    description: 'The version of the model. CONFLICT when the model has another.',
  })
  version?: number | null;
}
