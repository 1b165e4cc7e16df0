// Attacks by who asks for the same accounts through several grids, and takes the mean, and by who
// takes one grid from another. The attacker knows what all others did, and guesses whether the victim
// is in the cell.
import { SUBJECTS } from '../../../src/domains/reports/catalogue/catalogue.js';
import { doseSubject } from '../../../src/domains/reports/catalogue/dose.subject.js';
import type { Grid, StoredCell } from '../../../src/domains/reports/noise.js';
import { shownDistinct } from '../../../src/domains/reports/privacy.js';
import { gridOf } from '../../../src/domains/reports/shown-grid.js';
import { mean, range, shown, type WholeCell } from './figures.js';
import { draws } from './scenes.js';

const VICTIMS = process.env.REPORT_VICTIMS ? 4_000 : 600;
/** How many guesses may be right: the fewer victims, the more is luck. */
const MOST_RIGHT = process.env.REPORT_VICTIMS ? 0.55 : 0.55 + 1 / Math.sqrt(VICTIMS);
const draw = draws(55);
const between = (least: number, most: number) => least + Math.floor(draw() * (most - least + 1));
const flip = () => draw() < 0.5;
const keyOf = (i: number) => {
  const key = Buffer.alloc(32);
  key.writeUInt32BE(i);
  return key;
};

/** Columns of a grid with the values of a cell. */
type Place = Readonly<Record<string, string>>;
const GROUP = { language: 'xx', medicineType: 'tablet' };
/** In a service of one language all of these are of the same accounts. */
const SAME: readonly [span: string, place: Place][] = [
  ['', GROUP],
  ['quarter', GROUP],
  ['', { ...GROUP, scheduleKind: 'calendar' }],
  ['quarter', { ...GROUP, scheduleKind: 'calendar' }],
  ['', { medicineType: 'tablet' }],
  ['', { medicineType: 'tablet', scheduleKind: 'calendar' }],
];

interface Attacked {
  readonly secret: boolean;
  /** What all but the victim did. */
  readonly known: number;
  readonly others: number;
  /** What the victim does. */
  readonly adds: number;
  /** Asks for a cell of so many accounts and doses, of which the victim left. */
  readonly ask: (
    place: Place,
    of: { accounts: number; sum: number },
    more?: { span?: string; left?: number },
  ) => WholeCell | undefined;
  readonly key: Buffer;
}

function makeAttacked(i: number, [least, most]: readonly [number, number]): Attacked {
  const key = keyOf(i);
  const others = between(least, most);
  const known = range(others).reduce((sum) => sum + between(20, 40), 0);
  const grids = new Map<string, Grid>();
  const gridBy = (name: string) => {
    const grid = grids.get(name) ?? gridOf(doseSubject, name, key);
    grids.set(name, grid);
    return grid;
  };
  const ask: Attacked['ask'] = (place, { accounts, sum }, { span = '', left = 0 } = {}) => {
    const columns = [span, ...Object.keys(place)].filter(Boolean);
    const stored: StoredCell = {
      date: '2026-01-01',
      keys: Object.values(place),
      accounts,
      eligible: accounts,
      among: 500 + (i % 97) - left,
      typical: least,
      sums: [sum, 0, 0, 0],
      tops: [40, 0, 0, 0],
    };
    return shown(stored, gridBy(columns.join(' ')));
  };
  return { secret: flip(), known, others, adds: between(20, 40), ask, key };
}

/** The cell of the group, with the victim or after they left. */
const groupOf = ({ secret, known, others, adds }: Attacked, left = 0) => {
  const isIn = secret && !left;
  return { accounts: others + Number(isIn), sum: known + (isIn ? adds : 0) };
};

const takenBy = (cells: readonly (WholeCell | undefined)[]) => {
  const values = cells.flatMap((cell) => cell?.sums[0]?.value ?? []);
  return values.length > 0 ? mean(values) : null;
};

/** The mean of several grids less what is known of the others: in doses of the victim. */
const byMean = (grids: typeof SAME) => (of: Attacked) => {
  const taken = takenBy(grids.map(([span, place]) => of.ask(place, groupOf(of), { span })));
  return taken === null ? null : taken - of.known - of.adds / 2;
};

const byLeaving = (grids: typeof SAME) => (of: Attacked) => {
  const [before, after] = [0, 1].map((left) =>
    takenBy(grids.map(([span, place]) => of.ask(place, groupOf(of, left), { span, left }))),
  ) as [number | null, number | null];
  return before === null || after === null ? null : before - after - of.adds / 2;
};

const membersOf = (of: Attacked) => {
  const values = SAME.flatMap(
    ([span, place]) => of.ask(place, groupOf(of), { span })?.accounts.value ?? [],
  );
  return values.length > 0 ? mean(values) - of.others : null;
};

/** What all speak, less what those speak among whom the victim is not. */
const byComplement = (places: readonly [whole: Place, part: Place][]) => (of: Attacked) => {
  const rests = places.flatMap(([whole, part]) => {
    const one = of.ask(whole, groupOf(of))?.sums[0]?.value;
    const other = of.ask(part, { accounts: of.others, sum: of.known })?.sums[0]?.value;
    return one === undefined || other === undefined ? [] : one - other;
  });
  return rests.length > 0 ? mean(rests) - of.adds / 2 : null;
};

/** Cells of a group by their names. */
const cellsOf = (group: string, names: readonly string[]) =>
  names.map((name) => ({ name: `${group} ${name}`, group }));

/** The mean of how many different members some groups have in each of sixty spans, less what is known. */
function meanOfSpans({ key }: Attacked, groups: string | readonly string[], accounts: number) {
  const values = range(60).map((n) => {
    const all = { accounts: accounts + n, error: 0, united: [accounts, n, groups.length] };
    const cells = [groups].flat().flatMap((group) => cellsOf(group, ['a', `b${n}`, `c${n}`]));
    return shownDistinct(all, cells, key).value - n;
  });
  return mean(values);
}

const ATTACKS: Readonly<Record<string, (of: Attacked) => number | null>> = {
  'one cell': byMean(SAME.slice(0, 1)),
  'the mean of months and quarters': byMean(SAME.slice(0, 2)),
  'the mean of months, quarters and kinds of schedules': byMean(SAME.slice(0, 4)),
  'the mean of these with and without a language that all speak': byMean(SAME),
  'what changes in one cell when the victim leaves': byLeaving(SAME.slice(0, 1)),
  'what changes in months, quarters and kinds of schedules': byLeaving(SAME.slice(0, 4)),
  'the members of one cell': (of) => {
    const members = of.ask(GROUP, groupOf(of))?.accounts.value;
    return members === undefined ? null : members - of.others - 0.5;
  },
  'the mean of members by all grids': (of) => {
    const members = membersOf(of);
    return members === null ? null : members - 0.5;
  },
  'members and doses together': (of) => {
    const [members, doses] = [membersOf(of), byMean(SAME)(of)];
    return members === null || doses === null ? null : members - 0.5 + doses / of.adds;
  },
  'different members of two months': (of) => {
    const { accounts } = groupOf(of);
    const all = { accounts, error: 0, united: [accounts] };
    return shownDistinct(all, cellsOf('xx', ['a', 'b']), of.key).value - of.others - 0.5;
  },
  'the mean of different members of many spans': (of) => {
    return meanOfSpans(of, 'xx', groupOf(of).accounts) - of.others - 0.5;
  },
  'the difference of the different members of many spans and those of a group that is known': (
    of,
  ) => {
    const [spoken, known] = [groupOf(of).accounts, of.others + 7];
    return meanOfSpans(of, 'xx', spoken) - meanOfSpans(of, 'yy', known) + 7 - 0.5;
  },
  'the different members of many spans of two values, less those of the value that is known': (
    of,
  ) => {
    const [spoken, known] = [groupOf(of).accounts, 5 * of.others];
    const both = meanOfSpans(of, ['xx', 'yy'], spoken + known);
    return both - meanOfSpans(of, 'yy', known) - of.others - 0.5;
  },
  'all less those of a language': byComplement([[{ medicineType: 'tablet' }, GROUP]]),
  'all less those of a language, by kinds of schedules too': byComplement([
    [{ medicineType: 'tablet' }, GROUP],
    [
      { medicineType: 'tablet', scheduleKind: 'calendar' },
      { ...GROUP, scheduleKind: 'calendar' },
    ],
  ]),
  'the noise of a kind that helpers alone have': (of) => {
    const [doses, accounts] = [30, 25];
    const place = { ...GROUP, scheduleKind: 'rule' };
    const own = of.ask(place, { accounts, sum: doses * accounts })?.sums[0]?.value;
    const { sum, accounts: all } = groupOf(of);
    const taken = of.ask(GROUP, { accounts: all + accounts, sum: sum + doses * accounts });
    const [value] = taken?.sums ?? [];
    if (own === undefined || value === undefined) return null;
    return value.value - of.known - of.adds / 2 - own;
  },
};

/** Returns which share of guesses is right: a score above 0 is one that the victim is there. */
function rightOf(attack: (of: Attacked) => number | null, sizes: readonly [number, number]) {
  let [right, all] = [0, 0];
  for (const i of range(VICTIMS)) {
    const of = makeAttacked(i, sizes);
    const score = attack(of);
    if (score === null) continue;
    all++;
    if ((score === 0 ? flip() : score > 0) === of.secret) right++;
  }
  expect(all).toBeGreaterThan(VICTIMS / 2);
  if (process.env.REPORT_VICTIMS) console.log(expect.getState().currentTestName, right / all);
  return right / all;
}

const SIZES: readonly (readonly [number, number])[] = [
  [8, 18],
  [25, 45],
  [60, 80],
  [120, 200],
];

describe.each(SIZES)('Of a cell of %i to %i accounts who knows all others', (...sizes) => {
  it.each(Object.entries(ATTACKS))('learns little of the victim by %s', (_, attack) => {
    expect(rightOf(attack, sizes)).toBeLessThanOrEqual(MOST_RIGHT);
  });
});

const COUNTING = SUBJECTS.filter(({ isPublic, name }) => !isPublic && !/cohort/i.test(name));
const NUMBERS = [
  ['the members', ({ accounts }: WholeCell) => accounts.value],
  ['what is counted', ({ sums }: WholeCell) => sums[0]?.value ?? 0],
] as const;

describe.each(COUNTING.map((subject) => [subject.name, subject] as const))(
  'Of a cell of the subject %s to which each adds one, who knows all others',
  (_, subject) => {
    it.each(
      SIZES.flatMap(([least, most]) => NUMBERS.map((each) => [...each, least, most] as const)),
    )('learns little of the victim by %s', (_number, numberOf, ...sizes) => {
      const attack = ({ secret, others, key }: Attacked) => {
        const accounts = others + Number(secret);
        const stored: StoredCell = {
          date: '2026-01-01',
          keys: ['xx'],
          accounts,
          eligible: accounts,
          among: 500,
          typical: sizes[0],
          sums: subject.counts.map((_count, i) => (i === 0 ? accounts : 0)),
          tops: subject.counts.map(() => 1),
        };
        const cell = shown(stored, gridOf(subject, 'language', key));
        return cell ? numberOf(cell) - others - 0.5 : null;
      };
      expect(rightOf(attack, sizes)).toBeLessThanOrEqual(MOST_RIGHT);
    });
  },
);

/** A cell that all but the victim are known to be in, each with as much; of a place and span. */
interface Spoken {
  readonly subject: string;
  readonly grid: string;
  readonly keys: readonly string[];
  readonly date?: string;
  /** How many accounts its month or quarter has, and the first month of that. */
  readonly among: number;
  readonly ofFirstMonth: number;
  /** How often each account of it counts. */
  readonly times: number;
}

/** Returns how much above what is known of the others a cell speaks for, in accounts. */
function spokenFor({ secret, others, key }: Attacked, typical: number, cell: Spoken) {
  const subject = SUBJECTS.find(({ name }) => name === cell.subject);
  if (!subject) throw new Error(`There is no ${cell.subject}.`);
  const accounts = others + Number(secret);
  const sum = accounts * cell.times;
  const stored: StoredCell = {
    ...{ date: '2026-01-01', accounts, eligible: accounts, typical },
    ...cell,
    sums: subject.counts.map(() => sum),
    tops: subject.counts.map(() => cell.times),
  };
  const value = shown(stored, gridOf(subject, cell.grid, key))?.sums[0]?.value;
  return value === undefined ? undefined : (value - others * cell.times) / cell.times - 0.5;
}

describe('Numbers of the same accounts', () => {
  const partsOf = (subject: string, grid: string, more: Partial<StoredCell> = {}) => {
    const of = SUBJECTS.find(({ name }) => name === subject);
    if (!of) throw new Error(`There is no ${subject}.`);
    const stored: StoredCell = {
      ...{ date: '2026-01-01', keys: ['7'], accounts: 40, eligible: 40, among: 500, typical: 60 },
      ...{ sums: of.counts.map(() => 40), tops: of.counts.map(() => 1), ...more },
    };
    return shown(stored, gridOf(of, grid, keyOf(1)))?.sums[0]?.shared?.map(({ name }) => name);
  };

  it('have one noise as answers to a poll and as what was chosen there', () => {
    expect(partsOf('pollChoice', 'poll')?.length).toBe(4);
    expect(partsOf('pollChoice', 'poll')).toStrictEqual(partsOf('poll', 'poll'));
  });

  it('have the stable noise of the first month in the quarter too', () => {
    const quarter = { among: 900, ofFirstMonth: 500 };
    const [month, ofQuarter] = [
      partsOf('dose', 'medicineType'),
      partsOf('dose', 'quarter medicineType', quarter),
    ];
    expect(month?.length).toBe(4);
    expect(ofQuarter?.slice(0, 2)).toStrictEqual(month?.slice(0, 2));
    expect(ofQuarter?.slice(2)).not.toStrictEqual(month?.slice(2));
  });
});

describe.each(SIZES)('Of %i to %i accounts who knows all others', (...sizes) => {
  const [typical] = sizes;
  const meanOf = (spoken: readonly (number | undefined)[]) => {
    const known = spoken.filter((each) => each !== undefined);
    return known.length > 0 ? mean(known) : null;
  };

  it('learns little of the victim by the answers to a poll and their one option each', () => {
    const attack = (of: Attacked) =>
      meanOf(
        ['poll', 'pollChoice'].flatMap((subject) =>
          [
            { grid: 'poll', keys: ['7'] },
            { grid: 'quarter poll', keys: ['7'] },
            { grid: 'language poll', keys: ['xx', '7'] },
          ].map((place) =>
            spokenFor(of, typical, { subject, ...place, among: 500, ofFirstMonth: 500, times: 1 }),
          ),
        ),
      );
    expect(rightOf(attack, sizes)).toBeLessThanOrEqual(MOST_RIGHT);
  });

  it('learns little of the victim by a quarter and the sum of its months', () => {
    const attack = (of: Attacked) => {
      const keys = ['xx', 'tablet'];
      const one = { subject: 'dose', keys, ofFirstMonth: 500, times: 30 };
      const months = range(3).map((month) =>
        spokenFor(of, typical, {
          ...one,
          ...{ grid: 'language medicineType', date: `2026-0${month + 1}-01` },
          ...{ among: 500 + 5 * month, ofFirstMonth: 500 + 5 * month },
        }),
      );
      const quarter = { grid: 'quarter language medicineType', among: 580, times: 90 };
      return meanOf([meanOf(months) ?? undefined, spokenFor(of, typical, { ...one, ...quarter })]);
    };
    expect(rightOf(attack, sizes)).toBeLessThanOrEqual(MOST_RIGHT);
  });
});
