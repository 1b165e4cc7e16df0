import { startAtOf } from '../../../domains/reminders/alert/planned.js';
import { isPaused } from '../../../domains/reminders/pause/paused.js';
import type { ReminderRow } from '../../../domains/reminders/reminder/reminder.service.js';
import type { FhirDosage } from '../../../domains/reminders/schedule/fhir/fhir-dosage.js';

/** A resource of FHIR R4. */
export type Resource = Readonly<Record<string, unknown>> & {
  readonly resourceType: string;
  readonly id: string;
};

/** A member as the export reads them. */
export interface ExportedMember {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly email: string | null;
  readonly suspendedAt: Date | null;
  /** BCP 47. */
  readonly language: string;
}

/** A dose as the export reads it. */
export interface ExportedDose {
  readonly id: number;
  readonly accountId: number;
  readonly reminderId: number | null;
  readonly name: string;
  readonly answer: string;
  readonly at: Date;
  readonly note: string | null;
  /** A decimal. */
  readonly amount: { toString(): string } | null;
  readonly unit: string | null;
  readonly loggedById: number;
}

const reference = (type: string, id: number) => ({ reference: `${type}/${id}` });
const patient = ({ accountId }: { readonly accountId: number }) => reference('Patient', accountId);

/** Returns a member as a Patient. `systems` is the address of identifiers. */
export function patientOf(
  { id, username, name, email, suspendedAt, language }: ExportedMember,
  systems: string,
): Resource {
  return {
    resourceType: 'Patient',
    id: String(id),
    identifier: [{ system: `${systems}/username`, value: username }],
    active: suspendedAt === null,
    ...(name && { name: [{ text: name }] }),
    ...(email && { telecom: [{ system: 'email', value: email }] }),
    communication: [
      { language: { coding: [{ system: 'urn:ietf:bcp:47', code: language }] }, preferred: true },
    ],
  };
}

/**
 * Returns a medicine as a MedicationRequest that the member reported, with how it is taken. Its form stands in
 * a contained Medication. `now` is in milliseconds.
 */
export function medicationRequestOf(
  row: ReminderRow,
  dosages: readonly FhirDosage[],
  now: number,
): Resource {
  const { id, name, description, medicineType, createdAt } = row;
  return {
    resourceType: 'MedicationRequest',
    id: String(id),
    ...(medicineType && {
      contained: [medication(name, medicineType)],
    }),
    status: statusOf(row, now),
    intent: 'plan',
    reportedBoolean: true,
    ...(medicineType
      ? { medicationReference: { reference: '#medicine' } }
      : { medicationCodeableConcept: { text: nameOf(name) } }),
    subject: patient(row),
    authoredOn: createdAt.toISOString(),
    ...(description?.trim() && { note: [{ text: description }] }),
    ...(dosages.length > 0 && { dosageInstruction: dosages }),
  };
}

const medication = (name: string, form: string) => ({
  resourceType: 'Medication',
  id: 'medicine',
  code: { text: nameOf(name) },
  form: { text: form },
});

/** FHIR has no empty texts. */
const nameOf = (name: string) => name.trim() || 'Medicine without a name';

function statusOf({ deletedAt, untilAt, planFrom }: ReminderRow, now: number): string {
  if (deletedAt) return 'stopped';
  if (untilAt && untilAt.getTime() < now) return 'completed';
  return isPaused({ planFrom }) ? 'on-hold' : 'active';
}

/** Why a dose was not taken. */
const REASONS: Readonly<Record<string, string>> = {
  skipped: 'Skipped',
  refused: 'Refused',
  unneeded: 'Not needed',
};

/** Returns what was taken or skipped as a MedicationAdministration. */
export function administrationOf(dose: ExportedDose): Resource {
  const { id, name, answer, at, note, amount, unit, reminderId, accountId, loggedById } = dose;
  const isTaken = answer === 'taken';
  return {
    resourceType: 'MedicationAdministration',
    id: String(id),
    status: isTaken ? 'completed' : 'not-done',
    ...(!isTaken && { statusReason: [{ text: REASONS[answer] ?? answer }] }),
    medicationCodeableConcept: { text: nameOf(name) },
    subject: patient(dose),
    effectiveDateTime: at.toISOString(),
    ...(loggedById === accountId && { performer: [{ actor: patient(dose) }] }),
    ...(reminderId && { request: reference('MedicationRequest', reminderId) }),
    ...(note?.trim() && { note: [{ text: note }] }),
    ...(isTaken &&
      amount && { dosage: { dose: { value: Number(amount), ...(unit && { unit }) } } }),
  };
}

/**
 * Returns an appointment. Its end is its start, since only that is known; one without a certain date is
 * proposed and has neither.
 */
export function appointmentOf(row: ReminderRow): Resource {
  const { id, name, description, scheduled, attendedAt, deletedAt, createdAt } = row;
  const start = scheduled ? new Date(startAtOf(row)).toISOString() : undefined;
  return {
    resourceType: 'Appointment',
    id: String(id),
    status: deletedAt ? 'cancelled' : attendedAt ? 'fulfilled' : start ? 'booked' : 'proposed',
    ...(name.trim() && { description: name }),
    ...(start && { start, end: start }),
    created: createdAt.toISOString(),
    ...(description?.trim() && { comment: description }),
    participant: [{ actor: patient(row), status: 'accepted' }],
  };
}

/** White space that strings of FHIR do not have. */
const OTHER_SPACE = /[^\S \t\r\n]/g;

/** Returns a Bundle as JSON, in which other white space is a space. */
export const bundleText = (bundle: object): string =>
  JSON.stringify(bundle, (_name, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(OTHER_SPACE, ' ') : value,
  );

/** Returns resources as a Bundle that stands for itself, at addresses below `base`. */
export const bundleOf = (base: string, resources: readonly Resource[], madeAt: string): object => ({
  resourceType: 'Bundle',
  type: 'collection',
  timestamp: madeAt,
  entry: resources.map((resource) => ({
    fullUrl: `${base}/${resource.resourceType}/${resource.id}`,
    resource,
  })),
});
