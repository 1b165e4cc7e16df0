import { Field, InputType } from 'type-graphql';
import { BasedOn, IdField, idInput } from '../../../core/marks.js';
import { LongText, ShortText } from '../../../core/scalars.js';

@InputType({ description: 'A new kind of healthcare service.' })
export class CreateHealthcareServiceTypeInput {
  @Field(() => ShortText, { description: 'Name as shown.' })
  name!: string;

  @Field(() => LongText, { nullable: true, description: 'What it stands for.' })
  description?: string | null;

  @IdField('HealthcareServiceKind', {
    nullable: true,
    description: 'The type above it. Default: none.',
  })
  parentId?: number | null;
}

@InputType({ description: 'A change of a kind of healthcare service. What is absent stays.' })
export class UpdateHealthcareServiceTypeInput {
  @IdField('HealthcareServiceKind', { description: 'The type.' })
  id!: number;

  @BasedOn()
  version?: number | null;

  @Field(() => ShortText, { nullable: true, description: 'Name; null stays as it is.' })
  name?: string | null;

  @Field(() => LongText, { nullable: true, description: 'What it stands for; null empties it.' })
  description?: string | null;

  @IdField('HealthcareServiceKind', {
    nullable: true,
    description: 'The type above it; null moves it to the top.',
  })
  parentId?: number | null;
}

@InputType({ description: 'A kind of healthcare service to delete for good.' })
export class DeleteHealthcareServiceTypeInput extends idInput(
  'HealthcareServiceKind',
  'The type. Types below it move up, and services of it are of the type above.',
) {}
