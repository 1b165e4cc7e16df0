import { Field, InputType } from 'type-graphql';
import { IdField, idInput } from '../../core/marks.js';
import { Reason } from '../../core/scalars.js';

@InputType({ description: 'Whose care must be opened, and why.' })
export class BreakGlassInput {
  @IdField('Account', { description: 'The member. MEMBER_NOT_FOUND.' })
  memberId!: number;

  @Field(() => Reason, { description: 'Why. Kept, and shown to the member and to administrators.' })
  reason!: string;
}

@InputType({ description: 'An opening that is to end.' })
export class EndBreakGlassInput extends idInput(
  'BreakGlass',
  'One of the own, or for administrators any. BREAK_GLASS_NOT_FOUND.',
) {}
