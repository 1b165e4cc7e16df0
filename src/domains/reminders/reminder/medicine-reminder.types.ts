import { ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Rows } from '../../../core/cost.js';
import { Internal, RestDescription } from '../../../core/marks.js';
import { Node } from '../../../core/node.js';
import { DateTime, LocalDate, TimeOfDay } from '../../../core/scalars.js';
import { localText } from '../../../platform/moment.js';
import { localAt } from '../../../platform/zone.js';
import { isPaused } from '../pause/paused.js';
import { phrasedValue } from '../schedule/phrased-value.js';
import type { Timed } from '../schedule/saying/say.js';
import { Schedule } from '../schedule/schedule.types.js';
import { dosageIn, type ScheduleValue, storedIn } from '../schedule/schedule-value.js';
import { doubtAbout } from '../schedule/words/doubt.js';
import { concernAbout } from './concern.js';
import { DirectionPart, directionParts, dosageParts } from './direction.types.js';
import { FrequencyDoubt } from './doubt.types.js';
import { dtstartIn, ruleFor, timingIn } from './prescribed.js';
import { ReminderStatus, TimesSource } from './reminder.enums.js';
import { Reminder } from './reminder.types.js';

@ObjectType({
  implements: [Node, Reminder],
  description: 'A medicine that a member is reminded to take.',
})
export class MedicineReminder extends Reminder {
  @RestDescription('Name of the medicine, as sent; may be empty.')
  @Visible({ description: 'Name of the medicine; may be empty.' })
  get name(): string {
    return this.row.name;
  }

  @RestDescription('Form of the medicine, as sent.')
  @Visible(() => String, {
    nullable: true,
    description: 'Form of the medicine, such as tablet or drops.',
  })
  get medicineType(): string | null {
    return this.row.medicineType;
  }

  @RestDescription('How often, as sent; `scheduleRecognized` says whether it was understood.')
  @Visible(() => String, {
    nullable: true,
    name: 'frequency',
    description: 'How often, as somebody wrote it. Null means once.',
  })
  get frequencyType(): string | null {
    return this.row.frequencyType;
  }

  @RestDescription(
    'Whether the frequency was understood. If not, it shows on its start date only, and never ' +
      'fires.',
  )
  @Visible(() => Boolean, {
    description:
      'Whether the frequency was understood. If not, the medicine shows on its first day only, ' +
      'and never fires.',
  })
  get isScheduleRecognized(): boolean {
    return this.row.recognized;
  }

  @Visible(() => FrequencyDoubt, {
    nullable: true,
    description:
      'Why the medicine does not ring, and what to choose. Of a medicine that rings: its directions ' +
      'may mean something else, which a later version of the service found out. Null where they ' +
      'are understood.',
  })
  get frequencyDoubt(): FrequencyDoubt | null {
    const { recognized, doubtedAt, accountId, frequencyType } = this.row;
    if (recognized && !doubtedAt) return null;
    const words = doubtAbout(frequencyType);
    const unusual = storedIn(this.row) || (recognized ? words === 'incomplete' : this.isUnusual);
    return new FrequencyDoubt(
      accountId,
      frequencyType ?? '',
      unusual ? 'unusual' : words,
      recognized,
    );
  }

  /** Whether a medicine that is taken once a week would come more often. */
  private get isUnusual(): boolean {
    return concernAbout(this.row) === 'too_often';
  }

  @Visible(() => DateTime, {
    nullable: true,
    description:
      'Since when the directions are confirmed as they are understood, by `confirmDirections` or ' +
      '`setDoseAmounts`; null where nobody has confirmed them since they were written. Amounts ' +
      'show on a lock screen only when they are confirmed.',
  })
  get confirmedAt(): Date | null {
    return this.row.confirmedAt;
  }

  @Rows(5)
  @Visible(() => [DirectionPart], {
    description:
      'What the frequency says besides how often and how much, in the order of its words: route, ' +
      'site, strength, what it is for, advice. Empty where it was not understood. Of a FHIR ' +
      'Dosage its method, route, site, reasons, texts and instructions.',
  })
  get directionParts(): DirectionPart[] {
    const dosage = dosageIn(this.row);
    this.parts ??= dosage ? dosageParts(dosage) : directionParts(this.row.frequencyType);
    return this.parts;
  }

  private parts: DirectionPart[] | undefined;

  @Visible(() => Schedule, {
    nullable: true,
    description: 'How often, as a schedule; null where the frequency was not understood.',
  })
  get schedule(): Schedule | null {
    if (!this.row.recognized) return null;
    const { row } = this;
    const value = storedIn(row) ?? this.phrased();
    const forms = {
      timing: () => timingIn(row) ?? null,
      dtstart: () => dtstartIn(row),
      rule: (text: string) => ruleFor(row, text),
    };
    return value ? new Schedule(value, forms, row.accountId, this.timed) : null;
  }

  /** When its doses come, as it is said. */
  get timed(): Timed {
    const { frequency } = this.plan.schedule;
    const stored = storedIn(this.row);
    const daily = frequency.kind === 'calendar' || frequency.kind === 'rule';
    const planned = frequency.kind === 'phased' ? this.row.times : daily ? this.times : [];
    const times = stored?.times ?? planned;
    return { frequency, text: this.row.frequencyType, times, end: stored?.end };
  }

  /** Returns the schedule that a phrase means. */
  private phrased(): ScheduleValue | undefined {
    const { frequencyType, times } = this.row;
    return phrasedValue(this.plan.schedule.frequency, frequencyType ?? '', times);
  }

  @Visible(() => LocalDate, { description: 'First day, in `timeZone`.' })
  get startsOn(): string {
    return this.row.startLocal.slice(0, DATE);
  }

  @Visible(() => TimeOfDay, {
    nullable: true,
    description:
      'Clock time that the start was given with, in `timeZone`; null where the times are ' +
      "the member's usual ones or those of the frequency.",
  })
  get startTime(): string | null {
    return this.row.timesSource === TimesSource.START
      ? this.row.startLocal.slice(DATE + 1, DATE + 6)
      : null;
  }

  @Visible(() => LocalDate, {
    nullable: true,
    description: 'Last day, in `timeZone`; null without an end.',
  })
  get endsOn(): string | null {
    const { untilAt, zone } = this.row;
    return untilAt && localText(localAt(untilAt.getTime(), zone)).slice(0, DATE);
  }

  @Visible(() => DateTime, {
    nullable: true,
    description: 'Last instant at which it may come, in UTC; null without an end.',
  })
  get endsAt(): Date | null {
    return this.row.untilAt;
  }

  @RestDescription(
    'Clock times at which it comes on a day that it comes, HH:MM; of phases those of all of ' +
      'them; of elapsed hours those of a day without a shift, or, where they are others every ' +
      'day, that of the start; empty when it has none.',
  )
  @Rows(48)
  @Visible(() => [TimeOfDay], {
    description:
      'Clock times at which it comes on a day that it comes, in `timeZone`; of phases those of ' +
      'all of them; of elapsed hours those of a day without a shift, or, where they are others ' +
      'every day, that of the start; empty when it has none.',
  })
  get times(): readonly string[] {
    return this.plan.clocks;
  }

  protected get standing(): ReminderStatus {
    if (!this.row.recognized) return ReminderStatus.UNRECOGNIZED;
    if (this.plan.schedule.frequency.kind === 'as_needed') return ReminderStatus.AS_NEEDED;
    if (isPaused(this.row)) return ReminderStatus.PAUSED;
    return this.next === undefined ? ReminderStatus.ENDED : ReminderStatus.ACTIVE;
  }

  @Internal()
  @Visible(() => String, {
    description:
      '`active`; `ended` when nothing is to come; `paused`; `as_needed`; `unrecognized`.',
  })
  get statusText(): string {
    return this.status;
  }

  @Internal()
  @Visible(() => String, {
    nullable: true,
    description: 'From when on, as sent. Without one it starts on the day it was made.',
  })
  get startDate(): string | null {
    return this.row.startDate;
  }

  @Internal()
  @Visible(() => String, {
    nullable: true,
    description: 'Until when, as sent; a date is included as a whole day.',
  })
  get endDate(): string | null {
    return this.row.endDate;
  }

  @Internal()
  @Visible({ description: 'Kind of the event, as sent when it was made as one. Default medicine.' })
  get type(): string {
    return this.row.eventType ?? 'medicine';
  }
}

const DATE = 'YYYY-MM-DD'.length;
