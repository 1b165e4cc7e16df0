import { Field, Float, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import { Rows } from '../../../core/cost.js';
import { LocalDate } from '../../../core/scalars.js';
import { MedicineReminder } from '../reminder/medicine-reminder.types.js';

/** What became of doses. */
@ObjectType({ description: 'What became of doses.' })
export class DoseCounts {
  @Access(anyone)
  @Field(() => Int, { description: 'Doses that were taken, early or late.' })
  taken = 0;

  @Access(anyone)
  @Field(() => Int, { description: 'Doses that were left out on purpose.' })
  skipped = 0;

  @Access(anyone)
  @Field(() => Int, { description: 'Doses that nobody answered for within two hours.' })
  missed = 0;

  @Access(anyone)
  @Field(() => Float, {
    nullable: true,
    description:
      'taken / (taken + skipped + missed), 0 to 1; null when there was nothing to take. What ' +
      'is due or to come, as needed or in addition does not count.',
  })
  get rate(): number | null {
    const all = this.taken + this.skipped + this.missed;
    return all === 0 ? null : this.taken / all;
  }
}

@ObjectType({ description: 'What became of the doses of a day.' })
export class DayCounts extends DoseCounts {
  @Access(anyone)
  @Field(() => LocalDate, { description: 'The day, by the clocks of the member.' })
  date!: string;
}

@ObjectType({ description: 'What became of the doses of a medicine.' })
export class MedicineCounts extends DoseCounts {
  /** The number of the reminder; 0 when it is gone for good. */
  reminderId!: number;

  @Access(anyone)
  @Field(() => MedicineReminder, {
    nullable: true,
    description: 'The medicine; null when its reminder was deleted.',
  })
  reminder?: MedicineReminder;

  @Access(anyone)
  @Field({ description: 'Name of the medicine.' })
  name!: string;
}

@ObjectType({ description: 'How a member keeps to the plan.' })
export class Adherence extends DoseCounts {
  @Access(anyone)
  @Field(() => Int, {
    description:
      'Version of the feed CALENDAR of the member that this shows: give it to `changes` as ' +
      '`since`.',
  })
  version!: number;

  @Access(anyone)
  @Rows(31)
  @Field(() => [DayCounts], { description: 'By day, in order; days without doses are left out.' })
  days!: DayCounts[];

  @Access(anyone)
  @Rows(10)
  @Field(() => [MedicineCounts], { description: 'By medicine, in order of their reminders.' })
  medicines!: MedicineCounts[];

  @Access(anyone)
  @Field(() => Int, {
    description: 'Doses logged apart: as needed, out of turn, or taken once more.',
  })
  asNeeded!: number;
}
