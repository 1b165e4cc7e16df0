import type { Words } from './words.js';

const some = (n: number, one: string, many: string) => (n === 1 ? `1 ${one}` : `${n} ${many}`);

/** How schedules are said in Spanish. */
export const SPANISH: Words = {
  once: 'una vez',
  everyDay: 'cada día',
  everyDays: (n) => `cada ${n} días`,
  everyWeek: 'cada semana',
  everyWeeks: (n) => `cada ${n} semanas`,
  everyMonth: 'cada mes',
  everyMonths: (n) => `cada ${n} meses`,
  everyHours: (n) => (n === 1 ? 'cada hora' : `cada ${n} horas`),
  everyMinutes: (n) => `cada ${n} minutos`,
  afterDose: (time) => `${time} después de la última dosis`,
  hours: (n) => some(n, 'hora', 'horas'),
  minutes: (n) => some(n, 'minuto', 'minutos'),
  cycle: (on, off) => `${some(on, 'día', 'días')} sí, ${some(off, 'día', 'días')} no`,
  asNeeded: 'según necesidad',
  atMost: (n) => `máximo ${n} al día`,
  apart: (time) => `con al menos ${time} entre tomas`,
  on: (weekdays) => `los ${weekdays}`,
  weekdays: ['lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábados', 'domingos'],
  onDays: (days) => `el día ${days} del mes`,
  lastDay: 'el último día',
  at: (times) => `a las ${times}`,
  and: 'y',
  anchors: [
    ['al despertar', 'antes de despertar', 'después de despertar'],
    ['con el desayuno', 'antes del desayuno', 'después del desayuno'],
    ['con el almuerzo', 'antes del almuerzo', 'después del almuerzo'],
    ['con la cena', 'antes de la cena', 'después de la cena'],
    ['al acostarse', 'antes de acostarse', 'después de acostarse'],
  ],
  count: (n) => `${some(n, 'dosis', 'dosis')} en total`,
  forDays: (n) => `durante ${some(n, 'día', 'días')}`,
};
