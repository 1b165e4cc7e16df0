import { Field, InputType } from 'type-graphql';
import { BasedOn, IdField } from '../../../core/marks.js';
import { DosesADay, IntervalMinutes } from '../../../core/scalars.js';

@InputType({
  description:
    'How often a medicine may be taken as needed. Null takes a limit away: what the schedule ' +
    'or its phrase states, such as "at most 4 a day", holds then.',
})
export class LimitDosesInput {
  @IdField('MedicineReminder', { description: 'Which medicine.' })
  id!: number;

  @BasedOn()
  version?: number | null;

  @Field(() => DosesADay, {
    nullable: true,
    description: 'Most doses within 24 hours, 1 to 48. Absent: as it is.',
  })
  maxPerDay?: number | null;

  @Field(() => IntervalMinutes, {
    nullable: true,
    description: 'Minutes between two doses at least, 1 to 10,080. Absent: as it is.',
  })
  leastInterval?: number | null;
}
