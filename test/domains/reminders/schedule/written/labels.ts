// Directions of one kind each, as labels and prescribers write them, made of lists of words in
// several languages, with all that they mean. The words are those of labels, not of the tables.

/** A direction, and what it can mean as the headings of the corpus write it; none: no meaning. */
export interface Labelled {
  readonly text: string;
  readonly means: readonly string[];
}

/** Returns each choice of one of each list. */
const each = <T extends readonly (readonly string[])[]>(
  ...lists: T
): { [I in keyof T]: string }[] =>
  lists.reduce<string[][]>(
    (before, list) => before.flatMap((one) => list.map((word) => [...one, word])),
    [[]],
  ) as { [I in keyof T]: string }[];

const PARTS: Readonly<Record<string, string>> = { '1/2': '0.5', '½': '0.5', '1/4': '0.25' };
/** Names with a tablet and how often: in which words, and what these mean. */
const PIECES: readonly (readonly [name: string, unit: string, often: string, means: string])[] = [
  ['Lisinopril', 'tab', 'daily', 'every 1 day x1'],
  ['warfarin', 'tablets', 'at night', 'every 1 day x1 at night'],
  ['Sintrom', 'comp', 'al día', 'every 1 day x1'],
  ['Previscan', 'cp', 'le soir', 'every 1 day x1 at evening'],
  ['Marcumar', 'Tbl.', 'abends', 'every 1 day x1 at evening'],
  ['varfarina', 'comprimido', 'à noite', 'every 1 day x1 at night'],
];

/** A number behind a name, and a part of a piece behind it: so many and a part, or a strength. */
export function* partsBehindNames(): Generator<Labelled> {
  for (const [name, unit, often, means] of PIECES)
    for (const [whole, part] of each(['1', '3', '4', '5', '10'], Object.keys(PARTS))) {
      const value = PARTS[part] as string;
      const both = [
        `${means}; ${value} tablet`,
        `${means}; ${Number(whole) + Number(value)} tablet`,
      ];
      yield { text: `${name} ${whole} ${part} ${unit} ${often}`, means: both };
      // More than anybody takes at once, and what is no whole number, are a strength.
      const strong = [`${means}; ${value} tablet`];
      yield { text: `${name} 20 ${part} ${unit} ${often}`, means: strong };
      yield { text: `${name} 2,5 ${part} ${unit} ${often}`, means: strong };
      // A verb stands before an amount, and mg behind a strength.
      yield { text: `${name} ${whole} mg ${part} ${unit} ${often}`, means: strong };
    }
  for (const [name, whole] of each(['Marcumar', 'Bisoprolol', 'Prednisolon'], ['2', '3', '5'])) {
    const morning = 'every 1 day x1 at morning';
    for (const part of ['1/2', '½'])
      yield {
        text: `${name} ${whole} ${part}-0-0`,
        means: [`${morning}; 0.5`, `${morning}; ${whole}.5`],
      };
    // Four times of the day, or a strength and three of them.
    for (const dash of [' - ', ' – ', '- ', ' -'])
      yield { text: `${name} ${whole}${dash}1-0-0`, means: [] };
  }
  // So many times, or a strength.
  for (const [name, whole] of each(['Lisinopril', 'Ramipril'], ['5', '10'])) {
    yield { text: `${name} ${whole} x 1 daily`, means: [] };
    yield { text: `${name} ${whole}x1`, means: [] };
    yield { text: `${name} ${whole}-1-0-0`, means: [] };
  }
}

/** So many pieces and a part without a name: more than four of them nobody takes. */
export function* partsAlone(): Generator<Labelled> {
  for (const [, unit, often, means] of PIECES)
    for (const part of Object.keys(PARTS)) {
      const value = PARTS[part] as string;
      for (const whole of ['1', '2', '4'])
        yield {
          text: `${whole} ${part} ${unit} ${often}`,
          means: [`${means}; ${Number(whole) + Number(value)} tablet`],
        };
      for (const whole of ['5', '10', '20'])
        yield { text: `${whole} ${part} ${unit} ${often}`, means: [] };
      yield {
        text: `7 ${part} ml ${often}`,
        means: [`${means}; ${7 + Number(value)} ml`],
      };
    }
}

/** A number alone behind a name: so many, or the strength of what is taken. */
export function* numbersBehindNames(): Generator<Labelled> {
  const OFTEN: readonly (readonly [string, string])[] = [
    ['nocte', 'every 1 day x1 at night'],
    ['od', 'every 1 day x1'],
    ['bd', 'every 1 day x2'],
    ['twice a day', 'every 1 day x2'],
    ['una vez al día', 'every 1 day x1'],
    ['c/12h', 'every 720 min'],
  ];
  for (const [often, means] of OFTEN) {
    for (const [name, number] of each(['warfarin', 'Ramipril'], ['2', '2.5', '4', '5']))
      if (!number.includes('.') || !/vez|c\//.test(often))
        yield { text: `${name} ${number} ${often}`, means: [means, `${means}; ${number}`] };
    // One of it is one either way; with its unit a number is what it says.
    yield { text: `warfarin 1 ${often}`, means: [`${means}; 1`] };
    yield { text: `warfarin 5 mg ${often}`, means: [`${means}; 5 mg`] };
  }
  yield {
    text: 'warfarin nocte 5',
    means: ['every 1 day x1 at night', 'every 1 day x1 at night; 5'],
  };
  yield { text: 'ramipril od 5', means: ['every 1 day x1', 'every 1 day x1; 5'] };
}

/** Both sides, by the abbreviations of German, beside how often. */
export function* sides(): Generator<Labelled> {
  const OFTEN: readonly (readonly [string, string])[] = [
    ['', ''],
    ['täglich', 'every 1 day x1'],
    ['3x tgl.', 'every 1 day x3'],
    ['abends', 'every 1 day x1 at evening'],
    ['alle 4 Std.', 'every 240 min'],
    ['bei Bedarf', 'as needed'],
    ['Mo, Mi, Fr', 'every 1 week on mon,wed,fri x1'],
  ];
  const AMOUNTS: readonly (readonly [string, string])[] = [
    ['1 Tr.', '1 drop'],
    ['2 Sprühstöße', '2 spray'],
    ['3 Tropfen', '3 drop'],
  ];
  for (const side of ['bds.', 'bds', 'bdsts.', 'beids.', 'beidseits', 'bd. Augen', 'in bd. Ohren'])
    for (const [amount, means] of AMOUNTS)
      for (const [often, when] of OFTEN)
        yield {
          text: `${amount} ${side} ${often}`.trim(),
          means: when ? [`${when}; ${means}`] : [],
        };
  // Twice a day in the other languages.
  for (const [amount, means] of [
    ['1 tab', '1 tablet'],
    ['2 comp', '2 tablet'],
    ['2 puffs', '2 puff'],
  ])
    yield { text: `${amount} bds`, means: [`every 1 day x2; ${means}`] };
}

/** Od beside what goes into an eye: the right one, which says nothing of how often. */
export function* rightEyes(): Generator<Labelled> {
  const INTO: readonly (readonly [words: string, amount: string, often: string, means: string])[] =
    [
      ['1 drop', '; 1 drop', 'tds', 'every 1 day x3'],
      ['1 application', '; 1 application', 'at night', 'every 1 day x1 at night'],
      ['chloramphenicol ointment', '', 'qds', 'every 1 day x4'],
      ['eye ointment', '', 'nocte', 'every 1 day x1 at night'],
      ['apply gel', '', 'bd', 'every 1 day x2'],
      ['instil', '', 'every 4 hours', 'every 240 min'],
      ['1 goutte', '; 1 drop', 'le soir', 'every 1 day x1 at evening'],
      ['1 application', '; 1 application', 'le soir', 'every 1 day x1 at evening'],
      ['pommade', '', '2 fois par jour', 'every 1 day x2'],
      ['instiller', '', 'matin et soir', 'every 1 day x2 at morning,evening'],
      ['crème', '', 'le matin', 'every 1 day x1 at morning'],
      ['1 gota', '; 1 drop', 'cada 8 horas', 'every 480 min'],
      ['1 aplicación', '; 1 application', 'cada 12 horas', 'every 720 min'],
      ['pomada', '', 'por la noche', 'every 1 day x1 at night'],
      ['aplicar', '', 'dos veces al día', 'every 1 day x2'],
      ['1 aplicação', '; 1 application', '8/8h', 'every 480 min'],
      ['pomada', '', 'à noite', 'every 1 day x1 at night'],
      ['1 Tr.', '; 1 drop', '3x tgl.', 'every 1 day x3'],
      ['Augensalbe', '', 'abends', 'every 1 day x1 at evening'],
      ['Salbe', '', '2x tgl.', 'every 1 day x2'],
    ];
  for (const [words, amount, often, means] of INTO)
    for (const eye of ['OD', 'od', 'O.D.']) {
      yield { text: `${words} ${eye}`, means: [] };
      yield { text: `${words} ${eye} ${often}`, means: [`${means}${amount}`] };
    }
  for (const words of ['2 pulvérisations', '2 pulverizaciones', '2 borrifadas'])
    yield { text: `${words} OD`, means: [] };
  // What is swallowed or inhaled, and what goes onto a skin in English, is taken once a day.
  for (const [words, means] of [
    ['1 tab', '; 1 tablet'],
    ['1 comp', '; 1 tablet'],
    ['1 cp', '; 1 tablet'],
    ['1 gélule', '; 1 capsule'],
    ['2 puffs', '; 2 puff'],
    ['2 sprays', '; 2 spray'],
    ['apply cream', ''],
    ['apply ointment to affected area', ''],
    ['1 drop in both eyes', '; 1 drop'],
  ])
    yield { text: `${words} OD`, means: [`every 1 day x1${means}`] };
  // Eyes by other abbreviations, and behind a preposition.
  for (const [text, means] of [
    ['1 gota c/12h en OD', 'every 720 min; 1 drop'],
    ['1 gota en OI cada 8 horas', 'every 480 min; 1 drop'],
    ['1 gota ODE 8/8h', 'every 480 min; 1 drop'],
    ['1 Tr. RA 3x tgl.', 'every 1 day x3; 1 drop'],
    ['1 Tr. LA 3x tgl.', 'every 1 day x3; 1 drop'],
    ['1 Tr. OU 3x tgl.', 'every 1 day x3; 1 drop'],
    ['1 gota OU cada 8 horas', 'every 480 min; 1 drop'],
  ] as const)
    yield { text, means: [means] };
}

/** Before, with or after meals: of all of them, and of one that may be each. */
interface MealWords {
  readonly amount: string;
  readonly unit: string;
  /** With the meal, before it. */
  readonly one: readonly (readonly [words: string, relation: string])[];
  readonly all: readonly (readonly [words: string, relation: string])[];
  /** What says how often beside it. */
  readonly often: readonly (readonly [words: string, means: string])[];
  readonly threeTimes: string;
}
const MEALS: readonly MealWords[] = [
  {
    amount: '1 tab',
    unit: 'tablet',
    one: [
      ['before meal', 'before'],
      ['after meal', 'after'],
      ['30 minutes before meal', 'before'],
    ],
    all: [
      ['before meals', 'before'],
      ['after each meal', 'after'],
      ['with every meal', 'with'],
    ],
    often: [
      ['weekly', 'every 1 week x1'],
      ['at night', 'every 1 day x1 at night'],
    ],
    threeTimes: '3 times a day',
  },
  {
    amount: '1 Tbl.',
    unit: 'tablet',
    one: [
      ['mit der Mahlzeit', 'with'],
      ['vor der Mahlzeit', 'before'],
      ['nach der Hauptmahlzeit', 'after'],
      ['zur Hauptmahlzeit', 'with'],
    ],
    all: [
      ['zu den Mahlzeiten', 'with'],
      ['vor jeder Mahlzeit', 'before'],
      ['nach den Hauptmahlzeiten', 'after'],
    ],
    often: [
      ['morgens', 'every 1 day x1 at morning'],
      ['1x wöchentlich', 'every 1 week x1'],
    ],
    threeTimes: '3x tgl.',
  },
  {
    amount: '1 comprimé',
    unit: 'tablet',
    one: [
      ['avec le repas', 'with'],
      ['avant repas', 'before'],
      ['après le repas', 'after'],
      ['au repas', 'with'],
    ],
    all: [
      ['aux repas', 'with'],
      ['avant les repas', 'before'],
      ['après chaque repas', 'after'],
      ['au milieu des repas', 'with'],
    ],
    often: [
      ['le matin', 'every 1 day x1 at morning'],
      ['une fois par semaine', 'every 1 week x1'],
    ],
    threeTimes: '3 fois par jour',
  },
  {
    amount: '1 comp',
    unit: 'tablet',
    one: [
      ['con la comida principal', 'with'],
      ['después de la comida principal', 'after'],
    ],
    all: [
      ['con las comidas', 'with'],
      ['antes de cada comida', 'before'],
      ['después de las comidas principales', 'after'],
    ],
    often: [
      ['una vez a la semana', 'every 1 week x1'],
      ['por la noche', 'every 1 day x1 at night'],
    ],
    threeTimes: '3 veces al día',
  },
  {
    amount: '1 cp',
    unit: 'tablet',
    one: [
      ['antes da refeição', 'before'],
      ['com refeição', 'with'],
      ['após refeição', 'after'],
    ],
    all: [
      ['antes das refeições', 'before'],
      ['após cada refeição', 'after'],
    ],
    often: [
      ['de manhã', 'every 1 day x1 at morning'],
      ['1 vez por semana', 'every 1 week x1'],
    ],
    threeTimes: '3 vezes ao dia',
  },
];

/** Meals beside an amount: one of them may be each, or one of them. */
export function* meals(): Generator<Labelled> {
  for (const { amount, unit, one, all, often, threeTimes } of MEALS) {
    const atEach = (how: string, minutes = '') =>
      `every 1 day x3 at ${['breakfast', 'lunch', 'dinner']
        .map((meal) => `${how} ${meal}${minutes}`)
        .join(',')}; 1 ${unit}`;
    for (const [words, how] of one) {
      const minutes = words.startsWith('30') ? ' 30' : '';
      const once = `every 1 day x1; 1 ${unit}`;
      yield { text: `${amount} ${words}`, means: [atEach(how, minutes), once] };
      yield { text: `${amount} ${threeTimes} ${words}`, means: [atEach(how, minutes)] };
      for (const [when, means] of often)
        yield { text: `${amount} ${when} ${words}`, means: [`${means}; 1 ${unit}`] };
    }
    for (const [words, how] of all) yield { text: `${amount} ${words}`, means: [atEach(how)] };
  }
}

/** Forms that are used otherwise than their neighbours, in some languages, with how often. */
export function* formsApart(): Generator<Labelled> {
  const FORMS: readonly (readonly [unit: string, often: string, means: string, words: string])[] = [
    ['pessary', 'at night', 'every 1 day x1 at night', 'pessary|pessary pv|pessary vaginally'],
    ['suppository', 'at night', 'every 1 day x1 at night', 'suppository|suppository pr'],
    ['enema', 'at night', 'every 1 day x1 at night', 'enema|enema pr'],
    ['scoop', 'twice a day', 'every 1 day x2', 'scoop|scoop in water'],
    ['sachet', 'twice a day', 'every 1 day x2', 'sachet|packet'],
    ['pessary', 'le soir', 'every 1 day x1 at evening', 'ovule|ovule vaginal'],
    ['suppository', 'le soir', 'every 1 day x1 at evening', 'suppositoire|suppo'],
    ['measure', 'matin et soir', 'every 1 day x2 at morning,evening', 'mesure'],
    ['spoon', 'matin et soir', 'every 1 day x2 at morning,evening', 'cuillère-mesure'],
    ['capsule', 'le soir', 'every 1 day x1 at evening', 'gélule|gél.|gél|Gél.'],
    ['pessary', 'por la noche', 'every 1 day x1 at night', 'óvulo|óvulo vaginal|ovulo'],
    ['suppository', 'por la noche', 'every 1 day x1 at night', 'supositorio'],
    ['pessary', 'à noite', 'every 1 day x1 at night', 'óvulo|óvulo vaginal'],
    ['measure', '2 vezes ao dia', 'every 1 day x2', 'medida'],
    ['pessary', 'abends', 'every 1 day x1 at evening', 'Vaginalzäpfchen|Vaginaltablette'],
    ['suppository', 'abends', 'every 1 day x1 at evening', 'Zäpfchen|Supp.'],
  ];
  for (const [unit, often, means, words] of FORMS)
    for (const form of words.split('|'))
      yield { text: `1 ${form} ${often}`, means: [`${means}; 1 ${unit}`] };
  // A gel is no capsule.
  yield { text: '1 gel le soir', means: ['every 1 day x1 at evening; 1'] };
  yield { text: 'gel à appliquer matin et soir', means: ['every 1 day x2 at morning,evening'] };
}

/** Spoons whose volume is said: nobody knows what a spoon holds. */
export function* spoons(): Generator<Labelled> {
  const twice = 'every 1 day x2';
  for (const size of ['2.5', '5', '10'])
    for (const [number, count] of [
      ['one', 1],
      ['two', 2],
      ['half a', 0.5],
      ['a', 1],
    ] as const)
      for (const spoon of ['spoonful', 'spoonfuls', 'spoonsful'])
        for (const gap of ['', ' '])
          yield {
            text: `${number} ${size}${gap}ml ${spoon} twice a day`,
            means: [`${twice}; ${count * Number(size)} ml`],
          };
  const SAID: readonly (readonly [spoon: string, often: string])[] = [
    ['1 spoonful', 'bd'],
    ['1 Messlöffel', '2x tgl.'],
    ['1 Messbecher', 'zweimal täglich'],
    ['1 cuillère-mesure', '2 fois par jour'],
    ['1 colher de sopa', '2 vezes ao dia'],
    ['1 cucharada', '2 veces al día'],
  ];
  for (const [spoon, often] of SAID)
    for (const [written, volume] of [
      ['(2.5 ml)', '2.5'],
      ['(5 ml)', '5'],
      ['(15 ml)', '15'],
    ] as const)
      yield { text: `${spoon} ${written} ${often}`, means: [`${twice}; ${volume} ml`] };
  yield { text: '1 cuillère-mesure de 2,5 ml 2 fois par jour', means: [`${twice}; 2.5 ml`] };
  for (const [text, volume] of [
    ['5 ml (one spoonful) bd', '5'],
    ['10 ml (2 spoonfuls) bd', '10'],
    ['take 10 ml (two 5 ml spoonfuls) twice a day', '10'],
    ['2 teaspoons (10 ml) twice a day', '10'],
    ['2 x 5ml spoonfuls bd', '10'],
    ['5ml spoonful twice a day', '5'],
    ['1-2 5ml spoonfuls bd', '5-10'],
  ])
    yield { text: text as string, means: [`${twice}; ${volume} ml`] };
  // The volume of both, or of each.
  yield { text: '2 spoonfuls (10 ml) bd', means: [] };
  yield { text: '2 Messlöffel (10 ml) 2x tgl.', means: [] };
  // Without a volume it is a spoon.
  yield { text: '1 spoonful bd', means: [`${twice}; 1 spoon`] };
  yield { text: '2 Teelöffel 2x tgl.', means: [`${twice}; 2 teaspoon`] };
}

/** One every so many hours, with a slash, in Spanish. */
export function* slashedHours(): Generator<Labelled> {
  for (const hours of ['4', '6', '8', '12', '24']) {
    const means = `every ${60 * Number(hours)} min`;
    for (const text of [`1/${hours} h`, `1/${hours}h`, `1/${hours} H`])
      yield { text, means: [`${means}; 1`] };
    yield { text: `1/${hours}h durante 7 días`, means: [`${means} for 7 day; 1`] };
    // Another amount is that of each time.
    yield { text: `500 mg 1/${hours}h`, means: [`${means}; 500 mg`] };
    yield { text: `1 comp 1/${hours}h`, means: [`${means}; 1 tablet`] };
  }
  yield { text: '1/24h noche', means: ['every 1 day x1 at night; 1'] };
}
