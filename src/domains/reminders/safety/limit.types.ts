import { Int, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Rows } from '../../../core/cost.js';
import { type EnumValue, enumType } from '../../../core/enum-type.js';
import { DateTime } from '../../../core/scalars.js';
import { MedicineReminder } from '../reminder/medicine-reminder.types.js';
import { ReminderChange } from '../reminder/reminder-payload.types.js';

/** Why a dose that is taken now would be too much. */
export const DoseWarning = enumType('DoseWarning', 'Why a dose is more than the medicine allows.', {
  TOO_MANY: ['too_many', 'It is more than `maxPerDay` within 24 hours.'],
  TOO_SOON: ['too_soon', 'It is closer than `leastInterval` to another dose.'],
});
export type DoseWarning = EnumValue<typeof DoseWarning>;

@ObjectType({ description: 'How often a medicine may be taken, and how often it was.' })
export class DoseLimits {
  @Visible(() => Int, {
    nullable: true,
    description:
      'Most doses within 24 hours: as `limitDoses` set it, else as the schedule or its phrase ' +
      'states it; null for any. Of a largest amount of a day as many doses as fit into it by the ' +
      'amounts that the medicine has now: 0 where one is more.',
  })
  maxPerDay!: number | null;

  @Visible(() => Int, {
    nullable: true,
    description: 'Minutes between two doses at least, found likewise; null for any.',
  })
  leastInterval!: number | null;

  @Visible(() => Int, { description: 'Doses that were taken within the last 24 hours.' })
  taken!: number;

  @Visible(() => DateTime, {
    nullable: true,
    description:
      'From when on another dose keeps to the limits, in UTC; null for now, and where none ever does.',
  })
  nextAt!: Date | null;

  @Rows(2)
  @Visible(() => [DoseWarning], {
    description: 'What a dose of now would go against; at most two.',
  })
  warnings!: DoseWarning[];
}

@ObjectType({ description: 'What `limitDoses` changed.' })
export class LimitDosesPayload extends ReminderChange<MedicineReminder> {
  @Visible(() => MedicineReminder, { description: 'The reminder as it is now.' })
  declare readonly reminder: MedicineReminder;
}
