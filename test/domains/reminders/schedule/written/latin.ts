import { HOUSEHOLD } from './household.js';
import {
  at,
  daily,
  every,
  type Form,
  hours,
  type Language,
  needed,
  on,
  ways,
} from './prescription.js';

const form = (
  unit: string,
  one: string,
  many: string,
  verbs: string,
  routes: string,
  values: Form['values'],
): Form => ({
  unit,
  one: one.split('|'),
  many: many.split('|'),
  verbs: verbs.split('|'),
  routes: routes ? routes.split('|') : [],
  values,
});
const TEN = { value: '10', written: ['10'] };
const FINE = { value: '0.05', written: ['0,05'] };
const MASS = [
  { value: '5', written: ['5'] },
  { value: '500', written: ['500'] },
  FINE,
  { value: '2.5', written: ['2,5'] },
];

const SIMPLE: Language['orders'] = [
  ({ verb, amount, route, often, course, note }) =>
    `${verb} ${amount} ${route} ${often} ${course} ${note}`,
  ({ verb, amount, route, often, course, note }) =>
    `${verb} ${amount} ${often} ${route} ${course} ${note}`,
  ({ verb, amount, often, course, note }) => `${verb} ${amount} ${often} ${note} ${course}`,
  ({ amount, often, course }) => `${amount} ${often} ${course}`,
  ({ amount, often, course, note }) =>
    `${amount}, ${often}${course && `, ${course}`}${note && `, ${note}`}`,
];

const pieces = (one: string, two: string, half: string, more: string) => [
  { value: '1', written: one.split('|'), one: true },
  { value: '2', written: two.split('|') },
  { value: '0.5', written: half.split('|'), one: true },
  { value: '3', written: more.split('|') },
];

export const SPANISH: Language = {
  name: 'es',
  household: HOUSEHOLD.es,
  forms: [
    form(
      'tablet',
      'comprimido|tableta|comp',
      'comprimidos|tabletas|comp',
      'tomar|tome',
      'por vía oral|vía oral|por boca',
      pieces('1|un', '2|dos', '½|1/2|medio|0,5', '3|tres'),
    ),
    form(
      'capsule',
      'cápsula',
      'cápsulas',
      'tomar|tome',
      'por vía oral',
      pieces('1|una', '2|dos', '1/2', '3').slice(0, 2),
    ),
    form('drop', 'gota', 'gotas', 'aplicar|poner', 'en cada ojo|en ambos ojos', [
      { value: '2', written: ['2', 'dos'] },
    ]),
    form('ml', 'ml', 'ml', 'tomar', 'por vía oral', [TEN, { value: '2.5', written: ['2,5'] }]),
    form('mg', 'mg', 'mg', 'tomar|tome', 'por vía oral', MASS),
    form(
      'puff',
      'inhalación|puff',
      'inhalaciones|puff',
      'inhalar',
      '',
      pieces('1|una', '2|dos', '1', '3').slice(0, 2),
    ),
  ],
  often: [
    ...ways(
      daily(),
      'una vez al día|1 vez al día|al día|cada día|diario|diariamente|una vez por día|todos los días',
    ),
    ...ways(daily(2), 'dos veces al día|2 veces al día|2 veces por día|dos veces por día'),
    ...ways(daily(3), 'tres veces al día|3 veces al día|3 veces por día'),
    ...ways(hours(8), 'cada 8 horas|cada ocho horas|c/8h|cada 8 hs|c/8 horas'),
    ...ways(hours(12), 'cada 12 horas|c/12h|cada doce horas'),
    ...ways(hours(6), 'cada 6 horas|c/6h'),
    ...ways(
      at('morning'),
      'por la mañana|cada mañana|en la mañana|una vez al día por la mañana|por las mañanas',
    ),
    ...ways(
      at('night'),
      'por la noche|cada noche|en la noche|por las noches|una vez al día por la noche',
    ),
    ...ways(at('bedtime'), 'al acostarse|antes de acostarse|antes de dormir|al acostarse cada día'),
    ...ways(
      at('morning', 'night'),
      'por la mañana y por la noche|mañana y noche|por la mañana y la noche',
    ),
    ...ways(at('breakfast'), 'con el desayuno|en el desayuno'),
    ...ways(at(['breakfast', 'before']), 'antes del desayuno|antes de desayunar'),
    ...ways(at('dinner'), 'con la cena|en la cena'),
    ...ways(at('breakfast', 'dinner'), 'con el desayuno y la cena|con el desayuno y con la cena'),
    ...ways(at('08:00'), 'a las 8:00|a las 8 de la mañana|a las 08:00'),
    ...ways(
      every(2, 'day'),
      'cada 2 días|cada dos días|días alternos|en días alternos|un día sí y otro no',
    ),
    ...ways(
      every(1, 'week'),
      'una vez a la semana|una vez por semana|cada semana|semanal|1 vez por semana',
    ),
    ...ways(every(2, 'week'), 'cada 2 semanas|cada dos semanas'),
    ...ways(every(1, 'month'), 'una vez al mes|cada mes|mensual'),
    ...ways(on(1), 'los lunes|cada lunes|todos los lunes'),
    ...ways(on(1, 3, 5), 'lunes, miércoles y viernes|los lunes, miércoles y viernes'),
  ],
  needed: [
    ...ways(needed(), 'si es necesario|según necesidad|en caso de necesidad|si precisa'),
    ...ways(
      needed({ leastMinutes: 480 }),
      'cada 8 horas si es necesario|cada 8 horas si precisa|c/8h si es necesario',
    ),
    ...ways(needed({ maxPerDay: 3 }), 'tres veces al día si es necesario'),
  ],
  courses: [
    ['durante 7 días', 'day', 7],
    ['por 7 días', 'day', 7],
    ['durante 10 días', 'day', 10],
    ['durante 2 semanas', 'week', 2],
    ['durante una semana', 'week', 1],
  ],
  finishes: [
    'hasta terminar',
    'hasta acabar',
    'hasta terminar la caja',
    'hasta que se acabe',
    'completar el tratamiento',
  ],
  advice: ['con comida', 'con agua', 'con alimentos', 'en ayunas', 'después de comer'],
  reasons: ['para el dolor', 'si hay dolor'],
  thens: [', luego ', ' y luego ', ', después '],
  orders: SIMPLE,
};

export const FRENCH: Language = {
  name: 'fr',
  household: HOUSEHOLD.fr,
  forms: [
    form(
      'tablet',
      'comprimé|cp|cpr',
      'comprimés|cp|cpr',
      'prendre',
      'par voie orale|par la bouche|per os',
      pieces('1|un', '2|deux', '½|1/2|0,5|un demi', '3|trois'),
    ),
    form(
      'capsule',
      'gélule',
      'gélules',
      'prendre',
      'par voie orale',
      pieces('1|une', '2|deux', '1', '3').slice(0, 2),
    ),
    form('drop', 'goutte', 'gouttes', 'instiller|mettre', 'dans chaque œil|dans les deux yeux', [
      { value: '2', written: ['2', 'deux'] },
    ]),
    form('ml', 'ml', 'ml', 'prendre', 'par voie orale', [TEN, { value: '2.5', written: ['2,5'] }]),
    form('mg', 'mg', 'mg', 'prendre', 'par voie orale', MASS),
    form(
      'puff',
      'bouffée|inhalation',
      'bouffées|inhalations',
      'inhaler',
      '',
      pieces('1|une', '2|deux', '1', '3').slice(0, 2),
    ),
  ],
  often: [
    ...ways(
      daily(),
      'une fois par jour|1 fois par jour|par jour|chaque jour|tous les jours|1x/j|1 fois/jour',
    ),
    ...ways(daily(2), 'deux fois par jour|2 fois par jour|2x/j|2 fois/jour|2 fois/j'),
    ...ways(daily(3), 'trois fois par jour|3 fois par jour|3x/j|3 fois/j'),
    ...ways(hours(8), 'toutes les 8 heures|toutes les huit heures|toutes les 8h|ttes les 8h'),
    ...ways(hours(12), 'toutes les 12 heures|toutes les 12h'),
    ...ways(hours(6), 'toutes les 6 heures|toutes les 6h'),
    ...ways(at('morning'), 'le matin|chaque matin|tous les matins|une fois par jour le matin'),
    ...ways(at('evening'), 'le soir|chaque soir|tous les soirs|une fois par jour le soir'),
    ...ways(at('bedtime'), 'au coucher|avant le coucher|tous les jours au coucher'),
    ...ways(
      at('morning', 'evening'),
      'matin et soir|le matin et le soir|2 fois par jour matin et soir',
    ),
    ...ways(at('breakfast'), 'au petit déjeuner|avec le petit déjeuner|au petit-déjeuner'),
    ...ways(at(['breakfast', 'before']), 'avant le petit déjeuner'),
    ...ways(at('dinner'), 'au dîner|avec le dîner'),
    ...ways(at('lunch'), 'au déjeuner|avec le déjeuner'),
    ...ways(at('08:00'), 'à 8h|à 8 h|à 8h00|à 08:00'),
    ...ways(every(2, 'day'), 'un jour sur deux|tous les 2 jours|tous les deux jours|1 jour sur 2'),
    ...ways(
      every(1, 'week'),
      'une fois par semaine|1 fois par semaine|chaque semaine|toutes les semaines|1 fois/semaine',
    ),
    ...ways(every(2, 'week'), 'toutes les 2 semaines|toutes les deux semaines'),
    ...ways(every(1, 'month'), 'une fois par mois|chaque mois|tous les mois'),
    ...ways(on(1), 'le lundi|chaque lundi|tous les lundis'),
    ...ways(on(1, 3, 5), 'lundi, mercredi et vendredi|le lundi, mercredi et vendredi'),
  ],
  needed: [
    ...ways(needed(), 'si besoin|au besoin|en cas de besoin|si nécessaire'),
    ...ways(needed({ leastMinutes: 360 }), 'toutes les 6 heures si besoin|toutes les 6h si besoin'),
    ...ways(needed({ maxPerDay: 3 }), '3 fois par jour si besoin|trois fois par jour au besoin'),
  ],
  courses: [
    ['pendant 7 jours', 'day', 7],
    ['pdt 7 jours', 'day', 7],
    ['pendant 10 jours', 'day', 10],
    ['pendant 2 semaines', 'week', 2],
    ['pendant une semaine', 'week', 1],
  ],
  finishes: [
    "jusqu'à la fin de la boîte",
    "jusqu'à épuisement",
    'jusqu’à épuisement de la boîte',
    'finir la boîte',
  ],
  advice: [
    "avec de l'eau",
    'avec de la nourriture',
    'à jeun',
    'au cours du repas',
    "avec un verre d'eau",
  ],
  reasons: ['pour la douleur', 'en cas de douleur'],
  thens: [', puis ', ' puis ', ', ensuite '],
  orders: SIMPLE,
};

export const GERMAN: Language = {
  name: 'de',
  household: HOUSEHOLD.de,
  forms: [
    form(
      'tablet',
      'Tablette|Tbl.|Tabl.',
      'Tabletten|Tbl.|Tabl.',
      'nehmen',
      'oral',
      pieces('1|eine', '2|zwei', '½|1/2|0,5|eine halbe', '3|drei'),
    ),
    form(
      'capsule',
      'Kapsel',
      'Kapseln',
      '',
      'oral',
      pieces('1|eine', '2|zwei', '1', '3').slice(0, 2),
    ),
    form('drop', 'Tropfen|Tr.', 'Tropfen|Tr.', '', 'in jedes Auge|in beide Augen', [
      { value: '20', written: ['20', 'zwanzig'] },
    ]),
    form('ml', 'ml', 'ml', '', '', [TEN, { value: '2.5', written: ['2,5'] }]),
    form('mg', 'mg', 'mg', '', 'oral', MASS),
    form('puff', 'Hub', 'Hübe|Hub', '', '', pieces('1|ein', '2|zwei', '1', '3').slice(0, 2)),
  ],
  often: [
    ...ways(
      daily(),
      'täglich|einmal täglich|1x täglich|1 x tgl.|jeden Tag|einmal am Tag|1-mal täglich|pro Tag|tgl.',
    ),
    ...ways(
      daily(2),
      'zweimal täglich|2x täglich|2 x tgl.|2 mal täglich|2-mal täglich|zweimal am Tag|2x am Tag',
    ),
    ...ways(daily(3), 'dreimal täglich|3x täglich|3 x tgl.|3 mal am Tag|3-mal täglich'),
    ...ways(hours(8), 'alle 8 Stunden|alle acht Stunden|alle 8 Std.|8-stündlich'),
    ...ways(hours(12), 'alle 12 Stunden|alle 12 Std.|alle zwölf Stunden'),
    ...ways(hours(6), 'alle 6 Stunden|alle 6 Std.'),
    ...ways(
      at('morning'),
      'morgens|am Morgen|jeden Morgen|täglich morgens|1x täglich morgens|einmal täglich am Morgen',
    ),
    ...ways(at('evening'), 'abends|am Abend|jeden Abend|täglich abends|1x täglich abends'),
    ...ways(at('bedtime'), 'vor dem Schlafengehen|vor dem Schlafen|beim Schlafengehen'),
    ...ways(
      at('morning', 'evening'),
      'morgens und abends|am Morgen und am Abend|2x täglich morgens und abends',
    ),
    ...ways(at('breakfast'), 'zum Frühstück|beim Frühstück|mit dem Frühstück'),
    ...ways(at(['breakfast', 'before']), 'vor dem Frühstück'),
    ...ways(at('dinner'), 'zum Abendessen|mit dem Abendessen|beim Abendessen'),
    ...ways(at('lunch'), 'zum Mittagessen|beim Mittagessen'),
    ...ways(at('08:00'), 'um 8 Uhr|um 8:00 Uhr|um 08:00'),
    ...ways(every(2, 'day'), 'jeden zweiten Tag|alle 2 Tage|alle zwei Tage|jeden 2. Tag'),
    ...ways(
      every(1, 'week'),
      'wöchentlich|einmal wöchentlich|1x wöchentlich|einmal pro Woche|1x pro Woche|jede Woche',
    ),
    ...ways(every(2, 'week'), 'alle 2 Wochen|alle zwei Wochen|alle 14 Tage|14-tägig').filter(
      ([words]) => !words.includes('14'),
    ),
    ...ways(every(1, 'month'), 'monatlich|einmal im Monat|1x im Monat|jeden Monat'),
    ...ways(on(1), 'jeden Montag|montags'),
    ...ways(
      on(1, 3, 5),
      'Montag, Mittwoch und Freitag|montags, mittwochs und freitags|Mo, Mi und Fr',
    ),
  ],
  needed: [
    ...ways(needed(), 'bei Bedarf|b. Bed.|falls nötig|wenn nötig'),
    ...ways(needed({ leastMinutes: 360 }), 'alle 6 Stunden bei Bedarf|bei Bedarf alle 6 Stunden'),
    ...ways(needed({ maxPerDay: 3 }), '3x täglich bei Bedarf|bei Bedarf bis zu 3x täglich'),
  ],
  courses: [
    ['für 7 Tage', 'day', 7],
    ['7 Tage lang', 'day', 7],
    ['über 10 Tage', 'day', 10],
    ['für 2 Wochen', 'week', 2],
    ['für eine Woche', 'week', 1],
  ],
  finishes: [
    'bis zum Ende der Packung',
    'bis die Packung leer ist',
    'bis alles aufgebraucht ist',
    'bis Packungsende',
  ],
  advice: [
    'mit Wasser',
    'zum Essen',
    'nüchtern',
    'mit einem Glas Wasser',
    'nach dem Essen',
    'mit etwas Wasser',
  ],
  reasons: ['bei Schmerzen', 'gegen Schmerzen'],
  thens: [', dann ', ' dann ', ', danach '],
  orders: SIMPLE,
};

export const PORTUGUESE: Language = {
  name: 'pt',
  household: HOUSEHOLD.pt,
  forms: [
    form(
      'tablet',
      'comprimido|comp',
      'comprimidos|comp',
      'tomar|tome',
      'por via oral|via oral',
      pieces('1|um', '2|dois', '½|1/2|meio|0,5', '3|três'),
    ),
    form(
      'capsule',
      'cápsula',
      'cápsulas',
      'tomar|tome',
      'por via oral',
      pieces('1|uma', '2|duas', '1', '3').slice(0, 2),
    ),
    form('drop', 'gota', 'gotas', 'pingar|aplicar', 'em cada olho|nos dois olhos', [
      { value: '2', written: ['2', 'duas'] },
    ]),
    form('ml', 'ml', 'ml', 'tomar', 'por via oral', [TEN, { value: '2.5', written: ['2,5'] }]),
    form('mg', 'mg', 'mg', 'tomar', 'por via oral', MASS),
  ],
  often: [
    ...ways(
      daily(),
      'uma vez ao dia|1 vez ao dia|ao dia|por dia|todos os dias|diariamente|1x ao dia|uma vez por dia',
    ),
    ...ways(daily(2), 'duas vezes ao dia|2 vezes ao dia|2x ao dia|2x/dia|duas vezes por dia'),
    ...ways(daily(3), 'três vezes ao dia|3 vezes ao dia|3x ao dia|3x/dia'),
    ...ways(hours(8), 'a cada 8 horas|de 8 em 8 horas|8/8h|de 8/8 horas|a cada oito horas'),
    ...ways(hours(12), 'a cada 12 horas|de 12 em 12 horas|12/12h'),
    ...ways(hours(6), 'a cada 6 horas|de 6 em 6 horas|6/6h'),
    ...ways(at('morning'), 'pela manhã|de manhã|todas as manhãs|uma vez ao dia pela manhã'),
    ...ways(at('night'), 'à noite|todas as noites|de noite|uma vez ao dia à noite'),
    ...ways(at('bedtime'), 'ao deitar|antes de dormir|antes de deitar'),
    ...ways(at('morning', 'night'), 'de manhã e à noite|pela manhã e à noite'),
    ...ways(at('breakfast'), 'no café da manhã|com o café da manhã|ao pequeno-almoço'),
    ...ways(at(['breakfast', 'before']), 'antes do café da manhã'),
    ...ways(at('dinner'), 'no jantar|com o jantar'),
    ...ways(at('lunch'), 'no almoço|com o almoço'),
    ...ways(at('08:00'), 'às 8h|às 8:00|às 8 horas da manhã|às 08:00'),
    ...ways(every(2, 'day'), 'em dias alternados|a cada 2 dias|dia sim, dia não|a cada dois dias'),
    ...ways(
      every(1, 'week'),
      'uma vez por semana|1 vez por semana|semanalmente|1x por semana|toda semana',
    ),
    ...ways(every(2, 'week'), 'a cada 2 semanas|a cada duas semanas'),
    ...ways(every(1, 'month'), 'uma vez por mês|mensalmente|todo mês'),
    ...ways(on(1), 'toda segunda-feira|às segundas-feiras|todas as segundas'),
    ...ways(on(1, 3, 5), 'segunda, quarta e sexta|às segundas, quartas e sextas'),
  ],
  needed: [
    ...ways(needed(), 'se necessário|em caso de necessidade|SOS|se preciso'),
    ...ways(
      needed({ leastMinutes: 360 }),
      'a cada 6 horas se necessário|de 6 em 6 horas se necessário|6/6h se necessário',
    ),
    ...ways(needed({ maxPerDay: 3 }), '3 vezes ao dia se necessário'),
  ],
  courses: [
    ['por 7 dias', 'day', 7],
    ['durante 7 dias', 'day', 7],
    ['por 10 dias', 'day', 10],
    ['por 2 semanas', 'week', 2],
    ['por uma semana', 'week', 1],
  ],
  finishes: [
    'até terminar',
    'até acabar',
    'até ao fim da embalagem',
    'até o fim da caixa',
    'até acabar o medicamento',
  ],
  advice: ['com água', 'com alimentos', 'em jejum', 'com comida'].filter(
    (one) => !/refei/.test(one),
  ),
  reasons: ['para dor', 'em caso de dor'],
  thens: [', depois ', ' e depois ', ', seguido de '],
  orders: SIMPLE,
};

export const ARABIC: Language = {
  name: 'ar',
  household: HOUSEHOLD.ar,
  forms: [
    form('tablet', 'قرص', 'أقراص', 'تناول|خذ', 'عن طريق الفم', [
      { value: '1', written: ['1'], one: true },
      { value: '3', written: ['3', '٣'] },
    ]),
    form('capsule', 'كبسولة', 'كبسولات', 'تناول', 'عن طريق الفم', [
      { value: '1', written: ['1'], one: true },
      { value: '3', written: ['3'] },
    ]),
    form('ml', 'مل', 'مل', 'تناول', '', [{ value: '5', written: ['5', '٥'] }]),
    form('mg', 'ملغ|مجم', 'ملغ|مجم', 'تناول', '', [{ value: '500', written: ['500', '٥٠٠'] }]),
  ],
  often: [
    ...ways(daily(), 'مرة واحدة يوميا|مرة يوميا|يوميا|كل يوم|مرة واحدة في اليوم|مرة في اليوم'),
    ...ways(daily(2), 'مرتين يوميا|مرتين في اليوم'),
    ...ways(daily(3), 'ثلاث مرات يوميا|3 مرات يوميا|٣ مرات يوميا|ثلاث مرات في اليوم'),
    ...ways(hours(8), 'كل 8 ساعات|كل ٨ ساعات|كل ثماني ساعات'),
    ...ways(hours(12), 'كل 12 ساعة|كل ١٢ ساعة'),
    ...ways(at('morning'), 'صباحا|في الصباح|كل صباح'),
    ...ways(at('evening'), 'مساء|في المساء|كل مساء'),
    ...ways(at('bedtime'), 'عند النوم|قبل النوم'),
    ...ways(at('morning', 'evening'), 'صباحا ومساء|في الصباح والمساء'),
    ...ways(every(1, 'week'), 'مرة واحدة في الأسبوع|مرة في الأسبوع|أسبوعيا|كل أسبوع|مرة أسبوعيا'),
    ...ways(every(2, 'day'), 'يوما بعد يوم|كل يومين'),
  ],
  needed: [
    ...ways(needed(), 'عند الحاجة|عند اللزوم'),
    ...ways(needed({ leastMinutes: 360 }), 'كل 6 ساعات عند الحاجة|كل 6 ساعات عند اللزوم'),
  ],
  courses: [
    ['لمدة 7 أيام', 'day', 7],
    ['لمدة ٧ أيام', 'day', 7],
    ['لمدة أسبوع', 'week', 1],
    ['لمدة أسبوعين', 'week', 2],
  ],
  finishes: [
    'حتى ينتهي',
    'حتى ينتهي الدواء',
    'حتى نهاية العلبة',
    'حتى نفاد الكمية',
    'حتى الانتهاء',
  ],
  advice: ['مع الطعام', 'مع الماء'],
  reasons: ['للألم'],
  thens: [' ثم ', '، ثم '],
  orders: SIMPLE,
};
