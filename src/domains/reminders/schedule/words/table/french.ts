import type { Table } from '../term.js';
import * as word from './entries.js';

const { every, mark, says } = word;
const ADVICE = { advice: true } as const;

/** À 8h, et 20h: an hour needs a word before it, since 8h alone may be a length. */
const HOURS = Array.from({ length: 24 }, (_, hour) => {
  const clock = `${String(hour).padStart(2, '0')}:00`;
  return word.clock(clock, `à ${hour}h|et ${hour}h|et à ${hour}h|à ${hour} h|à ${hour} heures`);
});

/** The common words of French. Accents do not count. */
export const FRENCH: Table = [
  word.unit('minute', 'minute|minutes'),
  word.unit('hour', 'heure|heures'),
  word.unit('day', 'jour|jours|j'),
  word.unit('week', 'semaine|semaines|sem'),
  word.unit('month', 'mois'),
  word.unit('year', 'an|ans|année|années'),
  ...word.numbers(1, 'un|une deux trois quatre cinq six sept huit neuf dix onze douze'),
  ...word.ordinals(1, 'premier|première deuxième|second|seconde troisième quatrième'),
  ...word.ordinals(-1, 'dernier|dernière'),
  ...word.dated((value) => (value === 1 ? 'er|e' : 'e|ème')),
  says('quotidien|quotidiennement|journalier|tous les jours|chaque jour', every('day')),
  says('hebdomadaire|toutes les semaines|chaque semaine', every('week')),
  says('mensuel|mensuellement|tous les mois|chaque mois', every('month')),
  says('trimestriel', every('month', 3)),
  says('annuel|tous les ans|chaque année', every('year')),
  says('un jour sur deux|1 jour sur 2|1 jour/2|1 j/2|jours alternés', every('day', 2)),
  says('une semaine sur deux|1 semaine sur 2', every('week', 2)),
  says('toutes les heures|chaque heure', { interval: 60 }),
  mark('every', 'tous les|toutes les|chaque|ts les|ttes les'),
  mark('per', 'par|à la|/'),
  mark('times', 'fois'),
  mark('half', 'demi'),
  mark('and', 'et'),
  mark('to', 'au|à'),
  mark('lead', "le|la|les|du|l'|de"),
  mark('at', 'à'),
  mark('of', 'du|de|de chaque'),
  ...word.weekdays(
    'lundi|lundis|lun mardi|mardis|mar mercredi|mercredis|mer jeudi|jeudis|jeu ' +
      'vendredi|vendredis|ven samedi|samedis|sam dimanche|dimanches|dim',
  ),
  word.weekday('week end|weekend|week ends|weekends', 6, 7),
  word.weekday('jours ouvrables|jours ouvrés|en semaine', 1, 2, 3, 4, 5),
  ...word.months(
    'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  ),
  ...HOURS,
  word.clock('12:00', 'midi|à midi|le midi'),
  word.clock('00:00', 'minuit|à minuit'),
  word.part('morning', 'matin|le matin|tous les matins|matins'),
  word.part('afternoon', "après midi|l'après midi"),
  word.part('evening', 'soir|le soir|soirs'),
  word.part('night', 'nuit|la nuit'),
  says('matin midi soir|matin midi et soir', {
    at: [
      { anchor: 'morning', relation: 'with' },
      { clock: '12:00' },
      { anchor: 'evening', relation: 'with' },
    ],
  }),
  word.part('bedtime', 'au coucher|avant de dormir|avant le coucher|coucher'),
  word.part('wake', 'au réveil|au lever|lever'),
  word.meal('petit déjeuner|petit déj', 'breakfast'),
  word.meal('déjeuner', 'lunch'),
  word.meal('dîner|souper', 'dinner'),
  word.meal('repas', ...word.MEALS),
  word.relation('before', 'avant'),
  word.relation('with', 'avec|pendant|au cours'),
  word.relation('after', 'après'),
  mark('for', 'pendant|durant'),
  mark('until', "jusqu'au|jusqu'à"),
  mark('stop', 'puis arrêter|puis arrêt|puis stop'),
  mark('doses', 'doses|prises|dose au total|doses au total'),
  mark('on', 'avec'),
  mark('off', 'sans'),
  mark('max', 'max|maximum|au maximum'),
  says('si besoin|si nécessaire|au besoin|en cas de besoin|à la demande', { asNeeded: true }),
  says('dose unique|prise unique|une seule fois|une fois', { once: true }),
  word.count(1, 'une fois'),
  mark('take', 'prendre'),
  word.form('tablet', 'comprimé|comprimés|cp|cachet|cachets'),
  word.form('capsule', 'gélule|gélules'),
  word.form('drop', 'goutte|gouttes'),
  says("par voie orale|par la bouche|à jeun|avec de l'eau", ADVICE),
];
