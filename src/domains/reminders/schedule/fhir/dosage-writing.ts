import { partsOf } from '../../../../platform/decimal.js';
import { type Repeat, WEEKDAYS, type Weekday } from '../schedule-value.js';
import { saysFinished } from '../supply.js';
import type { DayTime } from '../words/meaning.js';
import { isReadable } from './dosage-reading.js';
import { conceptName, DOSES } from './dose-reading.js';
import type { FhirDosage, FhirRepeat, FhirTiming } from './fhir-dosage.js';
import type { FhirVersion } from './fhir-version.enums.js';
import type { Concept, KeptDosage, Portion, Step } from './prescription.js';
import { intervalOf, type Often, repeatsOf } from './timing-writing.js';

const DAY = 24 * 60 * 60_000;
const DATE = 'YYYY-MM-DD'.length;
const UCUM = 'http://unitsofmeasure.org';

/** How often it comes in a phase, from so many days since `since` on. */
interface WrittenPhase {
  readonly from: number;
  readonly often: Often;
  /** FHIR dateTimes of hours, which begin and end at an instant, and of what follows them. */
  readonly start?: string;
  readonly end?: string;
}

/** How often a medicine is taken, as it is to be written. */
export interface Prescribed {
  /** Undefined where it was not understood: a text says it. */
  readonly often: Often | undefined;
  /** Where phases come differently often. */
  readonly phases?: readonly WrittenPhase[] | undefined;
  /** It comes once, at this FHIR date or dateTime. */
  readonly event?: string;
  /** FHIR dates or dateTimes. */
  readonly start: string;
  readonly end?: string | undefined;
  /** It ends after so many doses, and when the last one is: a FHIR dateTime. */
  readonly counted?: { readonly count: number; readonly last: string } | undefined;
  /** It ends when the supply is finished, which FHIR has no element for: an instruction says it. */
  readonly untilFinished: boolean;
  /** It is taken as needed. */
  readonly asNeeded: boolean;
  /** Most doses of a day, and least minutes between two, besides `most` of `kept`. */
  readonly limits: { readonly maxPerDay: number | null; readonly leastInterval: number | null };
  readonly kept: KeptDosage;
  /** YYYY-MM-DD: the day that the steps of `kept` count from. */
  readonly since: string;
  /** What says it to people; the timing where FHIR has none. */
  readonly text: string;
  /** What says the amounts, where no Timing can name their weekdays. */
  readonly told?: string | undefined;
}

/**
 * Writes a medicine as Dosages of a release. Times and weekdays with amounts of their own, and
 * steps of a dose, are Dosages of their own; the steps have one `sequence` each. What FHIR has no
 * Timing for is a text, and so are amounts of weekdays that no Timing can name. A text beside a
 * Timing is left out where it says something else, since somebody has set other amounts, limits or
 * dates.
 */
export function dosagesOf(prescribed: Prescribed, version: FhirVersion): readonly FhirDosage[] {
  const dosages = withTexts(prescribed, version);
  if (prescribed.told) return dosages;
  const untold = dosages.map(({ text, ...dosage }) =>
    dosage.timing || !text ? dosage : { text, ...dosage },
  );
  const outdated = !isReadable(dosages, version) && isReadable(untold, version);
  return outdated ? untold : dosages;
}

function withTexts(prescribed: Prescribed, version: FhirVersion): FhirDosage[] {
  const { kept, since, end } = prescribed;
  // Amounts of days after the end are of no dose.
  const steps = stepsOf(prescribed).filter(
    ({ from }) => from === 0 || !end || dayAfter(since, from) <= end,
  );
  const written = steps.flatMap((step, i) =>
    step.portions.flatMap((portion) => {
      const timings = timingsOf(prescribed, step, steps[i + 1], portion);
      return timings.map((timing) => ({ sequence: i + 1, portion, timing }));
    }),
  );
  const single = written.length === 1;
  return written.map(({ sequence, portion, timing }) => {
    const { told, text: phrase } = prescribed;
    const text = told ?? portion.text ?? (single || !timing ? phrase : undefined);
    const { patientInstruction } = portion;
    const additionalInstruction = instructionsOf(portion, prescribed);
    return {
      ...(!single && { sequence }),
      ...(text && { text }),
      ...(additionalInstruction && { additionalInstruction }),
      ...(patientInstruction && { patientInstruction }),
      ...(timing && { timing }),
      ...neededIn(prescribed, version),
      ...(kept.site && { site: kept.site }),
      ...(kept.route && { route: kept.route }),
      ...(kept.method && { method: kept.method }),
      ...doseIn(kept, portion),
      ...mostIn(prescribed, version),
    };
  });
}

const UNTIL_FINISHED = 'until finished';

/** Returns what people are told besides; also that the supply is an end, which no Timing says. */
function instructionsOf(
  { additionalInstruction: told = [] }: Portion,
  { untilFinished }: Prescribed,
): readonly Concept[] | undefined {
  const isTold = told.some((concept) => saysFinished(conceptName(concept)));
  const all = untilFinished && !isTold ? [...told, { text: UNTIL_FINISHED }] : told;
  return all.length > 0 ? all : undefined;
}

/** A step that comes as often as this, where phases come differently often. */
interface TimedStep extends Step, Partial<Omit<WrittenPhase, 'from'>> {}

/** Returns the steps of the amounts, those in which a phase begins cut in two. */
function stepsOf({ kept: { steps }, phases }: Prescribed): readonly TimedStep[] {
  if (!phases) return steps;
  const days = new Set([...steps, ...phases].map(({ from }) => from));
  return [...days]
    .sort((a, b) => a - b)
    .map((from) => {
      const portions = steps.filter((step) => step.from <= from).at(-1)?.portions ?? [{}];
      const phase = phases.filter((one) => one.from <= from).at(-1);
      return { ...phase, from, portions };
    });
}

/** Returns the Timings of some of the times of a day; undefined in place of one that FHIR lacks. */
function timingsOf(
  { often: always, event, asNeeded, limits, kept, start, end, counted, since }: Prescribed,
  { from, often = always, start: begun, end: over }: TimedStep,
  next: Step | undefined,
  { times, weekdays }: Portion,
): readonly (FhirTiming | undefined)[] {
  if (event) return [{ event: [event] }];
  const at = times && often?.at ? times.map((place) => often.at?.[place] as DayTime) : often?.at;
  const repeat = often && weekdays ? onDays(often.repeat, weekdays) : often?.repeat;
  const timed = often && repeat && { ...often, repeat, at };
  const repeats = asNeeded ? [limitedBy(limits, kept)] : timed && repeatsOf(timed);
  if (!repeats) return [undefined];
  // The days of a step count from the first dose, on the day after the start at the latest.
  const late = next !== undefined && since > start.slice(0, DATE);
  const begins = begun ?? (from > 0 || late ? dayAfter(since, from) : start);
  // A count is that of one Timing: several would each have as many doses.
  const isOne = repeats.length === 1 && kept.steps.flatMap(({ portions }) => portions).length === 1;
  const last = isOne ? undefined : counted?.last;
  const ends = over ?? (next ? dayAfter(since, next.from - 1) : (end ?? last));
  const boundsPeriod = { start: begins, ...(ends && { end: ends }) };
  const number = counted && isOne ? { count: counted.count } : {};
  return repeats.map((repeat) => ({ repeat: { boundsPeriod, ...number, ...repeat } }));
}

/** Returns what comes on some weekdays of those on which a schedule comes. */
const onDays = (repeat: Repeat, weekdays: readonly number[]): Repeat => ({
  kind: 'weeks',
  every: repeat.kind === 'weeks' ? repeat.every : 1,
  weekdays: weekdays.map((day) => WEEKDAYS[day - 1] as Weekday),
});

const dayAfter = (date: string, days: number) =>
  new Date(Date.parse(date) + days * DAY).toISOString().slice(0, DATE);

/** Returns how often something may be taken as needed, as far as a Timing says it. */
function limitedBy(
  { maxPerDay, leastInterval }: Prescribed['limits'],
  kept: KeptDosage,
): FhirRepeat {
  if (leastInterval) {
    const least = intervalOf(leastInterval);
    const { minutesUpTo } = kept;
    if (!minutesUpTo || minutesUpTo <= leastInterval) return least;
    const unit = least.periodUnit === 'h' && minutesUpTo % 60 === 0 ? 60 : 1;
    const range = { period: leastInterval / unit, periodMax: minutesUpTo / unit };
    return { frequency: 1, ...range, periodUnit: unit === 60 ? 'h' : 'min' };
  }
  const { frequency } = kept;
  if (!maxPerDay) return {};
  const ranged = frequency !== undefined && frequency < maxPerDay;
  const often = ranged ? { frequency, frequencyMax: maxPerDay } : { frequency: maxPerDay };
  return { ...often, period: 1, periodUnit: 'd' };
}

/** Returns the largest amount of a day, as it was written, or in doses where no Timing says it. */
function mostIn(
  { asNeeded, limits: { maxPerDay, leastInterval }, kept: { most } }: Prescribed,
  version: FhirVersion,
): Pick<FhirDosage, 'maxDosePerPeriod'> {
  const unsaid = maxPerDay && (!asNeeded || leastInterval) ? maxPerDay : undefined;
  if (!most && !unsaid) return {};
  const numerator = most
    ? { value: Number(most.value), ...most.of }
    : { value: unsaid as number, ...DOSES };
  const ratio = { numerator, denominator: { value: 1, unit: 'd', system: UCUM, code: 'd' } };
  return { maxDosePerPeriod: version === 'R4' ? ratio : [ratio] };
}

function neededIn({ asNeeded, kept }: Prescribed, version: FhirVersion): FhirDosage {
  if (!asNeeded) return {};
  const { asNeededFor } = kept;
  if (version === 'R5') return { asNeeded: true, ...(asNeededFor && { asNeededFor }) };
  const [reason, another] = asNeededFor ?? [];
  if (!reason) return { asNeededBoolean: true };
  // R4 has one reason: several are one text.
  const joined = another && { text: (asNeededFor ?? []).map(conceptName).join('; ') };
  return { asNeededCodeableConcept: joined ?? reason };
}

function doseIn(
  { unit = {} }: KeptDosage,
  { amount, upTo, doseType }: Portion,
): Pick<FhirDosage, 'doseAndRate'> {
  const type = doseType && { type: doseType };
  if (!amount) return type ? { doseAndRate: [type] } : {};
  const low = { value: Number(amount), ...unit };
  if (!upTo || partsOf(upTo) <= partsOf(amount))
    return { doseAndRate: [{ ...type, doseQuantity: low }] };
  const doseRange = { low, high: { value: Number(upTo), ...unit } };
  return { doseAndRate: [{ ...type, doseRange }] };
}
