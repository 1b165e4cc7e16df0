import { Int, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Rows } from '../../../core/cost.js';
import { Node } from '../../../core/node.js';
import { ClockZone } from '../../../core/scalars.js';
import { Account } from '../../accounts/account.types.js';
import { Adherence } from '../dose/adherence.types.js';
import { AppointmentEvent, CalendarEvent } from './event.types.js';

@ObjectType({ implements: Node, description: 'What a member, or a carer, sees first.' })
export class MemberHome {
  memberId!: number;

  /** The key: there is one home of a member. */
  get id(): number {
    return this.memberId;
  }

  @Visible(() => Account, { description: 'Whose home it is.' })
  member!: Account;

  @Visible(() => Int, {
    description:
      'Version of the feed CALENDAR of the member that this shows: give it to `changes` as ' +
      '`since`.',
  })
  version!: number;

  @Visible(() => Int, {
    description:
      'Version of the feed NOTIFICATIONS of the caller that this shows: give it to `changes` ' +
      'as `since`.',
  })
  notificationsVersion!: number;

  @Visible(() => ClockZone, { description: 'The zone by whose clocks the member lives.' })
  timeZone!: string;

  @Rows(10)
  @Visible(() => [CalendarEvent], {
    description: 'The doses and appointments of today, in order of time.',
  })
  today!: CalendarEvent[];

  @Visible(() => AppointmentEvent, {
    nullable: true,
    description: 'The next appointment, whenever it is; null when there is none.',
  })
  nextAppointment!: AppointmentEvent | null;

  @Visible(() => Int, {
    description: 'How many notifications the caller, whoever the home is of, has not read.',
  })
  unreadNotifications!: number;

  @Visible(() => Adherence, {
    description: 'What became of the doses of this day and the six before it.',
  })
  week!: Adherence;
}
