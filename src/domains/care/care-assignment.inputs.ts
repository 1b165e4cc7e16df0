import { Field, ID, InputType } from 'type-graphql';
import { IdOf } from '../../core/marks.js';

@InputType({ description: 'A member and a clinician.' })
export class AssignClinicianInput {
  @IdOf('Account')
  @Field(() => ID, { description: 'The member: any account. MEMBER_NOT_FOUND.' })
  memberId!: number;

  @IdOf('Account')
  @Field(() => ID, { description: 'An account with the role CLINICIAN. CLINICIAN_INVALID.' })
  clinicianId!: number;
}

@InputType({
  description: 'Which assignments. Everything given must hold; what is null does not count.',
})
export class CareAssignmentFilter {
  @IdOf('Account')
  @Field(() => ID, { nullable: true, description: 'Of this member.' })
  memberId?: number | null;

  @IdOf('Account')
  @Field(() => ID, { nullable: true, description: 'To this clinician.' })
  clinicianId?: number | null;
}
