import { Field, InputType, Int } from 'type-graphql';
import { IdField } from '../../../core/marks.js';

@InputType({ description: 'A model to make again what it was.' })
export class ReturnModelInput {
  @IdField('Model', { description: 'The model.' })
  id!: number;

  @Field(() => Int, {
    description: 'The version that the model has. CONFLICT when it has another.',
  })
  version!: number;

  @Field(() => Int, { description: 'The version to return to.' })
  to!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'How many values of items may be lost. Default 0. MODEL_WOULD_LOSE.',
  })
  maxLost?: number | null;
}
