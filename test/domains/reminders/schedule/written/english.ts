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

const PIECES = [
  { value: '1', written: ['1', 'one', '1 (one)', 'a'], one: true },
  { value: '2', written: ['2', 'two', '2 (two)'] },
  { value: '3', written: ['3', 'three'] },
  { value: '0.5', written: ['½', '1/2', '0.5', 'half a', 'one-half', '.5'], one: true },
  { value: '1.5', written: ['1.5', '1½', '1 1/2', 'one and a half'] },
];
const MASS = [
  { value: '5', written: ['5'] },
  { value: '500', written: ['500'] },
  { value: '0.05', written: ['0.05', '.05'] },
  { value: '2.5', written: ['2.5'] },
  { value: '1000', written: ['1000', '1,000'] },
  { value: '62.5', written: ['62.5'] },
];
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

/** English, with the Latin of prescriptions. */
export const ENGLISH: Language = {
  name: 'en',
  household: HOUSEHOLD.en,
  forms: [
    form(
      'tablet',
      'tablet|tab|tablet(s)',
      'tablets|tabs|tab|tablet(s)',
      'take|give',
      'by mouth|po|orally|PO',
      PIECES,
    ),
    form(
      'capsule',
      'capsule|cap',
      'capsules|caps',
      'take|swallow',
      'by mouth|po|orally',
      PIECES.slice(0, 3),
    ),
    form(
      'ml',
      'ml|mL',
      'ml|mL',
      'take|give',
      'by mouth|po',
      MASS.slice(0, 1).concat(MASS[3] ?? []),
    ),
    form('mg', 'mg', 'mg|milligrams', 'take|give', 'by mouth|po|orally|sc|im', MASS),
    form(
      'mcg',
      'mcg',
      'mcg|micrograms',
      'take',
      'by mouth|po',
      MASS.slice(0, 2).concat(MASS[5] ?? []),
    ),
    form('puff', 'puff', 'puffs', 'inhale|take', '', PIECES.slice(0, 2)),
    form(
      'drop',
      'drop|gtt',
      'drops|gtts|gtt',
      'instill|put',
      'in each eye|in both eyes|into the left ear|in the right eye',
      PIECES.slice(0, 3),
    ),
    form('unit', 'unit', 'units', 'inject', 'subcutaneously|sc|under the skin', [
      { value: '10', written: ['10', 'ten'] },
      { value: '24', written: ['24'] },
    ]),
    form('patch', 'patch', 'patches', 'apply', 'to the skin', PIECES.slice(0, 1)),
  ],
  often: [
    ...ways(
      daily(),
      'daily|once daily|once a day|every day|each day|qd|q.d.|one time a day|1x/day|once every day|per day',
    ),
    ...ways(
      daily(2),
      'twice daily|twice a day|bd|bid|b.i.d.|2 times a day|two times a day|two times daily|2x/day|2x daily|2 times daily|twice per day|2 (two) times a day|two (2) times daily',
    ),
    ...ways(
      daily(3),
      'three times daily|three times a day|tds|tid|t.i.d.|3 times a day|3x/day|3 times daily|thrice daily|three (3) times a day',
    ),
    ...ways(
      daily(4),
      'four times daily|four times a day|qds|qid|q.i.d.|4 times a day|4x/day|4 times daily',
    ),
    ...ways(hours(4), 'every 4 hours|q4h|every four hours|q 4 h|4 hourly|every 4 hrs'),
    ...ways(hours(6), 'every 6 hours|q6h|every six hours|6 hourly|every 6 hrs|6-hourly|q.6.h.'),
    ...ways(hours(8), 'every 8 hours|q8h|every eight hours|8 hourly|q8hrs|every 8h|q 8 hours'),
    ...ways(hours(12), 'every 12 hours|q12h|every twelve hours|12 hourly|q12hrs'),
    ...ways(
      at('morning'),
      'in the morning|every morning|each morning|qam|mane|once daily in the morning|daily in the morning|once a day in the morning',
    ),
    ...ways(
      at('evening'),
      'in the evening|every evening|each evening|once daily in the evening|daily in the evening',
    ),
    ...ways(at('night'), 'at night|every night|each night|nocte|nightly|once daily at night'),
    ...ways(
      at('bedtime'),
      'at bedtime|qhs|before bed|at bed time|every day at bedtime|daily at bedtime|once daily at bedtime',
    ),
    ...ways(
      at('morning', 'evening'),
      'in the morning and evening|in the morning and in the evening|morning and evening|every morning and evening|twice daily in the morning and evening',
    ),
    ...ways(at('morning', 'night'), 'in the morning and at night|morning and night|mane and nocte'),
    ...ways(at('morning', 'bedtime'), 'in the morning and at bedtime|every morning and at bedtime'),
    ...ways(at('breakfast'), 'with breakfast|every day with breakfast|once daily with breakfast'),
    ...ways(
      at(['breakfast', 'before']),
      'before breakfast|daily before breakfast|once daily before breakfast',
    ),
    ...ways(at(['lunch', 'after']), 'after lunch|once daily after lunch'),
    ...ways(at('dinner'), 'with dinner|with supper|daily with dinner|with the evening meal'),
    ...ways(
      at('breakfast', 'dinner'),
      'with breakfast and dinner|with breakfast and with dinner|twice daily with breakfast and dinner',
    ),
    ...ways(at('08:00'), 'at 8am|at 8 am|at 8:00 am|daily at 08:00|every day at 8am|at 0800'),
    ...ways(
      at('08:00', '20:00'),
      'at 8am and 8pm|at 8:00 am and 8:00 pm|at 08:00 and 20:00|twice daily at 8am and 8pm|0800 and 2000',
    ),
    ...ways(at('21:30'), 'at 9:30 pm|at 21:30|daily at 9:30pm'),
    ...ways(
      every(2, 'day'),
      'every other day|every 2 days|every two days|on alternate days|alternate days|every second day|qod|once every other day',
    ),
    ...ways(every(3, 'day'), 'every 3 days|every three days|every third day|q3d'),
    ...ways(
      every(1, 'week'),
      'weekly|once a week|every week|once weekly|once per week|each week|one time per week',
    ),
    ...ways(
      every(2, 'week'),
      'every 2 weeks|every two weeks|fortnightly|every other week|once every 2 weeks',
    ),
    ...ways(every(4, 'week'), 'every 4 weeks|every four weeks|4-weekly'),
    ...ways(every(1, 'month'), 'monthly|once a month|every month|once monthly'),
    ...ways(every(3, 'month'), 'every 3 months|every three months|3 monthly'),
    ...ways(every(28, 'day'), 'every 28 days|once every 28 days'),
    ...ways(on(1), 'every Monday|on Mondays|once a week on Monday|weekly on Mondays|each Monday'),
    ...ways(
      on(1, 3, 5),
      'on Monday, Wednesday and Friday|every Monday, Wednesday and Friday|Mon, Wed and Fri|on Mon/Wed/Fri|three times a week on Monday, Wednesday and Friday',
    ),
    ...ways(on(2, 4), 'on Tuesday and Thursday|every Tuesday and Thursday|Tuesdays and Thursdays'),
  ],
  needed: [
    ...ways(needed(), 'as needed|prn|when needed|if needed|as required|when required|p.r.n.'),
    ...ways(
      needed({ leastMinutes: 240 }),
      'every 4 hours as needed|q4h prn|every 4 hours if needed|every four hours as needed|q4h as needed',
    ),
    ...ways(
      needed({ leastMinutes: 360 }),
      'every 6 hours as needed|q6h prn|every six hours as needed|every 6 hours when required',
    ),
    ...ways(
      needed({ leastMinutes: 240 }),
      'every 4 to 6 hours as needed|q4-6h prn|every 4-6 hours as needed',
    ),
    ...ways(needed({ maxPerDay: 2 }), 'twice daily as needed|bid prn|up to twice a day as needed'),
    ...ways(
      needed({ maxPerDay: 3 }),
      'three times daily as needed|tid prn|up to three times a day as needed|tds prn',
    ),
    ...ways(needed({ maxPerDay: 1 }), 'once daily as needed|daily as needed|once a day as needed'),
  ],
  courses: [
    ['for 5 days', 'day', 5],
    ['x 5 days', 'day', 5],
    ['for five days', 'day', 5],
    ['for 7 days', 'day', 7],
    ['x7 days', 'day', 7],
    ['for 7/7', 'day', 7],
    ['for 10 days', 'day', 10],
    ['for one week', 'week', 1],
    ['for 2 weeks', 'week', 2],
    ['for two weeks', 'week', 2],
    ['for 14 days', 'day', 14],
  ],
  finishes: [
    'until finished',
    'until gone',
    'until all taken',
    'till finished',
    'until completed',
    'complete the course',
    'until the supply is finished',
  ],
  advice: [
    'with food',
    'with water',
    'with a glass of water',
    'after food',
    'on an empty stomach',
    'for blood pressure',
    'for infection',
    'with or without food',
    'for cholesterol',
  ],
  reasons: [
    'for pain',
    'for headache',
    'for nausea',
    'for anxiety',
    'for shortness of breath',
    'for sleep',
  ],
  thens: [', then ', ' then ', ', followed by ', ' and then '],
  orders: [
    ({ verb, amount, route, often, course, note }) =>
      `${verb} ${amount} ${route} ${often} ${course} ${note}`,
    ({ verb, amount, route, often, course, note }) =>
      `${verb} ${amount} ${route} ${often} ${note} ${course}`,
    ({ verb, amount, often, route, course, note }) =>
      `${verb} ${amount} ${often} ${route} ${course} ${note}`,
    ({ amount, often, route, course, note }) => `${amount} ${often} ${course} ${route} ${note}`,
    ({ verb, amount, route, often, course, note }) =>
      `${verb} ${amount}, ${often}${course && `, ${course}`} ${route}${note && `, ${note}`}`,
    ({ verb, amount, route, often, course }) => `${verb} ${amount} ${route} ${often} ${course}`,
  ],
};
