import { Field, InputType, Int } from 'type-graphql';
import { Reason } from '../../core/scalars.js';

@InputType({ description: 'A member and a clinician.' })
export class AssignClinicianInput {
  @Field(() => Int, { description: 'The member: any account. MEMBER_NOT_FOUND.' })
  memberId!: number;

  @Field(() => Int, { description: 'An account with the role CLINICIAN. CLINICIAN_INVALID.' })
  clinicianId!: number;
}

@InputType({
  description: 'Which assignments. Everything given must hold; what is null does not count.',
})
export class CareAssignmentFilter {
  @Field(() => Int, { nullable: true, description: 'Of this member.' })
  memberId?: number | null;

  @Field(() => Int, { nullable: true, description: 'To this clinician.' })
  clinicianId?: number | null;
}

@InputType({ description: 'Whose care must be opened, and why.' })
export class BreakGlassInput {
  @Field(() => Int, { description: 'The member. MEMBER_NOT_FOUND.' })
  memberId!: number;

  @Field(() => Reason, { description: 'Why. Kept, and shown to the member and to administrators.' })
  reason!: string;
}
