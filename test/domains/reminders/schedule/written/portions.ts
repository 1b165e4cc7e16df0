// Ranges, amounts by weekday and phases of hours, as prescribers write them, with what they mean.
import type { Meaning } from '../../../../../src/domains/reminders/schedule/words/meaning.js';
import { type Language, type Pick, spelt, type Written } from './prescription.js';

/** How a language says these, in words that are not those of the tables. */
export interface Words {
  /** What stands between the ends of a range. */
  readonly to: readonly string[];
  /** Weekdays, of 1 Monday to 7, in some ways. */
  readonly days: readonly (readonly [words: string, days: readonly number[]])[];
  readonly others: readonly string[];
  readonly and: readonly string[];
  /** Every day except: what stands between the two amounts. */
  readonly except: readonly string[];
  /** For so many days, of hours: words and days. */
  readonly lengths: readonly (readonly [words: string, days: number])[];
}

/** By the names of the languages. */
export const WORDS: Readonly<Record<string, Words>> = {
  en: {
    to: [' to ', '-', ' - ', ' or '],
    days: [
      ['on Monday', [1]],
      ['on Mon and Fri', [1, 5]],
      ['on Tuesdays and Thursdays', [2, 4]],
      ['Mon/Wed/Fri', [1, 3, 5]],
      ['on Monday, Wednesday and Friday', [1, 3, 5]],
      ['at weekends', [6, 7]],
      ['on Sundays', [7]],
      ['Monday to Friday', [1, 2, 3, 4, 5]],
      ['on weekdays', [1, 2, 3, 4, 5]],
    ],
    others: [
      'other days',
      'on other days',
      'on all other days',
      'on the other days',
      'the rest of the week',
      'rest of week',
    ],
    and: [' and ', ', ', '; '],
    except: [' daily except ', ' once daily except ', ' every day except ', ' a day except '],
    lengths: [
      ['for 2 days', 2],
      ['for 48 hours', 2],
      ['x 3 days', 3],
      ['for the first 24 hours', 1],
      ['for one week', 7],
    ],
  },
  es: {
    to: [' a ', '-'],
    days: [
      ['los lunes', [1]],
      ['lunes y viernes', [1, 5]],
      ['los martes y jueves', [2, 4]],
      ['los lunes, miércoles y viernes', [1, 3, 5]],
      ['sábado y domingo', [6, 7]],
      ['los domingos', [7]],
      ['de lunes a viernes', [1, 2, 3, 4, 5]],
    ],
    others: ['los demás días', 'los otros días', 'el resto de los días', 'el resto de la semana'],
    and: [' y ', ', '],
    except: [
      ' al día excepto ',
      ' cada día excepto ',
      ' todos los días salvo ',
      ' una vez al día menos ',
    ],
    lengths: [
      ['durante 2 días', 2],
      ['por 48 horas', 2],
      ['por 3 días', 3],
      ['durante una semana', 7],
    ],
  },
  fr: {
    to: [' à ', '-'],
    days: [
      ['le lundi', [1]],
      ['lundi et vendredi', [1, 5]],
      ['le mardi et le jeudi', [2, 4]],
      ['lundi, mercredi et vendredi', [1, 3, 5]],
      ['le week-end', [6, 7]],
      ['le dimanche', [7]],
      ['du lundi au vendredi', [1, 2, 3, 4, 5]],
    ],
    others: ['les autres jours', 'le reste de la semaine'],
    and: [' et ', ', '],
    except: [' par jour sauf ', ' tous les jours sauf ', ' une fois par jour sauf '],
    lengths: [
      ['pendant 2 jours', 2],
      ['pendant 48 heures', 2],
      ['pendant 3 jours', 3],
      ['pendant une semaine', 7],
    ],
  },
  de: {
    to: [' bis ', '-'],
    days: [
      ['montags', [1]],
      ['Montag und Freitag', [1, 5]],
      ['dienstags und donnerstags', [2, 4]],
      ['Mo, Mi, Fr', [1, 3, 5]],
      ['am Wochenende', [6, 7]],
      ['sonntags', [7]],
      ['Montag bis Freitag', [1, 2, 3, 4, 5]],
    ],
    others: [
      'sonst',
      'an den anderen Tagen',
      'an allen anderen Tagen',
      'an den übrigen Tagen',
      'den Rest der Woche',
    ],
    and: [' und ', ', '],
    except: [' täglich außer ', ' jeden Tag außer ', ' einmal täglich außer '],
    lengths: [
      ['für 2 Tage', 2],
      ['für 48 Stunden', 2],
      ['über 3 Tage', 3],
      ['für eine Woche', 7],
    ],
  },
  pt: {
    to: [' a ', '-'],
    days: [
      ['às segundas', [1]],
      ['segunda e sexta', [1, 5]],
      ['às terças e quintas', [2, 4]],
      ['segunda, quarta e sexta', [1, 3, 5]],
      ['sábado e domingo', [6, 7]],
      ['aos domingos', [7]],
      ['de segunda a sexta', [1, 2, 3, 4, 5]],
    ],
    others: ['nos outros dias', 'nos demais dias', 'no resto da semana'],
    and: [' e ', ', '],
    except: [' ao dia exceto ', ' todos os dias exceto ', ' uma vez ao dia exceto '],
    lengths: [
      ['por 2 dias', 2],
      ['por 48 horas', 2],
      ['por 3 dias', 3],
      ['por uma semana', 7],
    ],
  },
  ar: {
    to: ['-', ' إلى '],
    days: [
      ['يوم الاثنين', [1]],
      ['الاثنين والجمعة', [1, 5]],
      ['الثلاثاء والخميس', [2, 4]],
      ['السبت والأحد', [6, 7]],
      ['يوم الأحد', [7]],
    ],
    others: ['باقي الأيام', 'في باقي الأيام', 'في الأيام الأخرى'],
    and: [' و ', '، '],
    except: [' يوميا ما عدا ', ' مرة يوميا ما عدا '],
    lengths: [
      ['لمدة يومين', 2],
      ['لمدة 48 ساعة', 2],
      ['لمدة 3 أيام', 3],
    ],
  },
};

type Direction = Omit<Written, 'parts' | 'order'>;

/** Amounts of which each is larger than those before it, as every language writes them. */
const VALUES = ['1', '2', '3', '4'];
/** Returns the forms of which some are taken at once. */
export const forms = ({ forms: all }: Language) =>
  all.filter(({ unit }) => unit === 'tablet' || unit === 'mg' || unit === 'ml');
const isTimed = ({ kind }: { kind: string }) => kind === 'calendar' || kind === 'interval';

/** Strengths of one piece, before its name. Three digits behind a space may be thousands. */
const STRENGTHS = ['500 mg ', '250mg ', '5 mg '];

/** A range on doses that ring. A range a day may be one of times. */
export function ranged(language: Language, pick: Pick): Direction {
  const words = WORDS[language.name] as Words;
  const form = pick(forms(language));
  const [often, bare] = pick(language.often.filter(([, means]) => isTimed(means)));
  const low = pick(VALUES.slice(0, 2));
  const high = `${Number(low) + pick([1, 2])}`;
  const strength = form.unit === 'tablet' ? pick(['', '', ...STRENGTHS]) : '';
  const amount = `${low}${pick(words.to)}${high} ${strength}${pick(form.many)}`;
  const text = `${pick(['', ...form.verbs])} ${amount} ${often}`;
  const means = { ...bare, amount: { value: low, upTo: high, unit: form.unit } } as Meaning;
  return { text: spelt(text, pick), means, language: language.name };
}

const ALL_DAYS = [1, 2, 3, 4, 5, 6, 7];

/** Amounts by weekday: two groups of days, the second all others, or an exception. */
export function weekly(language: Language, pick: Pick): Direction {
  const words = WORDS[language.name] as Words;
  const form = pick(forms(language));
  const [named, days] = pick(words.days);
  const [value, other] = pick([
    ['1', '2'],
    ['3', '2'],
    ['2', '4'],
  ] as const);
  const say = (one: string) => `${one} ${pick(one === '1' ? form.one : form.many)}`;
  const exceptional = pick([true, false]);
  const text = exceptional
    ? `${say(other)}${pick(words.except)}${pick([`${named} ${say(value)}`, `${say(value)} ${named}`])}`
    : `${say(value)} ${named}${pick(words.and)}${say(other)} ${pick(words.others)}`;
  const rest = ALL_DAYS.filter((day) => !days.includes(day));
  const [most, least] = days.length > rest.length ? [value, other] : [other, value];
  const onDays = [{ weekdays: days.length > rest.length ? rest : days, value: least }];
  const daily = { kind: 'calendar', unit: 'day', every: 1, timesADay: 1 };
  const means = { ...daily, amount: { value: most, unit: form.unit, onDays } } as Meaning;
  return { text: spelt(text, pick), means, language: language.name };
}

/**
 * Hours for some days, once or twice, then something else; undefined where two neighbours are one,
 * or hours hold no whole number of doses. Each may have an amount of its own.
 */
export function hourly(language: Language, pick: Pick): Direction | undefined {
  const words = WORDS[language.name] as Words;
  const form = pick(forms(language));
  const byHours = language.often.filter(([, { kind }]) => kind === 'interval');
  const much = (one: string) => `${one} ${pick(one === '1' ? form.one : form.many)}`;
  const isTwice = pick([true, false, false]);
  const drawn = [pick(byHours), ...(isTwice ? [pick(byHours)] : [])].map((often) => ({
    often,
    length: pick(words.lengths),
  }));
  const last = { often: pick(language.often.filter(([, means]) => isTimed(means))), length: NEVER };
  const values = [pick(VALUES.slice(1)), ...drawn.slice(1).map(() => pick(VALUES)), pick(VALUES)];
  const all = [...drawn, last].map((phase, i) => ({ ...phase, value: values[i] as string }));
  const isOne = all.some(({ often: [, means], value }, i) => {
    const before = all[i - 1];
    const isAlike = JSON.stringify(before?.often[1]) === JSON.stringify(means);
    return isAlike && (means.kind !== 'interval' || before?.value === value);
  });
  const isUneven = drawn.some(({ often: [, means], length: [, days] }) => {
    const { minutes } = means as unknown as { minutes: number };
    return (days * 24 * 60) % minutes > 0;
  });
  if (isOne || isUneven) return undefined;
  const said = all.map(({ often: [often], length: [length], value }, i) => {
    // Without an amount it is that of before.
    const isSaid = value !== values[i - 1] || pick([true, false]);
    return `${isSaid ? `${much(value)} ` : ''}${often} ${length}`.trim();
  });
  const text = `${pick(['', ...form.verbs])} ${said.join(pick(language.thens))}`;
  let after = 0;
  const steps = all.flatMap(({ value, length: [, days] }, i) => {
    const step = i > 0 && value !== values[i - 1] ? [{ after, value }] : [];
    after += days;
    return step;
  });
  const phases = all.map(({ often: [, often], length: [, days] }) => ({
    ...(days > 0 && { days }),
    often,
  }));
  const amount = { value: values[0], unit: form.unit, ...(steps.length > 0 && { steps }) };
  const means = { kind: 'phased', phases, amount } as unknown as Meaning;
  return { text: spelt(text, pick), means, language: language.name };
}
/** The last of them has no end. */
const NEVER = ['', 0] as const;

/** Short names of the weekdays from Monday on, as they are written beside amounts. */
export const SHORT: Readonly<Record<string, readonly string[]>> = {
  en: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  es: ['lun', 'mar', 'mié', 'jue', 'vie', 'sáb', 'dom'],
  fr: ['lun', 'mar', 'mer', 'jeu', 'ven', 'sam', 'dim'],
  de: ['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So'],
  pt: ['seg', 'ter', 'qua', 'qui', 'sex', 'sáb', 'dom'],
  ar: ['الاثنين', 'الثلاثاء', 'الأربعاء', 'الخميس', 'الجمعة', 'السبت', 'الأحد'],
};
/** Amounts with their values: those of a mass, and those of pieces. */
type Much = readonly [written: string, value: string];
const MASSES: readonly Much[] = [
  ['5', '5'],
  ['2.5', '2.5'],
  ['7.5', '7.5'],
];
const PIECES: readonly Much[] = [
  ['1', '1'],
  ['½', '0.5'],
  ['1/2', '0.5'],
  ['2', '2'],
];
interface Day {
  readonly weekday: number;
  readonly value: string;
}

/** A week in short names: each day with its amount, or the days of each amount together. */
export function inShortDays(language: Language, pick: Pick): Direction {
  const form = pick(forms(language).filter(({ unit }) => unit !== 'ml'));
  const amounts = form.unit === 'mg' ? MASSES : PIECES;
  const both = [pick(amounts), pick(amounts)] as const;
  const from = pick([0, 0, 0, 1, 3]);
  const days = ALL_DAYS.slice(from, pick([from + 2, from + 3, 5, 7, 7]));
  const drawn = days.map((weekday, i) => ({ weekday, much: i === 0 ? both[0] : pick(both) }));
  const dot = pick(language.name === 'ar' ? [''] : ['', '', '.']);
  const name = (weekday: number) => `${SHORT[language.name]?.[weekday - 1]}${dot}`;
  const groups = [...new Set(drawn.map(({ much }) => much))].map((much) =>
    drawn.filter((day) => day.much === much).map(({ weekday }) => weekday),
  );
  // Of days that commas part one may have lost its amount, where another has its own.
  const isLost = groups.some(({ length }) => length === 1);
  const [colon, slash] = [pick(['', '', ':']), isLost ? '/' : pick(['/', ', ', ' '])];
  const say = (weekdays: readonly number[], [written]: Much) => {
    const number = language.name === 'en' || language.name === 'ar' ? written : comma(written);
    return `${weekdays.map(name).join(slash)}${colon} ${number} ${pick(form.many)}`;
  };
  const byAmount = groups.map(([first = 1, ...more]) =>
    say([first, ...more], drawn.find(({ weekday }) => weekday === first)?.much as Much),
  );
  const byDay = drawn.map(({ weekday, much }) => say([weekday], much));
  const isTogether = byAmount.length > 1 && pick([true, false]);
  const text = isTogether ? byAmount.join(pick([', ', '; '])) : byDay.join(', ');
  const week = drawn.map(({ weekday, much: [, value] }) => ({ weekday, value }));
  return { text: spelt(text, pick), means: weekOf(week, form.unit), language: language.name };
}

/** Some days with one amount, then some with another: a semicolon parts the two, commas the days. */
export function inGroups(language: Language, pick: Pick): Direction {
  const form = pick(forms(language));
  const [days, others] = pick([
    [[1, 3, 5], [7]],
    [[1, 2], [6]],
    [[2], [4, 5]],
    [
      [1, 3, 5],
      [2, 4],
    ],
  ]);
  const names = (of: readonly number[], joint: string) =>
    of.map((day) => SHORT[language.name]?.[day - 1]).join(joint);
  const joint = pick([', ', ' ', '/']);
  const say = (of: readonly number[], value: string) => {
    const much = `${value} ${pick(form.many)}`;
    return pick([true, false]) ? `${much} ${names(of, joint)}` : `${names(of, joint)}: ${much}`;
  };
  const [value, other] = pick([
    ['2', '3'],
    ['4', '3'],
  ] as const);
  const semicolon = language.name === 'ar' ? pick(['; ', '؛ ']) : '; ';
  const text = `${say(days, value)}${semicolon}${say(others, other)}`;
  const week = [
    ...days.map((weekday) => ({ weekday, value })),
    ...others.map((weekday) => ({ weekday, value: other })),
  ].sort((a, b) => a.weekday - b.weekday);
  return { text: spelt(text, pick), means: weekOf(week, form.unit), language: language.name };
}

/** How a language says that an amount of a day is taken in so many parts. */
const PARTS: Readonly<Record<string, Parted>> = {
  en: {
    days: ['a day', 'daily', '/day', 'per day'],
    parts: (count) => [
      `in ${count} doses`,
      `in ${count} divided doses`,
      `divided into ${count} doses`,
    ],
  },
  es: {
    days: ['al día', '/día', 'diarios'],
    parts: (count) => [`en ${count} tomas`, `divididos en ${count} dosis`, `en ${count} dosis`],
  },
  fr: {
    days: ['par jour', '/jour', '/j'],
    parts: (count) => [`en ${count} prises`, `répartis en ${count} prises`],
  },
  de: {
    days: ['am Tag', 'täglich', '/Tag', 'pro Tag'],
    parts: (count) => [
      `in ${count} Dosen`,
      `in ${count} Einzeldosen`,
      `verteilt auf ${count} Gaben`,
    ],
  },
  pt: {
    days: ['por dia', 'ao dia', '/dia'],
    parts: (count) => [`em ${count} tomas`, `divididos em ${count} doses`, `em ${count} tomadas`],
  },
  ar: {
    days: ['يوميا', 'في اليوم'],
    parts: (count) => [
      ...(count === 2 ? ['على جرعتين'] : [`على ${count} جرعات`]),
      `مقسمة على ${count} جرعات`,
    ],
  },
};
interface Parted {
  readonly days: readonly string[];
  readonly parts: (count: number) => readonly string[];
}

/** The amount of a day in so many parts, each of which is so much. */
export function inParts({ name, forms: all }: Language, pick: Pick): Direction {
  const unit = pick(['mg', 'ml', 'tablet']);
  const form = pick(all.filter((one) => one.unit === unit).flatMap(({ many }) => many));
  const [each, count] = [pick([1, 2, 5]), pick([2, 3, 4])];
  const { days, parts } = PARTS[name] as Parted;
  const text = `${each * count} ${form} ${pick(days)} ${pick(parts(count))}`;
  const amount = { value: `${each}`, unit };
  const means = { kind: 'calendar', unit: 'day', every: 1, timesADay: count, amount } as Meaning;
  return { text: spelt(text, pick), means, language: name };
}

/** Every day except some that are parted by commas, which have another amount: a doubt at most. */
export function excepted(language: Language, pick: Pick): Direction {
  const form = pick(forms(language));
  const days = pick([
    [1, 3, 5],
    [2, 4],
    [1, 2, 6, 7],
    [3, 7],
  ]);
  const names = days.map((day) => SHORT[language.name]?.[day - 1]);
  const last = names.slice(0, -1).join(', ') + pick(LAST[language.name] as string[]) + names.at(-1);
  const except = pick((WORDS[language.name] as Words).except);
  const text = `1 ${pick(form.one)}${except}${last}${pick([' ', ': '])}3 ${pick(form.many)}`;
  const [rest, more] = [ALL_DAYS.filter((day) => !days.includes(day)), days.length > 3];
  const onDays = [{ weekdays: more ? rest : days, value: more ? '1' : '3' }];
  const amount = { value: more ? '3' : '1', unit: form.unit, onDays };
  const means = { kind: 'calendar', unit: 'day', every: 1, timesADay: 1, amount } as Meaning;
  return { text: spelt(text, pick), means, language: language.name };
}
/** What stands before the last day of a list. */
const LAST: Readonly<Record<string, readonly string[]>> = {
  en: [', ', ' and ', ', and ', ' & '],
  es: [', ', ' y '],
  fr: [', ', ' et '],
  de: [', ', ' und '],
  pt: [', ', ' e '],
  ar: ['، ', ' و '],
};

const comma = (number: string) => number.replace('.', ',');

/** What the days of a week with their amounts mean. */
function weekOf(days: readonly Day[], unit: string): Meaning {
  const values = [...new Set(days.map(({ value }) => value))];
  const groups = values.map((value) => ({
    weekdays: days.filter((day) => day.value === value).map(({ weekday }) => weekday),
    value,
  }));
  const [most, ...onDays] = groups.sort((a, b) => b.weekdays.length - a.weekdays.length);
  const often =
    days.length === ALL_DAYS.length
      ? { unit: 'day' }
      : { unit: 'week', weekdays: days.map(({ weekday }) => weekday) };
  const amount = { value: most?.value, unit, ...(onDays.length > 0 && { onDays }) };
  return { kind: 'calendar', every: 1, timesADay: 1, ...often, amount } as unknown as Meaning;
}
