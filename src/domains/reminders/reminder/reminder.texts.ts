import { refuse } from '../../../core/errors.js';
import { localText } from '../../../platform/moment.js';
import { localAt } from '../../../platform/zone.js';
import { startAtOf } from '../alert/planned.js';
import { readDosages } from '../schedule/fhir/dosage-reading.js';
import type { FhirDosageInput } from '../schedule/fhir/fhir-dosage.inputs.js';
import { isElapsing } from '../schedule/frequency.js';
import { say } from '../schedule/saying/say.js';
import type { ScheduleInput } from '../schedule/schedule.inputs.js';
import { readSchedule } from '../schedule/schedule-reading.js';
import { frequencyIn, prescribedText, storedText } from '../schedule/schedule-value.js';
import type { Member } from '../setting/member.service.js';
import { type StoredTexts, storedTexts } from './medicine-text.sql.js';
import { TimesSource } from './reminder.enums.js';
import type {
  CreateAppointmentReminderInput,
  CreateMedicineReminderInput,
  UpdateAppointmentReminderInput,
  UpdateMedicineReminderInput,
} from './reminder.inputs.js';
import type { ReminderRow } from './reminder.service.js';

type Optional<T> = T | null | undefined;

/** What is said of a medicine, as texts: so it is stored, and so the REST editions send it. */
export interface MedicineTexts extends StoredTexts {
  readonly frequencyType?: Optional<string>;
  /** As `storedText` writes it. */
  readonly schedule?: string;
  readonly startDate?: Optional<string>;
  readonly endDate?: Optional<string>;
}

/** A medicine reminder to make. */
export interface NewMedicine extends MedicineTexts {
  readonly userId?: Optional<number>;
  readonly type?: Optional<string>;
  /** Whether the clock time of the start is meant, also when it is midnight. */
  readonly timed?: boolean;
}

/** The start that a change gives. What is absent stays as it is; a time of null is a usual time. */
export interface StartChange {
  readonly date?: Optional<string>;
  readonly time?: Optional<string>;
}

/** A change of a reminder. */
interface Change {
  readonly id: number;
  readonly version?: Optional<number>;
  /** Instead of the text of the start. */
  readonly start?: StartChange;
}

/** A change of a medicine reminder. */
export type MedicineChange = MedicineTexts & Change;

/** What is said of an appointment, as texts. */
export interface AppointmentTexts {
  readonly title?: Optional<string>;
  readonly description?: Optional<string>;
  readonly dateTime?: Optional<string>;
  readonly remindBefore?: Optional<string>;
}

/** An appointment reminder to make. */
export type NewAppointment = AppointmentTexts & { readonly userId?: Optional<number> };

/** A change of an appointment reminder. */
export type AppointmentChange = AppointmentTexts & Change;

type MedicineInput = CreateMedicineReminderInput | UpdateMedicineReminderInput;
type AppointmentInput = CreateAppointmentReminderInput | UpdateAppointmentReminderInput;

/** Returns a date with its clock time as one text; the date alone without one. */
const textOf = (date: Optional<string>, time: Optional<string>) =>
  date && time ? `${date}T${time}:00` : date;

/**
 * Returns the texts of an input about a medicine. An end of null is taken away. A schedule also has
 * its words, for programs that know texts alone. Throws SCHEDULE_INVALID.
 */
export function medicineTexts(input: MedicineInput): MedicineTexts & Pick<NewMedicine, 'timed'> {
  const { schedule, fhirDosage, startsOn, startTime, endsOn, frequency } = input;
  return {
    ...storedTexts(input),
    frequencyType: frequency,
    startDate: textOf(startsOn, startTime),
    endDate: endsOn === null ? '' : endsOn,
    timed: typeof startTime === 'string',
    ...(schedule && scheduleTexts(schedule, frequency)),
    ...(fhirDosage && dosageTexts(fhirDosage, input)),
  };
}

/** Returns what Dosages say. A direction is whole: one without an end has none. */
function dosageTexts(
  { version, dosages }: FhirDosageInput,
  { frequency, schedule, startsOn, startTime, endsOn }: MedicineInput,
): MedicineTexts & Pick<NewMedicine, 'timed'> {
  const refused = (message: string, param: string) =>
    refuse('SCHEDULE_INVALID', message, { param });
  if (typeof frequency === 'string' || schedule)
    throw refused('Give either a frequency, a schedule or a fhirDosage.', 'fhirDosage');
  const { frequency: meant, words, start, end, kept } = readDosages(dosages, version);
  if (start && (startsOn || startTime))
    throw refused('The fhirDosage has its start. Leave out startsOn and startTime.', 'startsOn');
  if (end && endsOn) throw refused('The fhirDosage has its end. Leave out endsOn.', 'endsOn');
  return {
    frequencyType: words,
    schedule: prescribedText(meant, kept),
    ...(start && { startDate: start, timed: start.includes('T') }),
    endDate: end ?? endsOn ?? '',
  };
}

/** Throws SCHEDULE_INVALID for a new medicine that does not say how often, unless it may. */
export function refuseOpen(input: CreateMedicineReminderInput): void {
  const { frequency, schedule, fhirDosage, mayBeOpen } = input;
  if (typeof frequency === 'string' || schedule || fhirDosage || mayBeOpen) return;
  const message = 'A medicine needs a frequency, a schedule or a fhirDosage.';
  throw refuse('SCHEDULE_INVALID', message, { input: 'frequency' });
}

function scheduleTexts(
  input: ScheduleInput,
  frequency: Optional<string>,
): Pick<MedicineTexts, 'frequencyType' | 'schedule'> {
  if (typeof frequency === 'string') {
    const message = 'Give either a frequency or a schedule.';
    throw refuse('SCHEDULE_INVALID', message, { param: 'schedule' });
  }
  const read = readSchedule(input);
  if ('text' in read) return { frequencyType: read.text };
  return { frequencyType: say(read.value), schedule: storedText(read.value) };
}

/** Returns the texts of an input about an appointment. */
export const appointmentTexts = ({
  title,
  description,
  date,
  time,
  remindBefore,
}: AppointmentInput): AppointmentTexts => ({
  ...{ title, description, remindBefore },
  dateTime: textOf(date, time),
});

/** Returns what an input changes of a medicine. */
export function medicineChange(input: UpdateMedicineReminderInput): MedicineChange {
  const { id, version, asSent, startsOn: date, startTime: time } = input;
  const { timed: _, startDate, ...texts } = medicineTexts(input);
  // Of Dosages the start stands in them; without one it stays as it was.
  const whole = asSent || (input.fhirDosage && startDate && !date);
  return { id, version, ...texts, ...(whole ? { startDate } : { start: { date, time } }) };
}

/** Returns what an input changes of an appointment. */
export function appointmentChange(input: UpdateAppointmentReminderInput): AppointmentChange {
  const { id, version, asSent, date, time } = input;
  const { dateTime, ...texts } = appointmentTexts(input);
  return { id, version, ...texts, ...(asSent ? { dateTime } : { start: { date, time } }) };
}

/** The columns of a reminder that its start stands in. */
type Started = Pick<
  ReminderRow,
  | 'kind'
  | 'scheduled'
  | 'follows'
  | 'zone'
  | 'startLocal'
  | 'startDate'
  | 'timesSource'
  | 'frequencyType'
  | 'schedule'
>;

/**
 * Returns the text of a start that is changed in parts; undefined when nothing of it is changed. What
 * stays of an instant that an offset named is as the clocks show it where the member is. Throws
 * DATE_INVALID for a clock time of what has no day.
 */
export function changedStart(
  { date, time }: StartChange,
  row: Started,
  { zone }: Pick<Member, 'zone'>,
): string | undefined {
  if (!date && time === undefined) return undefined;
  const { kind, scheduled, timesSource } = row;
  const startLocal = row.follows ? row.startLocal : localText(localAt(startAtOf(row), zone));
  const day = date ?? (scheduled ? startLocal.slice(0, DAY) : undefined);
  if (!day) {
    const param = kind === 'medicine' ? 'startsOn' : 'date';
    throw refuse('DATE_INVALID', `A clock time needs its day: give ${param} too.`, { param });
  }
  const isKept = timesSource === TimesSource.START || countsFrom(row);
  const kept = isKept ? startLocal.slice(DAY + 1, SECOND) : null;
  const clock = time === undefined ? kept : time && `${time}:00`;
  return clock ? `${day}T${clock}` : day;
}

/** Returns whether hours count from the clock time that a start was given with. */
const countsFrom = (row: Started): boolean =>
  row.startDate?.includes('T') === true && isElapsing(frequencyIn(row));

const DAY = 'YYYY-MM-DD'.length;
const SECOND = 'YYYY-MM-DDTHH:MM:SS'.length;
