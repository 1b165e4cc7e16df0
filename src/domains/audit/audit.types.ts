import { DateTimeISOResolver, JSONObjectResolver } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../core/access.js';
import { pageType } from '../../core/paging.js';

@ObjectType({
  description:
    'Something that happened and can be proved: it cannot be changed or removed without a trace.',
})
export class AuditEvent {
  @Access(anyone)
  @Field(() => ID, { description: 'Number of the row.' })
  id!: string;

  @Access(anyone)
  @Field(() => DateTimeISOResolver, { description: 'When, in UTC.' })
  at!: Date;

  @Access(anyone)
  @Field(() => Int, {
    nullable: true,
    description: 'Id of the account that did it; null for the service and the anonymous.',
  })
  actorId!: number | null;

  @Access(anyone)
  @Field(() => Int, {
    nullable: true,
    description: 'Id of the account whose data or rights it is about; null for nobody.',
  })
  subjectId!: number | null;

  @Access(anyone)
  @Field({
    description:
      'What happened, as `<noun>.<verb>`: session.start, care.break_glass, reminder.read.',
  })
  action!: string;

  @Access(anyone)
  @Field(() => JSONObjectResolver, {
    nullable: true,
    description:
      'What else is known, by name. Null when there is nothing, and for good when the account ' +
      'it is about was erased.',
  })
  detail!: Record<string, string | number | boolean> | null;
}

/** A page of events. */
export const AuditEventConnection = pageType(AuditEvent, 'AuditEvent', 'event');
