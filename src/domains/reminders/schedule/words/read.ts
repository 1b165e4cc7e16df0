import { Recent } from '../../../../platform/lru.js';
import { clausesAt } from './clause.rules.js';
import { isLess } from './exact.js';
import { eyesOf, isEye } from './eyes.js';
import { type Edge, isAlike, type Lattice, latticeOf } from './lattice.js';
import {
  areSeveral,
  isCutShort,
  isNeededLast,
  isRangeCut,
  isTooSoon,
  withMeals,
  withoutHalves,
  withoutLostHours,
} from './lost.js';
import type { Meaning } from './meaning.js';
import { isSlip, meant } from './meant.js';
import { phasesOf } from './phases.js';
import { plain } from './plain.js';
import { holdsTimeInReason } from './reason-times.js';
import { isTimed, join, type Note, type PhrasePart } from './said.js';
import { withStated } from './stated.js';
import { withStrengths } from './strengths.js';
import { BDS, OD, SHARED } from './table/shared.js';
import { VOCABULARIES } from './table/tables.js';
import { speaksOfAnother } from './topics.js';
import { isTwofold, isUnlikely } from './unsure.js';
import type { Vocabulary } from './vocabulary.js';

/** Most different readings of the beginning of a phrase. A phrase with more is not understood. */
const MOST_READINGS = 64;

/** What a direction can mean. */
export interface Reading {
  readonly meaning: Meaning;
  readonly notes: readonly Note[];
  readonly said: PhrasePart;
}

/**
 * Returns all that a phrase can mean, in any one of the languages, each meaning once. No meaning:
 * it is not understood. Several: it is ambiguous, and none of them may be taken. Every word of the
 * phrase counts: one that has no place in the grammar leaves no meaning. Nor is a meaning left
 * alone by the contradictions of others: one way to read all words that contradicts itself leaves
 * none.
 */
export function readingsOf(text: string): readonly Reading[] {
  const phrase = plain(text);
  if (!phrase) return [];
  const before = known.get(phrase);
  if (before) return before;
  const readings = readingsIn(phrase);
  known.set(phrase, readings);
  return readings;
}
/** The phrases that were read last: one in many words takes tens of milliseconds. */
const known = new Recent<string, readonly Reading[]>(1_000);

function readingsIn(phrase: string): readonly Reading[] {
  if (isTwofold(phrase)) return [];
  const before: Read[] = [];
  const found = VOCABULARIES.map((vocabulary) => readIn(phrase, vocabulary, before));
  const all = found.flatMap(({ readings }) => readings);
  const meanings = new Map<string, Reading>();
  for (const one of all) {
    const key = JSON.stringify(one.meaning);
    // Of ways to mean the same, the one with the most notes: prn pain has a reason.
    const isRicher = one.notes.length >= (meanings.get(key)?.notes.length ?? 0);
    if (isRicher) meanings.set(key, one);
  }
  const each = [...meanings.values()];
  const [only, ...others] = each;
  if (!only || others.length > 0) return each;
  const isContradicted = found.some(({ contradicted }) => contradicted);
  return isContradicted || isUnlikely(only.meaning, phrase) ? [] : each;
}

/** Returns the meanings of a phrase: see `readingsOf`. */
export const meaningsOf = (text: string): readonly Meaning[] =>
  readingsOf(text).map(({ meaning }) => meaning);

/** What a phrase can mean in a language, and whether a way to read it contradicts itself. */
interface Found {
  readonly readings: readonly Reading[];
  readonly contradicted: boolean;
}
const NOTHING: Found = { readings: [], contradicted: false };

/** Words of a language, and what they say. */
interface Read {
  readonly lattice: Lattice;
  readonly found: Found;
}

/** Returns what a plain phrase can mean in one language. `before` are those that were read. */
export function readIn(phrase: string, vocabulary: Vocabulary, before: Read[] = []): Found {
  const read = latticeOf(phrase, vocabulary);
  if (!read || isBriefDay(read, vocabulary) || isCutShort(read) || isRangeCut(read)) return NOTHING;
  if (areSeveral(read) || isNeededLast(read) || speaksOfAnother(read)) return NOTHING;
  if (holdsTimeInReason(read, vocabulary.language)) return NOTHING;
  if (vocabulary.language !== 'en' && (isForeign(read) || TWELFTHS.test(phrase))) return NOTHING;
  // Abbreviations are the same in several languages.
  const same = before.find(({ lattice }) => isAlike(lattice, read));
  const found = same?.found ?? readFrom(read);
  if (vocabulary.language !== 'en' && EVERY_TWELVE.test(phrase) && found.readings.some(lastsMonths))
    return NOTHING;
  before.push({ lattice: read, found });
  const others = othersOf(phrase, vocabulary, found.readings).flatMap((other) =>
    other ? readFrom(other).readings : [],
  );
  return others.length > 0 ? { ...found, readings: [...found.readings, ...others] } : found;
}

/** 10/12 is a date where nobody writes British lengths; 12/12 and 8/12 h are hours. */
const TWELFTHS = /(?<![\d/.,])(?!12 ?\/)\d{1,2} ?\/ ?12(?![\d/.,]| ?h)/;

/** 12/12, which is each 12 hours there, and never a year. */
const EVERY_TWELVE = /(?<![\d/.,])12 ?\/ ?12(?![\d/.,]| ?h)/;
const lastsMonths = ({ said: { bounds } }: Reading): boolean =>
  bounds?.kind === 'duration' && bounds.unit === 'month';

/**
 * Returns whether a language has no word of its own in a phrase but numbers, which are words of
 * another language: once bd, sept tds, doze prn. Nor is sex alone a Friday.
 */
function isForeign({ edges, parts }: Lattice): boolean {
  const own = parts.map((part, at) => {
    if (!/^\p{L}/u.test(part) || COMMON.has(part)) return 'none';
    const isNumber = edges[at]?.some(({ term }) => term.is === 'number' && term.spelt === true);
    if (isNumber || FOREIGN.has(part)) return 'number';
    return edges[at]?.some(({ term }) => term.is === 'note') ? 'none' : 'word';
  });
  return own.includes('number') && !own.includes('word');
}
/** Dos is two in Spanish, and of the in Portuguese. */
const FOREIGN: ReadonlySet<string> = new Set(['sex', 'dos']);
/** The words that all languages share. */
const COMMON: ReadonlySet<string> = new Set(
  [...SHARED, ...OD, ...BDS].flatMap(([, words]) => words.split(/[| ]/)),
);

/** Returns the other ways in which a phrase may have been written. */
function othersOf(phrase: string, vocabulary: Vocabulary, readings: readonly Reading[]) {
  const { language } = vocabulary;
  const isTimed = readings.some(({ said }) => !said.amount);
  const mayBeMany =
    (isTimed && SMALL_HOUR.test(phrase)) || (readings.length > 0 && hasBareHalf(phrase));
  // 8 u 20 Uhr: units, or the German and without its dot.
  const asAnd = language === 'de' ? phrase.replace(U, 'u .') : phrase;
  return [
    // Take 2 am and 1 pm: at these hours, or so many. 10 units am, 8 pm: as well.
    ...(mayBeMany ? [latticeOf(phrase, vocabulary, 'amounts')] : []),
    ...(isTimed && language === 'en' && HALVES.test(phrase)
      ? [
          latticeOf(
            phrase.replace(HALVES, 'take $1 in the morning take $2 in the evening'),
            vocabulary,
          ),
        ]
      : []),
    ...(asAnd === phrase ? [] : [latticeOf(asAnd, vocabulary)]),
    // 10 units morning, 12 noon, 14 night.
    ...(readings.some(({ said }) => said.at?.some(({ amount }) => amount)) && TWELVE.test(phrase)
      ? [latticeOf(phrase.replace(TWELVE, '12 at noon'), vocabulary)]
      : []),
  ];
}
const TWELVE = /(?<!\bat |@ ?)\b12 noon\b/;
const SMALL_HOUR = /\b[1-4] [ap]m\b/;
/** Returns whether a half of the day stands without its hour, and behind it one with a number. */
function hasBareHalf(phrase: string): boolean {
  const bare = /(?:^|[a-z,] ?)\b[ap]m\b/.exec(phrase);
  return bare !== null && /[ ,]\d{1,2} [ap]m\b/.test(phrase.slice(bare.index));
}
/** 10 am 6 pm side by side, which may be so many as well. The same twice, or three, are hours. */
const HALVES = /(?<!\bat |@ ?|[ap]m )\b(\d{1,2}) am (?!\1 )(\d{1,2}) pm\b(?! \d+ ?[ap]m)/;
const U = /(?<=\d )u(?= [a-z\d])/g;

function readFrom(read: Lattice): Found {
  const found = foundIn(read);
  return found.readings.some(({ meaning }) => isTooSoon(read, meaning)) ? NOTHING : found;
}

function foundIn(read: Lattice): Found {
  const { whole, contradicted } = saidBy(withEyes(read));
  if (whole.some((one) => isGuess(one, read) || isWorn(one, read) || isSpread(one, read)))
    return NOTHING;
  if (whole.some((one) => isPack(one, read) || isDated(one, read))) return NOTHING;
  const readings = whole.map(({ said, notes }) =>
    meant(said).map((meaning) => ({ meaning, notes, said })),
  );
  const meaningful = readings.filter(({ length }) => length > 0);
  // What says too little says nothing: eleven, in another language.
  if (meaningful.length === 0) return phased(read);
  const all = meaningful.length < readings.length || contradicted;
  return { readings: meaningful.flat(), contradicted: all };
}

/** Until gone is a guess where what is treated may be meant: apply to wart until it is gone. */
const isGuess = ({ said, notes }: State, { parts }: Lattice): boolean =>
  said.gone === true &&
  !said.bounds &&
  (notes.some(({ part }) => part === 'site' || part === 'indication') || spreads(parts));
const SPREADING = new Set('apply applied applying rub massage dab smear spread paint'.split(' '));

const spreads = (parts: readonly string[]) => parts.some((part) => SPREADING.has(part));

/** 1 tablet at night, apply to face at night: nobody spreads what is swallowed. */
const isSpread = ({ said }: State, { parts }: Lattice): boolean =>
  SWALLOWED.has(said.amount?.unit ?? '') && spreads(parts);
const SWALLOWED = new Set(['tablet', 'capsule', 'pill']);

/** Apply twice a day 30 g, eye drops bd 10 ml, 20 pieces bd: the tube, the bottle or the pack. */
const isPack = ({ said: { amount } }: State, { edges, parts }: Lattice): boolean => {
  if (!amount) return false;
  const largest = amount.upTo ?? amount.value;
  const { unit } = amount;
  const least = LEAST_LAST.get(unit ?? '');
  if (least && isAmountLast(parts) && !isLess(largest, least)) return true;
  if (unit === 'piece') return isLess(MOST_PIECES, largest);
  if (unit === 'g') return !isLess(largest, LEAST_TUBE) && parts.some((part) => SPREADS.test(part));
  const isDrops = edges.some(
    (all, at) =>
      all.some(({ term }) => term.is === 'form' && term.name === 'drop') ||
      DROPS.test(parts[at] ?? ''),
  );
  return unit === 'ml' && !isLess(largest, LEAST_BOTTLE) && isDrops;
};
const MOST_PIECES = '4';
/** Of which unit so many behind how often are a tube or a bottle: bd 200 ml. */
const LEAST_LAST: ReadonlyMap<string, string> = new Map([
  ['ml', '50'],
  ['g', '15'],
]);
const isAmountLast = (parts: readonly string[]): boolean => {
  const text = parts.join(' ');
  return !/^[\d., ]*(?:ml|g)\b/.test(text) && /\d (?:ml|g)$/.test(text);
};
/** Grams and millilitres. */
const LEAST_TUBE = '15';
const LEAST_BOTTLE = '5';
const SPREADS =
  /^(?:appl(?:y|ied|iquer|iquez)|auftragen|aplicar|aplique|etaler|extender|espalhar|passar)$/;
const DROPS = /^(?:collyre|colirio|augentropfen|ohrentropfen|nasentropfen)$/;

/** 1 tablet daily. Sun: it may be the day on which that was written. */
const isDated = ({ said: { every, per, weekdays } }: State, { edges, parts }: Lattice): boolean =>
  weekdays?.length === 1 &&
  (every?.unit === 'day' || per === 'day') &&
  edges.some(
    (all, at) =>
      all.some(({ term, end }) => term.is === 'weekday' && isEnd(parts, end)) &&
      !edges.some((before) => before.some(({ term, end }) => end === at && ONTO.has(term.is))),
  );
const isEnd = (parts: readonly string[], at: number) => /^[).]*$/.test(parts.slice(at).join(''));
/** What joins a day to how often. */
const ONTO: ReadonlySet<string> = new Set(['lead', 'every', 'each', 'onto', 'at']);

/** Patches and rings that are worn 3 weeks of 4 are changed nobody says how often. */
const isWorn = ({ said }: State, { edges }: Lattice): boolean =>
  said.cycle !== undefined &&
  !isTimed(said) &&
  edges.some((all) => all.some(({ term }) => term.is === 'form' && WORN.has(term.name)));
const WORN = new Set(['patch', 'film', 'injection']);

/** Returns what a phrase says as a course in phases. */
function phased(lattice: Lattice): Found {
  if (countsAll(lattice)) return NOTHING;
  const all = phasesOf(withEyes(lattice), (part) => {
    const { whole } = saidBy(part);
    if (whole.some(({ said }) => isSlip(said))) return [];
    // Phases end by their days: until finished is advice. What may be as needed has none.
    return whole
      .filter(({ said }) => !said.neededOrFor && !said.complaint)
      .filter(({ said }) => !said.fasting || isTimed(said))
      .map(({ said: { finish: _, gone: __, fasting: ___, ...said }, notes }) => ({ said, notes }));
  });
  const readings = all.flatMap(({ said, notes, meanings }) =>
    meanings.map((meaning) => ({ meaning, notes, said })),
  );
  return { readings, contradicted: readings.length < all.length };
}

/** 2 bd for 2 days, then 1 od for a total of 7 days: may be 7 days with those before. */
const countsAll = ({ parts }: Lattice): boolean =>
  parts.some((part, i) => part === 'total' && parts[i + 1] !== ')');

/** Di, so, mar: the short name of a weekday is another word in another language. */
function isBriefDay({ edges, parts }: Lattice, { language }: Vocabulary): boolean {
  const most = language === 'en' ? 2 : 3;
  const [word = ''] = parts;
  const day = edges[0]?.some(({ term }) => term.is === 'weekday') === true;
  return parts.length === 1 && word.length <= most && day;
}

/**
 * Od is the right eye or once a day, never both: see `eyesOf`. What lost its number, or only gives
 * what is measured, is read as that alone.
 */
export function withEyes({ edges, ...lattice }: Lattice): Lattice {
  const abbreviated = eyesOf({ edges, parts: lattice.parts });
  // Thereafter daily: only at the end it is advice.
  const isOnlyThen = ({ term, end }: Edge, each: readonly Edge[]) =>
    term.is === 'note' &&
    end < edges.length &&
    each.some((other) => other.term.is === 'then' && other.end === end);
  // Ac breakfast: before that meal, rather than before all of them.
  const isOfMeal = ({ term, end }: Edge) =>
    term.is === 'says' &&
    term.said[0]?.meals !== undefined &&
    edges[end]?.some(({ term: next }) => next.is === 'meal' && next.anchors.length === 1);
  // Bd. Augen: both of them.
  const isSide = ({ term, end }: Edge, each: readonly Edge[]) =>
    term.is === 'says' &&
    each.some((other) => other.term.is === 'side' && other.end === end) &&
    edges[end]?.some((next) => next.term.is === 'body');
  const kept = edges.map((each, at) => {
    const all = each.filter(
      (one) => !isOfMeal(one) && !isOnlyThen(one, each) && !isSide(one, each),
    );
    const eye = all.find(isEye);
    if (!eye) return all;
    const is = abbreviated(at, eye.end);
    // As needed is longer than the left ear.
    return all.filter(
      (one) => one.end > eye.end || (is !== 'neither' && isEye(one) === (is === 'eye')),
    );
  });
  return withStrengths(
    withStated(withoutLostHours(withMeals(withoutHalves({ ...lattice, edges: kept })))),
  );
}

/** What has been read from the beginning of a phrase. */
interface State {
  readonly said: PhrasePart;
  readonly notes: readonly Note[];
}

interface Whole {
  readonly whole: readonly State[];
  /** Whether some way to read all words contradicts itself. */
  readonly contradicted: boolean;
}

/** All that the clauses of a phrase say together, from its first place to its last. */
function saidBy(lattice: Lattice): Whole {
  const length = lattice.parts.length;
  const at: Map<string, State>[] = Array.from({ length: length + 1 }, () => new Map());
  const broken = new Set<number>();
  at[0]?.set('', { said: {}, notes: [] });
  for (let from = 0; from < length; from++) {
    const states = at[from] as Map<string, State>;
    if (states.size === 0 && !broken.has(from)) continue;
    if (states.size > MOST_READINGS) return { whole: [], contradicted: true };
    for (const { value, end } of clausesAt(lattice, from)) {
      if (broken.has(from)) broken.add(end);
      for (const state of states.values()) {
        if (value.leading && isTimed(state.said)) continue;
        const said = join(state.said, value.said);
        if (!said) broken.add(end);
        else keep(at[end] as Map<string, State>, said, [...state.notes, ...value.notes]);
      }
    }
  }
  const whole = [...(at[length]?.values() ?? [])];
  // A number that is lost leaves no other way to read the words.
  return whole.some(({ said }) => said.lost)
    ? { whole: [], contradicted: true }
    : { whole, contradicted: broken.has(length) };
}

/**
 * Keeps what has been read: an amount of a period in place of one that is each time alone, with the
 * notes of the other, which has those between the two. Of two ways to say the same, the one with more
 * notes.
 */
function keep(states: Map<string, State>, said: PhrasePart, notes: readonly Note[]): void {
  const key = keyOf(said);
  const known = states.get(key);
  if (known && said.amountPer) states.set(key, { said, notes: known.notes });
  else {
    const richer = known && known.notes.length > notes.length ? known.notes : notes;
    states.set(key, { said: known?.said.amountPer ? known.said : said, notes: richer });
  }
}

/** The same parts in another order say the same. */
const keyOf = ({ amountPer: _, ...said }: PhrasePart) =>
  JSON.stringify(Object.entries(said).sort(([a], [b]) => (a < b ? -1 : 1)));
