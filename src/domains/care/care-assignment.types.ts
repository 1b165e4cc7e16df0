import { ID, ObjectType } from 'type-graphql';
import { Visible } from '../../core/access.js';
import { Node, TextKey } from '../../core/node.js';
import { connectionType } from '../../core/paging.js';
import { payloadType } from '../../core/payload.js';
import { DateTime } from '../../core/scalars.js';

/** The key of an assignment: the numbers of the member and of the clinician, as `3-7`. */
export const assignmentKey = (memberId: number, clinicianId: number): string =>
  `${memberId}-${clinicianId}`;

@TextKey()
@ObjectType({
  implements: Node,
  description: 'A member whom an administrator assigned to a clinician.',
})
export class CareAssignment {
  memberId!: number;
  clinicianId!: number;

  get id(): string {
    return assignmentKey(this.memberId, this.clinicianId);
  }

  @Visible(() => DateTime, { description: 'Since when, in UTC.' })
  createdAt!: Date;
}

/** A page of assignments. */
export const CareAssignmentConnection = connectionType(
  CareAssignment,
  'CareAssignment',
  'an assignment',
);

/** What `assignClinician` returns. */
export const AssignClinicianPayload = payloadType<{ careAssignment: CareAssignment }>(
  'AssignClinician',
  { careAssignment: { type: () => CareAssignment, description: 'The assignment.' } },
);

/** What `unassignClinician` returns. */
export const UnassignClinicianPayload = payloadType<{
  deletedCareAssignmentId: string;
  careAssignment: CareAssignment;
}>('UnassignClinician', {
  deletedCareAssignmentId: { type: () => ID, description: 'Id of the assignment that has ended.' },
  careAssignment: { type: () => CareAssignment, description: 'The assignment as it was.' },
});
