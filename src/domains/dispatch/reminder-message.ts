import { LATE_WINDOW } from '../../platform/push/push-transport.js';
import type { QueuedMessage } from '../notifications/delivery/delivery.service.js';
import { isQuiet } from '../notifications/preference/quiet-hours.js';
import type { DueAlert } from '../reminders/alert/due-alert.service.js';
import { occurrenceId } from '../reminders/alert/occurrence-id.js';
import { withAmount } from '../reminders/amount/amount-words.js';
import type { DueAmounts } from './due-amount.service.js';
import { messageIdOf } from './message-id.js';
import type { Recipient } from './recipient.service.js';
import { spokenFor, type Words, when, wordingOf } from './wording.js';

const MINUTE = 60_000;
/**
 * Most alerts whose ids are in the data of a push; an app that gets as many asks for the calendar.
 */
const MOST_NAMED = 50;
/** Most medicines that a lock screen names, and most characters of each. */
const MOST_NAMES = 5;
const LONGEST_NAME = 60;

/** Whom messages are made for, and what they may say of doses. */
interface Telling {
  readonly recipients: ReadonlyMap<number, Recipient>;
  readonly amounts: DueAmounts;
}

/**
 * Makes one message of the alerts that are due for one account in the same minute. Its id is made
 * of the first alert: an alert is in one message only. Deliveries have half an hour from when the
 * alerts were due. Where that is over and appointments are still to come, they have half an hour
 * from now, but at most until the last appointment begins.
 */
export function reminderMessages(
  due: readonly DueAlert[],
  { recipients, amounts }: Telling,
  now: number,
): QueuedMessage[] {
  const groups = groupsOf(
    due,
    ({ accountId, dueAt }) => `${accountId} ${Math.floor(dueAt.getTime() / MINUTE)}`,
  );
  return groups.flatMap((group) => {
    const recipient = recipients.get(group[0].accountId);
    return recipient ? [messageOf(group, { recipient, amounts }, now)] : [];
  });
}

type Group<T = DueAlert> = [T, ...T[]];

/** Groups of what has the same key, in the order of the first of each group. */
export function groupsOf<T>(all: readonly T[], key: (one: T) => string | number): Group<T>[] {
  const groups = new Map<string | number, Group<T>>();
  for (const one of all) {
    const group = groups.get(key(one));
    if (group) group.push(one);
    else groups.set(key(one), [one]);
  }
  return [...groups.values()];
}

/** Returns ids for the app: of occurrences as the calendar names them, and of their reminders. */
export function idsOf(group: readonly DueAlert[]): {
  occurrence_ids: string[];
  reminder_ids: number[];
} {
  const named = group.slice(0, MOST_NAMED);
  return {
    occurrence_ids: [
      ...new Set(
        named.map(({ reminderId, plannedAt }) => occurrenceId(reminderId, plannedAt.getTime())),
      ),
    ],
    reminder_ids: [...new Set(named.map(({ reminderId }) => reminderId))],
  };
}

/** Whom a message is made for, and what it may say of doses. */
interface MessageTarget extends Pick<Telling, 'amounts'> {
  readonly recipient: Recipient;
}

function messageOf(group: Group, told: MessageTarget, now: number): QueuedMessage {
  const { recipient } = told;
  const [first] = group;
  const kinds = new Set(group.map(({ kind }) => kind));
  const type = kinds.size > 1 ? 'reminders' : `${first.kind}_reminder`;
  return {
    accountId: recipient.id,
    ...wordsFor(group, told, now),
    data: JSON.stringify({ type, ...idsOf(group) }),
    messageId: messageIdOf('reminder', first.id),
    alertIds: group.map(({ id }) => id),
    silent: isQuiet(recipient.preference, recipient.clock(now)),
    sendAt: sendAtOf(group, now),
  };
}

function sendAtOf(group: Group, now: number): Date {
  const [{ dueAt }] = group;
  if (now - dueAt.getTime() < LATE_WINDOW) return dueAt;
  // Without an appointment one counts from the last dose: see `judge` of the hand-over.
  if (group.every(({ kind }) => kind === 'medicine')) return new Date(now);
  const begins = Math.max(...group.map(({ plannedAt }) => plannedAt.getTime()));
  return new Date(Math.min(now, begins - LATE_WINDOW));
}

function wordsFor(
  group: Group,
  { recipient, amounts }: MessageTarget,
  now: number,
): Words & Pick<QueuedMessage, 'plainBody'> {
  const { language, preference, clock } = recipient;
  const wording = wordingOf(language);
  const distinct = [
    ...new Map(group.map((one) => [`${one.reminderId} ${one.plannedAt.getTime()}`, one])).values(),
  ];
  const medicines = distinct.filter(({ kind }) => kind === 'medicine');
  const appointments = distinct.filter(({ kind }) => kind === 'appointment');
  if (appointments.length === 0) {
    const doses = preference.lockScreenNames ? dosesOf(medicines, amounts, language) : [];
    const plain = wording.medicines(medicines.length, []);
    if (doses.length === 0) return plain;
    return { ...wording.medicines(medicines.length, doses), plainBody: plain.body };
  }
  if (medicines.length > 0) return { ...wording.both, plainBody: wording.changed };
  const earliest = Math.min(...appointments.map(({ plannedAt }) => plannedAt.getTime()));
  const last = Math.max(now, Math.min(now + LATE_WINDOW, earliest));
  const words = wording.appointments(
    appointments.length,
    when(language, clock(earliest), clock(now), clock(last)),
  );
  return appointments.length > 1 ? { ...words, plainBody: wording.changed } : words;
}

/**
 * Returns the doses by the names of their medicines, each with its amount; none where `namesOf` has
 * none.
 */
function dosesOf(medicines: readonly DueAlert[], amounts: DueAmounts, language: string): string[] {
  if (namesOf(medicines).length === 0) return [];
  const doses = medicines.map(({ id, name }) =>
    withAmount(shortened(name.trim()), amounts.get(id), spokenFor(language)),
  );
  const said = [...new Set(doses)];
  return said.length > MOST_NAMES ? [] : said;
}

/** Returns the medicines by name; none when there are too many, or one has no name. */
export function namesOf(medicines: readonly { readonly name: string }[]): string[] {
  const names = [...new Set(medicines.map(({ name }) => name.trim()))];
  return names.length > MOST_NAMES || names.includes('') ? [] : names.map(shortened);
}

/** Returns a name of a medicine as a lock screen shows it. */
export const shortened = (name: string) => {
  const characters = [...name];
  return characters.length > LONGEST_NAME
    ? `${characters.slice(0, LONGEST_NAME - 1).join('')}…`
    : name;
};
