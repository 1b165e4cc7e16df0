import type { Words } from './words.js';

const some = (n: number, one: string, many: string) => (n === 1 ? `1 ${one}` : `${n} ${many}`);

/** How schedules are said in German. */
export const GERMAN: Words = {
  once: 'einmalig',
  everyDay: 'jeden Tag',
  everyDays: (n) => `alle ${n} Tage`,
  everyWeek: 'jede Woche',
  everyWeeks: (n) => `alle ${n} Wochen`,
  everyMonth: 'jeden Monat',
  everyMonths: (n) => `alle ${n} Monate`,
  everyHours: (n) => (n === 1 ? 'jede Stunde' : `alle ${n} Stunden`),
  everyMinutes: (n) => `alle ${n} Minuten`,
  afterDose: (time) => `${time} nach der letzten Einnahme`,
  hours: (n) => some(n, 'Stunde', 'Stunden'),
  minutes: (n) => some(n, 'Minute', 'Minuten'),
  cycle: (on, off) => `${some(on, 'Tag', 'Tage')} Einnahme, ${some(off, 'Tag', 'Tage')} Pause`,
  asNeeded: 'bei Bedarf',
  atMost: (n) => `höchstens ${n} am Tag`,
  apart: (time) => `mindestens ${time} Abstand`,
  on: (weekdays) => `am ${weekdays}`,
  weekdays: ['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag', 'Sonntag'],
  onDays: (days) => `am Tag ${days} des Monats`,
  lastDay: 'am letzten Tag',
  at: (times) => `um ${times}`,
  and: 'und',
  anchors: [
    ['beim Aufstehen', 'vor dem Aufstehen', 'nach dem Aufstehen'],
    ['mit dem Frühstück', 'vor dem Frühstück', 'nach dem Frühstück'],
    ['mit dem Mittagessen', 'vor dem Mittagessen', 'nach dem Mittagessen'],
    ['mit dem Abendessen', 'vor dem Abendessen', 'nach dem Abendessen'],
    ['vor dem Schlafengehen', 'vor dem Schlafengehen', 'nach dem Schlafengehen'],
  ],
  count: (n) => `insgesamt ${some(n, 'Dosis', 'Dosen')}`,
  forDays: (n) => (n === 1 ? 'für 1 Tag' : `für ${n} Tage`),
};
