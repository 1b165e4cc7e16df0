import { Float, Int, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Rows } from '../../../core/cost.js';
import { CacheId, globalId } from '../../../core/node.js';
import { LocalDate } from '../../../core/scalars.js';
import { DoseAmount } from '../amount/dose-amount.types.js';
import { MedicineReminder } from '../reminder/medicine-reminder.types.js';

/**
 * Returns the denominator of adherence, and the rate: the one place that says what counts. The rate
 * is null when there was nothing to take.
 */
export function rateOf({
  taken,
  skipped,
  refused = 0,
  missed,
}: Pick<DoseCounts, 'taken' | 'skipped' | 'missed'> & { readonly refused?: number }): {
  of: number;
  rate: number | null;
} {
  const of = taken + skipped + refused + missed;
  return { of, rate: of === 0 ? null : taken / of };
}

/** What became of doses. */
@ObjectType({ description: 'What became of doses.' })
export class DoseCounts {
  @Visible(() => Int, { description: 'Doses that were taken, early or late.' })
  taken = 0;

  @Visible(() => Int, { description: 'Doses that were left out on purpose, and not refused.' })
  skipped = 0;

  @Visible(() => Int, { description: 'Doses that the member refused.' })
  refused = 0;

  @Visible(() => Int, {
    description:
      'Doses that were not needed, as on sick days: neither taken nor missed, and not in `rate`.',
  })
  unneeded = 0;

  @Visible(() => Int, { description: 'Doses that nobody answered for within two hours.' })
  missed = 0;

  /** Whether the member has ever answered a dose. */
  answers!: boolean;

  @Visible(() => Float, {
    nullable: true,
    description:
      'taken / (taken + skipped + refused + missed), 0 to 1; null when there was nothing to take, ' +
      'and unknown, null too, of a member who has never answered a dose. What is due or to come, ' +
      'not needed, as needed or in addition does not count.',
  })
  get rate(): number | null {
    return this.answers ? rateOf(this).rate : null;
  }
}

@ObjectType({ description: 'What became of the doses of a day.' })
export class DayCounts extends DoseCounts {
  @Visible(() => LocalDate, { description: 'The day, by the clocks of the member.' })
  date!: string;
}

@ObjectType({ description: 'What became of the doses of a medicine.' })
export class MedicineCounts extends DoseCounts {
  /** The number of the reminder; 0 when it is gone for good. */
  reminderId!: number;

  @Visible(() => MedicineReminder, {
    nullable: true,
    description: 'The medicine; null when its reminder was deleted.',
  })
  reminder?: MedicineReminder;

  @Visible({ description: 'Name of the medicine.' })
  name!: string;

  @Rows(1)
  @Visible(() => [DoseAmount], {
    description:
      'How much of it was taken by the doses in `taken` of which that is known, by unit; empty ' +
      'where it is of none.',
  })
  amountsTaken: DoseAmount[] = [];
}

@ObjectType({ description: 'How a member keeps to the plan.' })
export class Adherence extends DoseCounts {
  /** Whose doses were counted: the member, the days, and the medicine where it is one alone. */
  of!: readonly (number | string)[];

  @CacheId('the counts of the member, by their days and their medicine')
  get key(): string {
    return globalId('Adherence', this.of.join(':'));
  }

  @Visible(() => Int, {
    description:
      'Version of the feed CALENDAR of the member that this shows: give it to `changes` as ' +
      '`since`.',
  })
  version!: number;

  @Visible(() => Boolean, {
    name: 'isKnown',
    description:
      'Whether anything is known: false of a member who has never answered a dose, as the apps ' +
      'of some cannot. Then every `rate` is null.',
  })
  declare answers: boolean;

  @Rows(31)
  @Visible(() => [DayCounts], { description: 'By day, in order; days without doses are left out.' })
  days!: DayCounts[];

  @Rows(10)
  @Visible(() => [MedicineCounts], { description: 'By medicine, in order of their reminders.' })
  medicines!: MedicineCounts[];

  @Visible(() => Int, {
    description: 'Doses logged apart: as needed, out of turn, or taken once more.',
  })
  asNeeded!: number;
}
