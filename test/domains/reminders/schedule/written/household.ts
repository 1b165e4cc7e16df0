// How families and pharmacies write: who takes it, on which days not, above which value, how many
// are handed out. The words are not those of the tables of the reader.
import { at, type Household, on, ways } from './prescription.js';

const HANDED = ['#30', '#14'];
const WORKING = on(1, 2, 3, 4, 5);
const BUT_SUNDAY = on(1, 2, 3, 4, 5, 6);

export const HOUSEHOLD = {
  en: {
    takers: [
      'give Mum',
      'give my mother',
      'give the child',
      'give him',
      'patient takes',
      'she has',
    ],
    often: [
      ...ways(WORKING, 'daily, none at weekends|daily not at weekends|once a day, weekends off'),
      ...ways(BUT_SUNDAY, 'daily, not on Sundays|every day, skip Sundays|daily, no dose on Sunday'),
      ...ways(at('08:00'), "at 8 o'clock every morning|at 8 every morning"),
      ...ways(at('20:00'), "at 8 o'clock in the evening"),
      ...ways(at('morning'), 'in the morning, none at night|in the morning and not in the evening'),
    ],
    values: ['if temp > 38.5', 'if blood sugar above 200', 'if fever is over 38 degrees'],
    handed: [...HANDED, 'dispense 30', 'mitte 28', 'disp #60, 2 refills', 'review in 2 weeks'],
    twice: ['at night and at bedtime', 'in the morning and at 8 am'],
    two: (one, other) => `give Mum ${one} in the morning and Dad ${other} at night`,
  },
  es: {
    takers: ['dar a mamá', 'darle al niño', 'dar a la abuela'],
    often: [
      ...ways(BUT_SUNDAY, 'al día, no los domingos|todos los días, domingos no'),
      ...ways(WORKING, 'al día, fines de semana no'),
      ...ways(at('08:00'), 'a las 8h'),
    ],
    values: ['si fiebre mayor de 38', 'si fiebre > 38,5', 'si glucemia superior a 200'],
    handed: HANDED,
    twice: ['por la mañana y a las 8:00', 'por la noche y al acostarse'],
    two: (one, other) => `dar a mamá ${one} por la mañana y a papá ${other} por la noche`,
  },
  fr: {
    takers: ['donner à maman', "donner à l'enfant"],
    often: ways(BUT_SUNDAY, 'par jour, pas le dimanche|tous les jours, pas le dimanche'),
    values: ['si fièvre > 38,5', 'en cas de fièvre supérieure à 38'],
    handed: HANDED,
    twice: ['le matin et à 8h00'],
    two: (one, other) => `donner à maman ${one} le matin et à papa ${other} le soir`,
  },
  de: {
    takers: ['der Mama', 'dem Kind'],
    often: [
      ...ways(WORKING, 'täglich, nicht am Wochenende'),
      ...ways(BUT_SUNDAY, 'täglich, sonntags nicht|täglich, nicht am Sonntag'),
    ],
    values: ['bei Fieber über 38,5', 'bei Fieber ab 38 Grad'],
    handed: HANDED,
    twice: ['morgens und um 8 Uhr', 'nachts und vor dem Schlafengehen'],
    two: (one, other) => `Mama morgens ${one} und Papa abends ${other}`,
  },
  pt: {
    takers: ['dar à mãe', 'dar à criança'],
    often: [
      ...ways(BUT_SUNDAY, 'por dia, não aos domingos'),
      ...ways(at('08:00'), 'às 8h'),
      ...ways(at('20:00'), 'às 8h da noite'),
    ],
    values: ['se febre > 38', 'em caso de febre acima de 38 graus', 'se glicemia maior que 200'],
    handed: HANDED,
    twice: ['de manhã e às 8:00', 'à noite e ao deitar'],
    two: (one, other) => `dar à mãe ${one} de manhã e ao pai ${other} à noite`,
  },
  ar: {
    takers: ['أعطي أمي', 'للطفل'],
    often: ways(BUT_SUNDAY, 'يوميا ما عدا الأحد'),
    values: ['إذا ارتفعت الحرارة', 'عند الحرارة فوق 38'],
    handed: HANDED,
    twice: ['ليلا وقبل النوم'],
    two: (one, other) => `أعطي أمي ${one} صباحا وأبي ${other} مساء`,
  },
} satisfies Readonly<Record<string, Household>>;
