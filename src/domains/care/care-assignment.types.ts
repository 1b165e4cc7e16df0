import { Field, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../core/access.js';
import { connectionType } from '../../core/paging.js';
import { DateTime } from '../../core/scalars.js';

@ObjectType({ description: 'A member whom an administrator assigned to a clinician.' })
export class CareAssignment {
  memberId!: number;
  clinicianId!: number;

  @Access(anyone)
  @Field(() => DateTime, { description: 'Since when, in UTC.' })
  createdAt!: Date;
}

/** A page of assignments. */
export const CareAssignmentConnection = connectionType(
  CareAssignment,
  'CareAssignment',
  'an assignment',
);

@ObjectType({
  description:
    'A clinician opened the care of a member who is not assigned to them. The member is told.',
})
export class BreakGlass {
  memberId!: number;
  clinicianId!: number;

  @Access(anyone)
  @Field(() => Int, { description: 'Id of the event.' })
  id!: number;

  @Access(anyone)
  @Field({ description: 'Why, in the words of the clinician.' })
  reason!: string;

  @Access(anyone)
  @Field(() => DateTime, { description: 'When, in UTC.' })
  createdAt!: Date;

  @Access(anyone)
  @Field(() => DateTime, {
    description: 'When the right to see ends, in UTC: 60 minutes later.',
  })
  endsAt!: Date;
}
