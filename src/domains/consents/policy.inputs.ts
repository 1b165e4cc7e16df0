import { Field, InputType } from 'type-graphql';
import { IdField, idInput } from '../../core/marks.js';
import { DateTime, RichText, ShortText } from '../../core/scalars.js';

@InputType({ description: 'A new version of the policy in a language.' })
export class CreatePolicyInput {
  @IdField('Language', { description: 'The language that it is written in. LANGUAGE_UNKNOWN.' })
  languageId!: number;

  @Field(() => ShortText, { description: 'Its title.' })
  title!: string;

  @Field(() => RichText, { description: 'Its text; HTML is allowed.' })
  text!: string;

  @Field(() => DateTime, {
    nullable: true,
    description: 'From when on it is in force. Default now.',
  })
  effectiveAt?: Date | null;
}

@InputType({ description: 'Which policy to delete.' })
export class DeletePolicyInput extends idInput(
  'Policy',
  'The policy. It must not be in force yet: POLICY_IN_FORCE.',
) {}

@InputType({ description: 'The policy that is agreed to.' })
export class AgreeToPolicyInput {
  @IdField('Policy', {
    nullable: true,
    description:
      'The policy that the viewer has read: CONFLICT when another one is in force by now. ' +
      'Default the one in force.',
  })
  policyId?: number | null;
}
