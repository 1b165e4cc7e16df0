import { Field, Float, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';

@ObjectType({ description: 'How much a dose is.' })
export class DoseAmount {
  @Access(anyone)
  @Field(() => Float, { description: 'How much, with at most three decimals.' })
  value!: number;

  @Access(anyone)
  @Field({ description: 'What is counted: tablet, ml, drop.' })
  unit!: string;
}
