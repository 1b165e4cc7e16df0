import { InputType } from 'type-graphql';
import { IdField } from '../../core/marks.js';

@InputType({ description: 'A member and a clinician.' })
export class AssignClinicianInput {
  @IdField('Account', { description: 'The member: any account. MEMBER_NOT_FOUND.' })
  memberId!: number;

  @IdField('Account', { description: 'An account with the role CLINICIAN. CLINICIAN_INVALID.' })
  clinicianId!: number;
}

@InputType({
  description: 'Which assignments. Everything given must hold; what is null does not count.',
})
export class CareAssignmentFilter {
  @IdField('Account', { nullable: true, description: 'Of this member.' })
  memberId?: number | null;

  @IdField('Account', { nullable: true, description: 'To this clinician.' })
  clinicianId?: number | null;
}
