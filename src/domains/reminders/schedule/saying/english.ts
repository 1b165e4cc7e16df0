import type { Words } from './words.js';

const some = (n: number, one: string, many: string) => (n === 1 ? `1 ${one}` : `${n} ${many}`);

/** How schedules are said in English. */
export const ENGLISH: Words = {
  once: 'once',
  everyDay: 'every day',
  everyDays: (n) => `every ${n} days`,
  everyWeek: 'every week',
  everyWeeks: (n) => `every ${n} weeks`,
  everyMonth: 'every month',
  everyMonths: (n) => `every ${n} months`,
  everyHours: (n) => (n === 1 ? 'every hour' : `every ${n} hours`),
  everyMinutes: (n) => `every ${n} minutes`,
  afterDose: (time) => `${time} after the last dose`,
  hours: (n) => some(n, 'hour', 'hours'),
  minutes: (n) => some(n, 'minute', 'minutes'),
  cycle: (on, off) => `${some(on, 'day', 'days')} on, ${some(off, 'day', 'days')} off`,
  asNeeded: 'as needed',
  atMost: (n) => `at most ${n} a day`,
  apart: (time) => `at least ${time} apart`,
  on: (weekdays) => `on ${weekdays}`,
  weekdays: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  onDays: (days) => `on day ${days}`,
  lastDay: 'on the last day',
  at: (times) => `at ${times}`,
  and: 'and',
  anchors: [
    ['on waking', 'before waking', 'after waking'],
    ['with breakfast', 'before breakfast', 'after breakfast'],
    ['with lunch', 'before lunch', 'after lunch'],
    ['with dinner', 'before dinner', 'after dinner'],
    ['at bedtime', 'before bedtime', 'after bedtime'],
  ],
  count: (n) => `for ${some(n, 'dose', 'doses')}`,
  forDays: (n) => `for ${some(n, 'day', 'days')}`,
};
