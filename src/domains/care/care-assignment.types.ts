import { DateTimeISOResolver } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../core/access.js';
import { pageType } from '../../core/paging.js';

@ObjectType({ description: 'A member whom an administrator assigned to a clinician.' })
export class CareAssignment {
  memberId!: number;
  clinicianId!: number;

  @Access(anyone)
  @Field(() => DateTimeISOResolver, { description: 'Since when, in UTC.' })
  createdAt!: Date;
}

/** A page of assignments. */
export const CareAssignmentConnection = pageType(CareAssignment, 'CareAssignment', 'assignment');

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
  @Field(() => DateTimeISOResolver, { description: 'When, in UTC.' })
  createdAt!: Date;

  @Access(anyone)
  @Field(() => DateTimeISOResolver, {
    description: 'When the right to see ends, in UTC: 60 minutes later.',
  })
  endsAt!: Date;
}
