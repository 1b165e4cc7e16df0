// Directions that say one thing of one amount, or may mean two: none of them has a single meaning.
import type { Calendar } from '../../../../../src/domains/reminders/schedule/words/meaning.js';
import { forms, SHORT, WORDS, type Words } from './portions.js';
import { type Language, type Pick, spelt } from './prescription.js';

/** What a language says of one amount: a time of the day, and periods of more than a week. */
interface Beside {
  readonly times: readonly string[];
  readonly periods: readonly string[];
  /** So many doses, or so many days, behind how often. */
  readonly doses: readonly string[];
  readonly days: (count: number) => string;
  /** How often, without its number: every hours. */
  readonly lost: readonly string[];
  readonly daily: readonly string[];
  readonly aDay: string;
  /** Each hour: a number may stand there no more. */
  readonly hourly: readonly string[];
  /** Every 8 hours, and another number of them. */
  readonly clocks: string;
  /** Puffs or sprays, behind their number. */
  readonly puffs: readonly string[];
  readonly perDay: readonly string[];
  /** From one day to another, without its to. */
  readonly cut: readonly string[];
}

const BESIDE: Readonly<Record<string, Beside>> = {
  en: {
    times: ['at night', 'in the morning', 'at 8 am', 'with breakfast'],
    periods: ['every 2 weeks', 'fortnightly', 'every 4 weeks', 'every month'],
    doses: ['x 3 doses', 'for 4 doses'],
    days: (count) => `${count} days`,
    lost: ['every hours', 'every hs', 'q h', 'every days', 'every weeks', 'every months'],
    daily: ['daily', 'once daily', 'every day'],
    aDay: 'a day',
    hourly: ['hourly', 'every hour'],
    clocks: 'every 8 hours and 20 hours',
    puffs: ['puffs', 'sprays'],
    cut: ['from Monday Friday', 'between Mon Fri', 'Mon Fri', 'Monday Sunday'],
    perDay: ['a day', 'per day', '/day'],
  },
  es: {
    times: ['por la noche', 'por la mañana', 'a las 8:00'],
    periods: ['cada 2 semanas', 'cada 4 semanas'],
    doses: ['x 3 dosis', 'por 4 dosis'],
    days: (count) => `${count} días`,
    lost: ['cada horas', 'cada hs', 'cada días', 'cada semanas'],
    daily: ['al día', 'diario'],
    aDay: 'al día',
    hourly: ['cada hora'],
    clocks: 'cada 8 horas y 20 horas',
    puffs: ['puff', 'inhalaciones'],
    cut: ['de lunes viernes', 'desde lunes domingo', 'lunes viernes'],
    perDay: ['al día', 'por día'],
  },
  fr: {
    times: ['le soir', 'le matin', 'à 8h00'],
    periods: ['toutes les 2 semaines', 'toutes les 4 semaines'],
    doses: ['x 3 doses', 'pour 4 doses'],
    days: (count) => `${count} jours`,
    lost: [],
    daily: ['par jour'],
    aDay: 'par jour',
    hourly: ['toutes les heures', 'chaque heure'],
    clocks: 'toutes les 8 heures et 20 heures',
    puffs: ['bouffées', 'pulvérisations'],
    cut: ['du lundi vendredi', 'de lundi dimanche', 'lundi vendredi'],
    perDay: ['par jour'],
  },
  de: {
    times: ['abends', 'morgens', 'um 8 Uhr'],
    periods: ['alle 2 Wochen', 'alle 4 Wochen'],
    doses: ['x 3 Dosen', 'für 4 Dosen'],
    days: (count) => `${count} Tage`,
    lost: ['alle Stunden', 'alle Std.', 'alle Wochen', 'alle Monate'],
    daily: ['täglich'],
    aDay: 'pro Tag',
    hourly: ['stündlich', 'jede Stunde'],
    clocks: 'alle 8 Stunden und 20 Stunden',
    puffs: ['Hübe', 'Sprühstöße'],
    cut: ['von Montag Freitag', 'vom Montag Sonntag', 'Montag Freitag'],
    perDay: ['am Tag', 'pro Tag'],
  },
  pt: {
    times: ['à noite', 'de manhã', 'às 8h00'],
    periods: ['a cada 2 semanas', 'a cada 4 semanas'],
    doses: ['x 3 doses', 'por 4 doses'],
    days: (count) => `${count} dias`,
    lost: ['a cada horas', 'cada horas', 'a cada hs', 'a cada dias', 'a cada semanas'],
    daily: ['ao dia', 'por dia'],
    aDay: 'por dia',
    hourly: ['a cada hora'],
    clocks: 'a cada 8 horas e 20 horas',
    puffs: ['jatos', 'puffs'],
    cut: ['de segunda sexta', 'de segunda-feira domingo'],
    perDay: ['ao dia', 'por dia'],
  },
  ar: {
    times: ['مساء', 'صباحا'],
    periods: ['كل اسبوعين', 'كل 4 أسابيع'],
    doses: ['x 3 جرعات', 'لمدة 4 جرعات'],
    days: (count) => `لمدة ${count} أيام`,
    lost: ['كل ساعات', 'كل أيام'],
    daily: ['يوميا'],
    aDay: 'في اليوم',
    hourly: ['كل ساعة'],
    clocks: 'كل 8 ساعات و 20 ساعة',
    puffs: ['بخات'],
    cut: ['من الاثنين الجمعة', 'من الاثنين الأحد'],
    perDay: ['في اليوم'],
  },
};

/** Amounts of two groups of weekdays, with words that stand beside one of them. */
function sharesWith(words: Words, say: (one: string) => string, beside: string, pick: Pick) {
  const [named] = pick(words.days);
  const first = [`${say('2')} ${named} ${beside}`, `${say('2')} ${beside} ${named}`];
  const other = `${say('3')} ${pick(words.others)}`;
  return pick([
    `${pick(first)}${pick(words.and)}${other}`,
    `${say('2')} ${named}${pick(words.and)}${other} ${beside}`,
    `${named} ${say('2')} ${beside}${pick(words.and)}${pick(words.others)} ${say('3')}`,
    `${named} ${say('2')}${pick(words.and)}${pick(words.others)} ${say('3')} ${beside}`,
  ]);
}

/** Numbers that nobody takes alone: a unit is lost. */
const LARGE = ['15', '18', '20', '30'];
const MEASURES = ['mg', 'ml', 'mcg'];
/** What a slip leaves: a number lost, its unit lost, or a number twice. */
const slips = (say: (one: string) => string, { lost, daily, times }: Beside, pick: Pick) => {
  const [number, measure] = [pick(LARGE), pick(MEASURES)];
  return [
    ...lost.map((often) => `${say('2')} ${often}`),
    `${number} ${pick(daily)}`,
    `${number} ${pick(times)}`,
    `${number} ${number} ${measure} ${pick(daily)}`,
  ];
};

/** A day has lost its amount: each other one has its own. */
function lostAmount(language: Language, say: (one: string) => string, pick: Pick) {
  const days = SHORT[language.name] as readonly string[];
  const from = pick([0, 1, 2, 3]);
  const [one, two, three, four] = days.slice(from) as [string, string, string, string];
  const between = pick([', ', ' ']);
  return pick([
    `${one} ${say('2')}${between}${two}${between}${three} ${say('3')}`,
    `${one} ${say('2')}${between}${two}${between}${three} ${say('2')}${between}${four} ${say('3')}`,
    `${say('2')} ${one}, ${say('3')} ${two}${between}${three}`,
  ]);
}

/** Pr behind how often, or beside what goes into the mouth: prn that was cut. */
const cutShort = (say: (one: string) => string, pick: Pick) =>
  pick([
    `${say('2')} ${pick(['q6h', 'q4h', 'bd', 'tds'])} ${pick(['pr', 'p.r.'])}`,
    `${say('2')} ${pick(['po', 'sl'])} pr ${pick(['q6h', 'bd'])}`,
  ]);

const HOURS = ['5', '6', '7', '8', '9', '10', '11'];
const SEVERAL = ['2', '3', '4', '5', '6'];
/** What only one language may write, or what only its words make another thing. */
const OWN: Readonly<Record<string, (say: (one: string) => string, pick: Pick) => string[]>> = {
  en: (say, pick) => {
    const [one, two, three] = [pick(['2', '5', '10']), pick(['1', '4', '8']), pick(SEVERAL)];
    return [
      // A number behind am is an hour, or so many; behind an amount it is another one.
      `${pick(HOURS)} am ${pick(['2', '3', '4'])} pm`,
      `${say(one)} ${pick(['', 'in the '])}am${pick([', ', ' and '])}${pick(HOURS)} pm`,
      `1 tablet ${pick(HOURS)} am and pm`,
      `${say(one)} at ${pick(['am', 'pm'])}`,
      // From so many times to so many, so many of them or times, hours that have lost a sign.
      `${say(one)} ${pick(['daily-bid', 'od-bd', 'bd-tds', 'tid-qid'])}`,
      `x${three} ${pick(['tablets', 'capsules', 'puffs'])} daily`,
      `${say(one)} q${pick(['46', '68', '30', '81'])}h${pick([' prn', ''])}`,
      `${say(one)} im -${pick(['weekly', 'monthly'])}`,
      `${pick(LARGE)} ${pick(['weekly', 'monthly'])}`,
      `${say(one)} q${pick(['17', '19', '21', '23'])}h`,
      `${say(one)} ${pick(['daily', 'od'])} for ${three} days ${pick(['twice daily', 'bd'])}`,
      `${pick(['2', '3', '5'])} yearly`,
      `1:${pick(['10', '15', '20'])} with meals`,
      // A number or a unit twice.
      ...['two', 'three', 'four'].map((word) => `apply ${word} ${word} times a day`),
      `${say(one)} daily x3 3 days`,
      `${say(one)} ${pick(['q4 4w', 'q12 12w'])}`,
      'one 5 ml ml spoonful every 4 hours',
      `${say(one)} am ${two} pm`,
      `${pick(['10', '40'])} mg am ${two} pm`,
      `1x${three} ${pick(['tablets', 'capsules', 'puffs'])} ${pick(['', 'daily', 'after meals'])}`,
      `${one} tbs ${pick(['bd', 'daily', 'at night'])}`,
      `${pick(['1', '2', '5'])} ng ${pick(['bd', 'tds', 'daily'])}`,
      `${say('1')} daily except ${pick(['Sun.', 'Mon.'])} ${pick(['Sat', 'Thu'])} ${say('2')}`,
      // As needed, or why; at, or a Saturday; cut short.
      `${say(one)} ${pick(['q4h', 'every 6 hours'])} ${pick(['pain', 'fever', 'nausea', 'cough'])}`,
      `${say(one)} sat ${pick(['bedtime', 'night', '9 pm', 'breakfast'])}`,
      `${pick(['every', 'each'])} ${pick(['in the morning', 'at night', 'at bedtime', 'at 8am'])}`,
      `${pick(['21 days', '21'])} on 7 ${pick(['off', 'days off'])} for ${pick(['7', '20'])} days`,
      // Without a unit, a mark that may part thousands; so many at once, or so many times.
      `${pick(['1,250', '1.500', '1,125'])} ${pick(['bd', 'tds', 'od', 'nocte'])}`,
      `${pick(['1-2', '2-3', 'one or two'])} ${pick(['daily', 'each day', 'weekly'])}`,
      // Od beside an eye that is named, and two medicines.
      `1 drop ${pick(['left eye', 'OS'])} ${pick(['bd', 'tds'])}, ${pick(['right eye', 'OU'])} od`,
      `1 metformin ${pick(['in the morning', 'mane'])} and 1 ramipril ${pick(['at night', 'nocte'])}`,
      // As needed of the last time alone, or beside what rings; a number of pieces beside milligrams.
      `${say('1')} ${pick(['mane', 'in the morning'])} and ${say('1')} nocte ${pick(['prn', 'if needed'])}`,
      `5 mg ${pick(['od', 'bd', 'daily'])}, 1 tab prn`,
      `${pick(['10', '40'])} mg ${pick(['mane and 1 nocte', 'for 3 days then 1 daily'])}`,
      // A word is lost, or a number.
      `${pick(['two', 'three'])} a half ${pick(['ml', 'mg'])} ${pick(['bd', 'daily'])}`,
      `${say(one)} on the first day, then ${say('1')} daily for days ${three}`,
      `take ${pick(['two', '1', '3'])} ml ${pick(['spoonsful', 'spoonfuls'])} ${pick(['', 'bd'])}`,
    ];
  },
  de: (_, pick) => [
    `${pick(HOURS)} u ${pick(['18', '20', '22'])} Uhr`,
    `morgens ${pick(['1', '2'])} u abends ${pick(['3', '4'])}`,
    `1x${pick(SEVERAL)} ${pick(['Tbl.', 'Kapseln', 'Tabletten'])} ${pick(['', 'tgl', 'täglich'])}`,
  ],
};

/** What lost a number between phases, or is more than one course. */
function lostBetween(language: Language, beside: Beside, [said, several]: string[], pick: Pick) {
  const written = (unit: string) =>
    pick(language.forms.filter((form) => form.unit === unit).flatMap(({ many }) => many));
  const then = `${pick(beside.daily)} ${beside.days(5)}${pick(language.thens)}`;
  const [one, other] = pick(EYES[language.name] as readonly (readonly [string, string])[]);
  const drop = `1 ${written('drop')}`;
  return pick([
    `10 ${pick([written('mg'), written('unit')])} ${then} ½ ${pick(beside.daily)}`,
    `5 ${written('mg')} lisinopril ${then} amlodipine ${several}`,
    `${drop} ${one} ${then} ${other} ${several}`,
    `${drop} ${one} ${then} ${drop} ${other} ${several}`,
    // In Arabic a form alone is one of it.
    ...(language.name === 'ar' ? [] : [`${said} ${then} ${written('capsule')} ${several}`]),
  ]);
}
const EYES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  en: [
    ['right eye', 'left eye'],
    ['in the left ear', 'in the right ear'],
  ],
  es: [['en el ojo derecho', 'en el ojo izquierdo']],
  fr: [["dans l'oeil droit", "dans l'oeil gauche"]],
  de: [['in das rechte Auge', 'in das linke Auge']],
  pt: [['no olho direito', 'no olho esquerdo']],
  ar: [['في العين اليمنى', 'في العين اليسرى']],
};

const weekdaysOf = ({ days }: Words) => days.filter(([, { length }]) => length === 1);

/** A direction that nobody can tell, in one language. */
export function doubtful(language: Language, pick: Pick): string {
  const words = WORDS[language.name] as Words;
  const beside = BESIDE[language.name] as Beside;
  const form = pick(forms(language));
  const say = (one: string) => `${one} ${pick(form.many)}`;
  const [one, two] = [pick(weekdaysOf(words))[0], pick(words.days)[0]];
  const [hourly] = pick(language.often.filter(([, { kind }]) => kind === 'interval'));
  const [then] = pick(language.often.filter(([, { kind }]) => kind === 'calendar'));
  const [several] = pick(
    language.often.filter(([, means]) => ((means as Partial<Calendar>).timesADay ?? 1) > 1),
  );
  const [counted] = pick(
    language.often.filter(([, means]) => {
      const { timesADay = 1, at } = means as Partial<Calendar>;
      return timesADay > 1 && !at;
    }),
  );
  const long = pick([3, 4, 5]);
  const much = pick(['40 mg', '75 mg', '5 ml', say('2')]);
  const [piece, weighed] = ['tablet', 'mg'].map((name) =>
    pick(language.forms.filter(({ unit }) => unit === name).flatMap(({ many }) => many)),
  );
  const { two: toTwo, twice } = language.household;
  const kinds = [
    () => `${say('1')} ${pick(twice)}`,
    () => toTwo(say('1'), say('2')),
    () => sharesWith(words, say, pick([...beside.times, ...beside.periods]), pick),
    () => `${say('2')}${pick(words.except)}${one}, ${two} ${say('3')}`,
    () => `${one} ${pick(['8', '10'])}${pick(words.and)}${two} ${pick(['9', '12'])}`,
    () => `${say('2')} ${beside.days(long)}, ${say('3')} ${beside.days(7 - long)}`,
    () => `${say('2')} ${hourly} ${pick(beside.doses)}${pick(language.thens)}${then}`,
    () => pick(slips(say, beside, pick)),
    () => lostAmount(language, say, pick),
    () => cutShort(say, pick),
    () => `${say('2')} ${beside.clocks}`,
    () => `2 ${pick([piece, weighed])} ${pick(beside.hourly)}`,
    () =>
      `${pick(['15', '20', '30'])} ${pick(beside.puffs)} ${pick([beside.aDay, ...beside.daily])}`,
    () => `${pick(['30', '500', '1000'])} ${piece} ${pick([hourly, then])}`,
    // 2, once a day; a patch every 72 hours.
    () => `${pick(['21', '31', '41'])}x ${pick(beside.daily)}`,
    () => `${pick(['1 ', ''])}${pick(['patch', 'parche', 'Pflaster'])} ${pick(['q2h', 'q1h'])}`,
    () => `${say('2')} ${pick(beside.cut)}`,
    () => lostBetween(language, beside, [say('2'), counted], pick),
    // A half that has lost its sign.
    () => `05 ${pick([piece, weighed])} ${pick(beside.daily)}`,
    () => pick(['1-01-0', '0-0-01', '1-0-05', '1-0½-0', '2-02-0']),
    // So much each time, or in all.
    () => `${much} ${pick([...beside.perDay, ...beside.daily])} ${several}`,
    // Daily before it may belong to times of the day, and not to a count.
    () => `${pick(beside.daily)} ${much} ${counted}`,
    () => `${several} ${much} ${pick([...beside.perDay, ...beside.daily])}`,
    () => pick(OWN[language.name]?.(say, pick) ?? slips(say, beside, pick)).trim(),
    () => `1${pick(words.to)}${pick(['2 500 ', '20 ', '10 '])}${pick(form.many)} ${hourly}`,
  ];
  return spelt(pick(kinds)(), pick);
}
