import { inLanguage, languageFor, type Spoken } from '../../platform/language.js';

/** What a lock screen shows. */
export interface Words {
  readonly title: string;
  readonly body: string;
}

/**
 * The words of one language. Screens lie where others read them: no medicine is named unless the
 * member chose so, no appointment ever.
 */
interface Wording {
  /** How many medicines are due, and the names of those that may be named. */
  readonly medicines: (count: number, names: readonly string[]) => Words;
  /** When: "at 14:30", "tomorrow at 14:30", "on 3 May at 14:30". */
  readonly appointments: (count: number, when: string) => Words;
  readonly both: Words;
  /** What a reminder of several things says where one of them is not as it was. */
  readonly changed: string;
  readonly unanswered: (member: string, count: number) => Words;
  readonly unsent: (member: string, count: number) => Words;
  /** To a carer, once: nothing is known of what the member takes. */
  readonly neverAnswered: (member: string) => Words;
  readonly at: (time: string) => string;
  readonly tomorrow: (time: string) => string;
  readonly on: (day: string, time: string) => string;
}

const WORDINGS: Spoken<Wording> = {
  en: {
    medicines: (count, names) => ({
      title: 'Reminder',
      body: `It is time for ${names.length > 0 ? listed('en', names) : count > 1 ? 'your medicines' : 'your medicine'}.`,
    }),
    appointments: (count, when) => ({
      title: 'Reminder',
      body:
        count > 1
          ? `You have ${count} appointments, the first ${when}.`
          : `You have an appointment ${when}.`,
    }),
    both: { title: 'Reminder', body: 'It is time for your medicine, and you have an appointment.' },
    changed: 'Please check your reminders.',
    unanswered: (member, count) => ({
      title: 'Missed',
      body: `${member} has not answered ${count > 1 ? `${count} reminders` : 'a reminder'}.`,
    }),
    unsent: (member, count) => ({
      title: 'Not sent',
      body: `${count > 1 ? `${count} reminders` : 'A reminder'} could not be sent to ${member} in time.`,
    }),
    neverAnswered: (member) => ({
      title: 'No answers yet',
      body: `${member} has never answered a reminder, perhaps because the app cannot. You will not be told of missed doses until the first answer.`,
    }),
    at: (time) => `at ${time}`,
    tomorrow: (time) => `tomorrow at ${time}`,
    on: (day, time) => `on ${day} at ${time}`,
  },
  de: {
    medicines: (count, names) => ({
      title: 'Erinnerung',
      body: `Es ist Zeit für ${names.length > 0 ? listed('de', names) : count > 1 ? 'Ihre Medikamente' : 'Ihr Medikament'}.`,
    }),
    appointments: (count, when) => ({
      title: 'Erinnerung',
      body:
        count > 1
          ? `Sie haben ${count} Termine, den ersten ${when}.`
          : `Sie haben ${when} einen Termin.`,
    }),
    both: {
      title: 'Erinnerung',
      body: 'Es ist Zeit für Ihr Medikament, und Sie haben einen Termin.',
    },
    changed: 'Bitte prüfen Sie Ihre Erinnerungen.',
    unanswered: (member, count) => ({
      title: 'Versäumt',
      body: `${member} hat ${count > 1 ? `${count} Erinnerungen` : 'eine Erinnerung'} nicht beantwortet.`,
    }),
    unsent: (member, count) => ({
      title: 'Nicht gesendet',
      body: `${count > 1 ? `${count} Erinnerungen konnten` : 'Eine Erinnerung konnte'} ${member} nicht rechtzeitig erreichen.`,
    }),
    neverAnswered: (member) => ({
      title: 'Noch keine Antwort',
      body: `${member} hat noch nie auf eine Erinnerung geantwortet, vielleicht weil die App es nicht kann. Bis zur ersten Antwort erfahren Sie nicht von versäumten Einnahmen.`,
    }),
    at: (time) => `um ${time}`,
    tomorrow: (time) => `morgen um ${time}`,
    on: (day, time) => `am ${day} um ${time}`,
  },
};

/** Returns the language that somebody of a language (BCP 47) is written to in. */
export const spokenFor = (language: string): string => languageFor(WORDINGS, language);

/** Returns the words of a language (BCP 47), English for any other. */
export const wordingOf = (language: string): Wording => inLanguage(WORDINGS, language);

const lists = new Map<string, Intl.ListFormat>();

function listed(language: string, names: readonly string[]): string {
  const format = lists.get(language) ?? new Intl.ListFormat(language, { type: 'conjunction' });
  lists.set(language, format);
  return format.format(names);
}

const DAY = 24 * 60 * 60 * 1000;
const days = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns when something is, seen from now, and read until `last`; all as a clock shows them
 * (milliseconds as if UTC). What may be read on the next day names its day: "tomorrow" would be
 * another one.
 */
export function when(language: string, local: number, now: number, last: number): string {
  const wording = wordingOf(language);
  const time = new Date(local).toISOString().slice(11, 16);
  const ahead = Math.floor(local / DAY) - Math.floor(now / DAY);
  const sameDay = Math.floor(last / DAY) === Math.floor(now / DAY);
  if (sameDay && ahead === 0) return wording.at(time);
  if (sameDay && ahead === 1) return wording.tomorrow(time);
  const known = language.startsWith('de') ? 'de' : 'en-GB';
  const format =
    days.get(known) ??
    new Intl.DateTimeFormat(known, { day: 'numeric', month: 'long', timeZone: 'UTC' });
  days.set(known, format);
  return wording.on(format.format(local), time);
}
