import { ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Rows } from '../../../core/cost.js';
import { DateTime, LocalDate, TimeOfDay } from '../../../core/scalars.js';
import { Weekday } from '../../../core/weekday.js';
import { MedicineReminder } from '../reminder/medicine-reminder.types.js';
import { ReminderChange } from '../reminder/reminder-payload.types.js';
import { DoseAmount } from './dose-amount.types.js';

@ObjectType({
  description: 'How much is taken from a day or an instant on, at a time of day, on some weekdays.',
})
export class PlannedAmount extends DoseAmount {
  @Visible(() => LocalDate, {
    nullable: true,
    description: 'From which day on, until the next step; null from the beginning.',
  })
  startsOn!: string | null;

  @Visible(() => DateTime, {
    nullable: true,
    description:
      'From which instant of this day on, where it follows doses by hours; null from the ' +
      'beginning of the day.',
  })
  startsAt!: Date | null;

  @Visible(() => TimeOfDay, {
    nullable: true,
    description: 'At which clock time; null at all that have no amount of their own.',
  })
  time!: string | null;

  @Rows(7)
  @Visible(() => [Weekday], {
    description: 'On which weekdays alone; empty: on all that have no amount of their own.',
  })
  weekdays!: Weekday[];
}

@ObjectType({ description: 'What `setDoseAmounts` changed.' })
export class SetDoseAmountsPayload extends ReminderChange<MedicineReminder> {
  @Visible(() => MedicineReminder, { description: 'The reminder as it is now.' })
  declare readonly reminder: MedicineReminder;
}
