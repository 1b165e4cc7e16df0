import { JSONObjectResolver } from 'graphql-scalars';
import { ID, ObjectType } from 'type-graphql';
import { Visible } from '../../core/access.js';
import { globalId, Node, TextKey } from '../../core/node.js';
import { connectionType } from '../../core/paging.js';
import { DateTime } from '../../core/scalars.js';

const accountId = (number: number | null) => (number === null ? null : globalId('Account', number));

@TextKey()
@ObjectType({
  implements: Node,
  description:
    'Something that happened and can be proved: it cannot be changed or removed without a trace.',
})
export class AuditEvent {
  /** The number of the row: it may be larger than 32 bits. */
  id!: string;

  @Visible(() => DateTime, { description: 'When, in UTC.' })
  at!: Date;

  /** The account that did it; null for the service and the anonymous. */
  actorNumber!: number | null;

  /** The account whose data or rights it is about; null for nobody. */
  subjectNumber!: number | null;

  @Visible(() => ID, {
    nullable: true,
    description:
      'Global id of the account that did it, also once that is erased; null for the service and ' +
      'the anonymous.',
  })
  get actorId(): string | null {
    return accountId(this.actorNumber);
  }

  @Visible(() => ID, {
    nullable: true,
    description:
      'Global id of the account that it is about, also once that is erased; null for nobody.',
  })
  get subjectId(): string | null {
    return accountId(this.subjectNumber);
  }

  @Visible({
    description:
      'What happened, as `<noun>.<verb>`: session.start, care.break_glass, reminder.read.',
  })
  action!: string;

  @Visible(() => JSONObjectResolver, {
    nullable: true,
    description:
      'What else is known, by name. Null when there is nothing, and for good when the account ' +
      'it is about was erased.',
  })
  detail!: Record<string, string | number | boolean> | null;
}

/** A page of events. */
export const AuditEventConnection = connectionType(AuditEvent, 'AuditEvent', 'an event');
