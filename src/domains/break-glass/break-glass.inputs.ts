import { Field, ID, InputType } from 'type-graphql';
import { IdOf } from '../../core/marks.js';
import { Reason } from '../../core/scalars.js';

@InputType({ description: 'Whose care must be opened, and why.' })
export class BreakGlassInput {
  @IdOf('Account')
  @Field(() => ID, { description: 'The member. MEMBER_NOT_FOUND.' })
  memberId!: number;

  @Field(() => Reason, { description: 'Why. Kept, and shown to the member and to administrators.' })
  reason!: string;
}

@InputType({ description: 'An opening that is to end.' })
export class EndBreakGlassInput {
  @IdOf('BreakGlass')
  @Field(() => ID, {
    description: 'One of the own, or for administrators any. BREAK_GLASS_NOT_FOUND.',
  })
  id!: number;
}
