import { Field, InputType } from 'type-graphql';
import { IdField, Internal, Required } from '../../../core/marks.js';
import { KeyText, LongText, Text } from '../../../core/scalars.js';
import {
  CreatePartInput,
  DeletePartInput,
  UpdatePartInput,
} from '../definition/model-part.inputs.js';

@InputType({ description: 'A new group of fields.' })
export class CreateModelGroupInput extends CreatePartInput {
  @Field(() => LongText, {
    nullable: true,
    description: 'Its name, unique in the model; default: made of the label.',
  })
  name?: string | null;
}

@InputType({ description: 'A change of a group. What is absent or null stays.' })
export class UpdateModelGroupInput extends UpdatePartInput {
  @Required()
  @IdField('ModelGroup', { nullable: true, description: 'The group.' })
  id?: number | null;

  @Internal()
  @Field(() => KeyText, { nullable: true, description: 'The Group slug.' })
  slug?: string | null;

  /** An option like others, but a parameter of REST. */
  @Internal()
  @Field(() => Text, { nullable: true, description: 'The new Group type.' })
  typeName?: string | null;

  @Field(() => LongText, {
    nullable: true,
    description: 'A new name; null or empty stays as it is.',
  })
  name?: string | null;
}

@InputType({ description: 'A group to delete. Its fields go into the trash.' })
export class DeleteModelGroupInput extends DeletePartInput {
  @Required()
  @IdField('ModelGroup', { nullable: true, description: 'The group.' })
  id?: number | null;

  @Internal()
  @Field(() => KeyText, { nullable: true, description: 'The Group slug.' })
  slug?: string | null;
}
