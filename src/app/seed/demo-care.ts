import type { RequestContext } from '../../core/context.js';
import { assignClinician } from '../../domains/care/care-assignment.service.js';
import { makeCarer } from '../../domains/care/care-invitation.service.js';
import { calendar } from '../../domains/reminders/calendar/calendar.service.js';
import { EventStatus } from '../../domains/reminders/calendar/event.types.js';
import { logDose, skipDose, takeDose } from '../../domains/reminders/dose/dose.service.js';
import {
  createAppointmentReminder,
  createMedicineReminder,
} from '../../domains/reminders/reminder/reminder-create.service.js';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
/** For how many days the demo member has used the service. */
const SINCE = 4;

/**
 * The answers to the doses of Metformin before today, oldest first; undefined for a missed dose.
 */
const ANSWERS: readonly ('taken' | 'late' | 'skipped' | undefined)[] = [
  'taken',
  'taken',
  'taken',
  'late',
  'taken',
  undefined,
  'skipped',
  'taken',
];

/**
 * Creates Mina's reminders for medicines, an appointment next week, her answers of the last days,
 * her carer Otto, and her clinician Clara.
 */
export async function seedCare({
  administrator,
  as,
}: {
  administrator: RequestContext;
  as: (username: string) => RequestContext;
}): Promise<void> {
  const [mina, otto, clara] = [as('mina'), as('otto'), as('clara')];
  const memberId = mina.viewer.id;
  await makeCarer(otto, { memberId, right: 'answer' });
  await assignClinician(administrator, { memberId, clinicianId: clara.viewer.id });
  const { metformin, ibuprofen } = await seedReminders(mina);
  await seedDoses(mina, metformin, { from: day(mina, -SINCE), to: day(mina, -1) });
  await logDose(mina, {
    reminderId: ibuprofen,
    at: new Date(mina.deps.clock() - 30 * HOUR),
    note: 'After the stairs',
  });
}

/** Returns the date that is so many days after today, in UTC. */
const day = ({ deps }: RequestContext, after: number) =>
  new Date(deps.clock() + after * DAY).toISOString().slice(0, 10);

/** Creates the member's reminders. Returns the ids of those that get answers. */
async function seedReminders(
  mina: RequestContext,
): Promise<{ metformin: number; ibuprofen: number }> {
  const metformin = await createMedicineReminder(mina, {
    name: 'Metformin 500 mg',
    description: 'With a meal',
    medicineType: 'tablet',
    frequencyType: 'twice_a_day',
    startDate: day(mina, -SINCE),
    createdDate: day(mina, -SINCE),
  });
  await createMedicineReminder(mina, {
    name: 'Vitamin D 20,000 IU',
    medicineType: 'capsule',
    frequencyType: 'weekly',
    startDate: `${day(mina, 1)}T09:00:00`,
  });
  const ibuprofen = await createMedicineReminder(mina, {
    name: 'Ibuprofen 400 mg',
    description: 'For the knee; three a day at most',
    medicineType: 'tablet',
    frequencyType: 'as_needed',
  });
  await createAppointmentReminder(mina, {
    title: 'Dr. Weiss: blood sugar of three months',
    description: 'Harbour Clinic. Bring the notebook.',
    dateTime: `${day(mina, 7)}T10:30:00`,
    remindBefore: '1d',
  });
  return { metformin: metformin.id, ibuprofen: ibuprofen.id };
}

async function seedDoses(
  context: RequestContext,
  reminderId: number,
  days: { from: string; to: string },
): Promise<void> {
  const { nodes } = await calendar(context, days);
  const doses = nodes.filter(
    (event) => event.reminderId === reminderId && event.status === EventStatus.MISSED,
  );
  for (const [i, { id: occurrenceId, at }] of doses.entries()) {
    const answer = ANSWERS[i];
    if (answer === 'skipped') await skipDose(context, { occurrenceId, note: 'Felt sick' });
    else if (answer)
      await takeDose(context, {
        occurrenceId,
        at: new Date(at + (answer === 'late' ? 1.5 : 0.1) * HOUR),
      });
  }
}
