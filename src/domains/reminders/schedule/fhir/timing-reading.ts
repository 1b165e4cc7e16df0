import { isDeepStrictEqual } from 'node:util';
import { parseMoment } from '../../../../platform/moment.js';
import type { Bounds, Uniform, Unit } from '../words/meaning.js';
import { storedAs } from '../words/stored.js';
import {
  childrenOf,
  codeIn,
  type Element,
  listOf,
  refuseAny,
  refused,
  textOf,
  wholeOf,
} from './dosage-element.js';
import { type Needed, neededOf } from './needed-reading.js';
import { oftenOf, type PeriodUnit, UNITS } from './often-reading.js';
import { REPEAT, type Repeat } from './timing-repeat.js';

/** What a Timing says. Dates are as FHIR writes them. */
export interface TimingRead extends Pick<Needed, 'frequency' | 'minutesUpTo'> {
  /** Without dates. */
  readonly meaning: Uniform;
  readonly start?: string;
  readonly end?: string;
  /** Where the lengths of several directions are looked for. */
  readonly path: string;
}

const LASTS = 'A reminder has no length of a dose. Say it in text, and leave it out here.';
const UNHELD = {
  boundsRange: 'A reminder ends on one day. Give boundsDuration or boundsPeriod.',
  countMax: 'A reminder ends after one number of doses. Give count alone.',
  duration: LASTS,
  durationMax: LASTS,
  durationUnit: LASTS,
};
/** What a code of a whole timing may stand beside. */
const BOUNDS: readonly string[] = ['boundsDuration', 'boundsPeriod', 'count'];

/**
 * Reads a Timing of R4 or R5, of something that is taken as needed or not. Throws SCHEDULE_INVALID,
 * naming the element, for what a schedule cannot hold.
 */
export function readTiming(element: Element, asNeeded: boolean): TimingRead {
  const { event, repeat: given, code } = childrenOf(element, ['event', 'repeat', 'code']);
  const { path } = given ?? code ?? event ?? element;
  if (event) {
    refuseAny([given, code], 'A reminder comes on dates or repeats. Leave one of them out.');
    if (asNeeded) throw refused(event.path, NO_TIMES);
    const [first, second] = listOf(event, 100);
    if (second) throw refused(second.path, 'A reminder has one date. Make a reminder of each.');
    return { path, meaning: { kind: 'once' }, start: dateOf(first as Element) };
  }
  const parts = given ? childrenOf(given, REPEAT, UNHELD) : {};
  const repeat = code ? coded(code, parts) : parts;
  const period = periodOf(repeat);
  const needed = asNeeded ? neededOf(repeat) : undefined;
  const meaning = needed?.meaning ?? withBounds(oftenOf(repeat, path), repeat);
  if (!storedAs(meaning)) throw refused(path, 'Two of its times fall together in a usual day.');
  return { path, ...needed, meaning, ...period };
}
const NO_TIMES = 'What is taken as needed has no times of its own. Leave it out.';

/** Codes of http://terminology.hl7.org/CodeSystem/v3-GTSAbbreviation that say how often. */
const CODES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  QD: { frequency: 1, period: 1, periodUnit: 'd' },
  BID: { frequency: 2, period: 1, periodUnit: 'd' },
  TID: { frequency: 3, period: 1, periodUnit: 'd' },
  QID: { frequency: 4, period: 1, periodUnit: 'd' },
  QOD: { frequency: 1, period: 2, periodUnit: 'd' },
  ...Object.fromEntries(
    [1, 2, 3, 4, 6, 8].map((hours) => [
      `Q${hours}H`,
      { frequency: 1, period: hours, periodUnit: 'h' },
    ]),
  ),
  WK: { frequency: 1, period: 1, periodUnit: 'wk' },
  MO: { frequency: 1, period: 1, periodUnit: 'mo' },
  AM: { frequency: 1, period: 1, periodUnit: 'd', when: ['MORN'] },
  PM: { frequency: 1, period: 1, periodUnit: 'd', when: ['AFT'] },
  BED: { frequency: 1, period: 1, periodUnit: 'd', when: ['HS'] },
};
const SYSTEM = 'http://terminology.hl7.org/CodeSystem/v3-GTSAbbreviation';

/** Returns what the code of a Timing says, with the bounds beside it, which hold for it too. */
function coded(code: Element, parts: Repeat): Repeat {
  const { coding, text } = childrenOf(code, ['coding', 'text']);
  if (!coding) throw refused((text ?? code).path, `Give coding, of ${SYSTEM}, or repeat.`);
  if (text) textOf(text);
  const [first, second] = listOf(coding, 10);
  if (second) throw refused(second.path, 'Give one code.');
  const { system, code: name } = childrenOf(first as Element, [
    'system',
    'code',
    'display',
    'version',
    'userSelected',
  ]);
  if (!name || !system) throw refused((first as Element).path, 'This needs a system and a code.');
  codeIn(system, { [SYSTEM]: true });
  const said = codeIn(name, CODES);
  const beside = Object.entries(parts).filter(([part]) => !BOUNDS.includes(part));
  const same = beside.every(([part, { value }]) => isDeepStrictEqual(value, said[part]));
  if (!same) throw refused(code.path, 'This says something else than repeat. Give one of them.');
  const { path } = code;
  const elements = Object.entries(said).map(([part, value]) => [part, { path, value }]);
  return { ...parts, ...Object.fromEntries(elements) };
}

/** Returns a schedule with its end: so many doses, or so long. */
function withBounds(meaning: Uniform, { boundsDuration, count }: Repeat): Uniform {
  if (meaning.kind === 'once' || meaning.kind === 'as_needed') {
    refuseAny([boundsDuration], 'What comes once has no length. Leave it out.');
    return meaning;
  }
  if (boundsDuration && count)
    throw refused(count.path, 'A reminder ends after so many doses or so long. Give one of them.');
  if (boundsDuration) return { ...meaning, bounds: durationOf(boundsDuration, meaning) };
  if (!count) return meaning;
  const number = wholeOf(count, 9_999);
  if (meaning.kind === 'calendar' && (meaning.unit === 'month' || meaning.unit === 'year'))
    throw refused(count.path, 'By months no doses are counted. Give boundsPeriod.');
  return { ...meaning, bounds: { kind: 'doses', count: number } };
}

const LENGTHS: Readonly<Partial<Record<PeriodUnit, Unit>>> = {
  d: 'day',
  wk: 'week',
  mo: 'month',
  a: 'year',
};
const DAY_HOURS = 24;

function durationOf(element: Element, meaning: Uniform): Bounds {
  const { value, unit, system, code } = childrenOf(element, ['value', 'unit', 'system', 'code'], {
    comparator: 'A reminder ends after one length. Leave it out.',
  });
  const named = code ?? unit;
  if (!value || !named) throw refused(element.path, 'This needs a value and a code of UCUM.');
  if (system) codeIn(system, { 'http://unitsofmeasure.org': true });
  const of = codeIn(named, UNITS);
  const count = wholeOf(value, 10_000);
  const length = LENGTHS[of];
  if (length) return { kind: 'duration', unit: length, count };
  // By elapsed time a day is 24 hours.
  if (of === 'h' && meaning.kind === 'interval' && count % DAY_HOURS === 0)
    return { kind: 'duration', unit: 'day', count: count / DAY_HOURS };
  throw refused(named.path, 'A reminder ends after days, weeks, months or years.');
}

function periodOf({ boundsPeriod, boundsDuration }: Repeat): Pick<TimingRead, 'start' | 'end'> {
  if (!boundsPeriod) return {};
  refuseAny([boundsDuration], 'FHIR allows one bounds[x]. Leave it out, or boundsPeriod.');
  const { start, end } = childrenOf(boundsPeriod, ['start', 'end']);
  return { ...(start && { start: dateOf(start) }), ...(end && { end: dateOf(end) }) };
}

/** Returns a date, or a date with a time. */
function dateOf(element: Element): string {
  const text = textOf(element);
  if (DATE.test(text) && parseMoment(text)) return text;
  throw refused(element.path, 'This must be a date with its day, or one with a time.');
}
const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.0{1,9})?(?:Z|[+-]\d\d:\d\d)?)?$/;
