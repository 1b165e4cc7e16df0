import type { Anchor, DayTime, Relation } from '../words/meaning.js';

/** A time of the member's day as an EventTiming says it. */
interface AnchorRelation {
  readonly anchor: Anchor;
  readonly relation: Relation;
}
const at = (anchor: Anchor, relation: Relation = 'with'): AnchorRelation => ({ anchor, relation });
const MEALS = ['breakfast', 'lunch', 'dinner'] as const;
const meals = (relation: Relation) => MEALS.map((meal) => at(meal, relation));

/**
 * Times of a day by the codes of http://hl7.org/fhir/event-timing and v3-TimingEvent. A code of all
 * meals has three. NOON is a clock time, as in phrases.
 */
export const EVENT_TIMINGS: Readonly<Record<string, readonly AnchorRelation[] | 'noon'>> = {
  MORN: [at('morning')],
  NOON: 'noon',
  AFT: [at('afternoon')],
  EVE: [at('evening')],
  NIGHT: [at('night')],
  WAKE: [at('wake')],
  HS: [at('bedtime')],
  C: meals('with'),
  CM: [at('breakfast')],
  CD: [at('lunch')],
  CV: [at('dinner')],
  AC: meals('before'),
  ACM: [at('breakfast', 'before')],
  ACD: [at('lunch', 'before')],
  ACV: [at('dinner', 'before')],
  PC: meals('after'),
  PCM: [at('breakfast', 'after')],
  PCD: [at('lunch', 'after')],
  PCV: [at('dinner', 'after')],
};

/** Codes of which FHIR allows no offset (tim-9). */
export const WITH_MEALS: ReadonlySet<string> = new Set(['C', 'CM', 'CD', 'CV', 'NOON']);

/**
 * Returns the times that a code and minutes from it say. Bedtime is what is before going to bed;
 * from any other code that says neither before nor after, minutes count onwards (FHIR, Timing).
 */
export function timesOfEvent(code: string, minutes: number): DayTime[] {
  const places = EVENT_TIMINGS[code] ?? [];
  if (places === 'noon') return [{ clock: '12:00' }];
  return places.map(({ anchor, relation }) => {
    const turned = anchor === 'bedtime' ? 'before' : 'after';
    const from = minutes > 0 && relation === 'with' ? turned : relation;
    return { anchor, relation: from, ...(minutes > 0 && { minutes }) };
  });
}

const CODES = new Map(
  Object.entries(EVENT_TIMINGS).flatMap(([code, places]) =>
    places !== 'noon' && places.length === 1
      ? places.map(({ anchor, relation }) => [`${relation} ${anchor}`, code] as const)
      : [],
  ),
);

/**
 * Returns the code and the minutes of a time of the member's day; undefined where FHIR has none.
 */
export function eventOf(time: DayTime): { code: string; minutes: number } | undefined {
  if ('clock' in time) return undefined;
  const { anchor, relation, minutes = 0 } = time;
  const turned = anchor === 'bedtime' ? 'before' : 'after';
  const own = CODES.get(`${relation} ${anchor}`);
  const meal = MEALS.some((one) => one === anchor);
  const code = own ?? (relation === turned && !meal ? CODES.get(`with ${anchor}`) : undefined);
  return code && !(minutes > 0 && WITH_MEALS.has(code)) ? { code, minutes } : undefined;
}
