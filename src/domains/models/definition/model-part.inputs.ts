import { Field, InputType, Int } from 'type-graphql';
import { IdField, Internal, Required } from '../../../core/marks.js';
import { KeyText, LongText } from '../../../core/scalars.js';
import { ModelChangeInput } from './model.inputs.js';

/** What a new group or field has. */
@InputType()
export abstract class CreatePartInput extends ModelChangeInput {
  @Required()
  @IdField('Model', { nullable: true, description: 'The model.' })
  modelId?: number | null;

  @Internal()
  @Field(() => KeyText, { nullable: true, description: 'The Pod ID.' })
  modelKey?: string | null;

  @Internal()
  @Field(() => KeyText, { nullable: true, description: 'The Pod name.' })
  model?: string | null;

  @Field(() => LongText, { description: 'Its name for people.' })
  label!: string;
}

/** What a change of a group or field may have. */
@InputType()
export abstract class UpdatePartInput extends ModelChangeInput {
  @Internal()
  @Field(() => KeyText, { nullable: true, description: 'The Pod name.' })
  model?: string | null;

  @Field(() => LongText, { nullable: true, description: 'Its name for people.' })
  label?: string | null;
}

/** What a deletion of a group or field has. */
@InputType()
export abstract class DeletePartInput {
  @Internal()
  @Field(() => KeyText, { nullable: true, description: 'The Pod name.' })
  model?: string | null;

  @Required()
  @Field(() => Int, {
    nullable: true,
    description: 'The version of the model. CONFLICT when the model has another.',
  })
  version?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'How many values of items may go with it. Default 0. MODEL_WOULD_LOSE.',
  })
  maxLost?: number | null;
}
