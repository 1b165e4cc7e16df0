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
  yield { text: 'warfarin nocte 5', means: ['every 1 day x1 at night', 'every 1 day x1 at night; 5'] };
  yield { text: 'ramipril od 5', means: ['every 1 day x1', 'every 1 day x1; 5'] };
}
