import { type Answer, type By, type Harness, mutation, type Sending } from './harness.js';
import { expoToken } from './provider.js';
import { appointmentInput, medicineInput, snake } from './reminder-input.js';

const B = { as: 'subscriber', edition: 'B' } as const;

/** Makes a guest. Returns the body of the answer: the tokens and the user. */
export async function makeGuest(service: Harness): Promise<Answer['body']> {
  return made(service, '/v1/guest', { edition: 'B', body: { language: 1 } });
}

/**
 * Signs a member up: mina@example.com without a password, unless the fields say otherwise. They
 * have the names of the REST interface. Returns the body of the answer: the tokens and the user.
 */
export async function makeMember(
  service: Harness,
  fields: object = {},
  headers: Record<string, string> = {},
): Promise<Answer['body']> {
  const body = { email: 'mina@example.com', language: 1, ...fields };
  return made(service, '/v1/signup', { body, headers });
}

/** Makes an account the carer of another, at the time of the service. Returns the relation's id. */
export async function makeCarer(
  service: Harness,
  { memberId, carerId, right = 'see', position = 1 }: CareFields,
): Promise<number> {
  const createdAt = new Date(service.now());
  const data = { memberId, carerId, right, position, createdAt };
  return (await service.database.prisma.careRelation.create({ data })).id;
}

/** Logs a dose that a member took as needed years ago: whoever answers is known to be able to. */
export async function makeAnswer(service: Harness, accountId: number): Promise<void> {
  const at = new Date('2020-01-01T08:00:00Z');
  const data = { accountId, answer: 'taken', at, name: 'x', loggedById: accountId, loggedAt: at };
  await service.database.prisma.dose.create({ data });
}

interface CareFields {
  memberId: number;
  carerId: number;
  right?: string;
  position?: number;
}

/** Registers a device for pushes, whose Expo token has a name; the subscriber's unless told. */
export async function makeDevice(service: Harness, name = 'phone', by?: By): Promise<void> {
  const push_token = expoToken(name);
  await made(service, '/v1/notify', { ...sendingOf(by), body: { push_token } }, 202);
}

/**
 * Makes a medicine reminder: Aspirin, daily at 08:00 from 2026-03-01, by the subscriber, unless the
 * texts say otherwise. Over GraphQL, or over REST where only that can say them. Returns its number.
 */
export async function makeMedicine(
  service: Harness,
  fields: object = {},
  by?: By,
): Promise<number> {
  const daily = { name: 'Aspirin', frequencyType: 'daily', startDate: '2026-03-01T08:00:00' };
  const texts = { ...daily, ...fields };
  const input = medicineInput(texts, true);
  if (!input) return (await postMedicine(service, snake(texts), sendingOf(by))).id;
  const query = mutation('createMedicineReminder', 'reminder { databaseId }');
  return (await service.data(query, { input }, by)).createMedicineReminder.reminder.databaseId;
}

/** Makes an appointment, by the subscriber, in the same way. Returns its number. */
export async function makeAppointment(service: Harness, fields: object, by?: By): Promise<number> {
  const texts = { title: 'Oncology', ...fields };
  const input = appointmentInput(texts, true);
  if (!input) return (await postAppointment(service, snake(texts), sendingOf(by))).id;
  const query = mutation('createAppointmentReminder', 'reminder { databaseId }');
  return (await service.data(query, { input }, by)).createAppointmentReminder.reminder.databaseId;
}

/** How the same caller sends a request of REST. */
function sendingOf(by: By = 'subscriber'): Sending {
  if (typeof by === 'string') return { as: by };
  return 'token' in by ? { headers: { authorization: `Bearer ${by.token}` } } : by;
}

/**
 * Makes a medicine reminder over REST: daily, by the subscriber and in edition B unless told.
 * Returns the body of the answer: the reminder.
 */
export async function postMedicine(
  service: Harness,
  fields: object = {},
  sending: Sending = {},
): Promise<Answer['body']> {
  const body = { frequency_type: 'daily', ...fields };
  return made(service, '/v1/medicine_reminder', { ...B, ...sending, body });
}

/** Makes an appointment over REST, likewise. Returns the body of the answer: the reminder. */
export async function postAppointment(
  service: Harness,
  body: object,
  sending: Sending = {},
): Promise<Answer['body']> {
  return made(service, '/v1/appointment_reminder', { ...B, ...sending, body });
}

async function made(
  service: Harness,
  path: string,
  sending: Sending,
  expected = 201,
): Promise<Answer['body']> {
  const { status, body, text } = await service.rest('POST', path, sending);
  if (status !== expected) throw new Error(`${path} made nothing: ${status} ${text}`);
  return body;
}
