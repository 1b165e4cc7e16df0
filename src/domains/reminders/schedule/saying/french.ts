import type { Words } from './words.js';

const some = (n: number, one: string, many: string) => (n === 1 ? `1 ${one}` : `${n} ${many}`);

/** How schedules are said in French. */
export const FRENCH: Words = {
  once: 'une fois',
  everyDay: 'tous les jours',
  everyDays: (n) => `tous les ${n} jours`,
  everyWeek: 'toutes les semaines',
  everyWeeks: (n) => `toutes les ${n} semaines`,
  everyMonth: 'tous les mois',
  everyMonths: (n) => `tous les ${n} mois`,
  everyHours: (n) => (n === 1 ? 'toutes les heures' : `toutes les ${n} heures`),
  everyMinutes: (n) => `toutes les ${n} minutes`,
  afterDose: (time) => `${time} après la dernière prise`,
  hours: (n) => some(n, 'heure', 'heures'),
  minutes: (n) => some(n, 'minute', 'minutes'),
  cycle: (on, off) => `${some(on, 'jour', 'jours')} avec, ${some(off, 'jour', 'jours')} sans`,
  asNeeded: 'si besoin',
  atMost: (n) => `au maximum ${n} par jour`,
  apart: (time) => `à au moins ${time} d’intervalle`,
  on: (weekdays) => `le ${weekdays}`,
  weekdays: ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'],
  onDays: (days) => `le jour ${days} du mois`,
  lastDay: 'le dernier jour',
  at: (times) => `à ${times}`,
  and: 'et',
  anchors: [
    ['au réveil', 'avant le réveil', 'après le réveil'],
    ['avec le petit déjeuner', 'avant le petit déjeuner', 'après le petit déjeuner'],
    ['avec le déjeuner', 'avant le déjeuner', 'après le déjeuner'],
    ['avec le dîner', 'avant le dîner', 'après le dîner'],
    ['au coucher', 'avant le coucher', 'après le coucher'],
  ],
  count: (n) => `${some(n, 'dose', 'doses')} au total`,
  forDays: (n) => `pendant ${some(n, 'jour', 'jours')}`,
};
