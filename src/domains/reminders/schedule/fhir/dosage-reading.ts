import { DomainError } from '../../../../core/errors.js';
import { parseFrequency } from '../frequency.js';
import type { Frequency } from '../frequency.types.js';
import { saysFinished } from '../supply.js';
import type { Meaning } from '../words/meaning.js';
import { readingsOf } from '../words/read.js';
import { say } from '../words/say.js';
import { storedAs } from '../words/stored.js';
import { combined } from './dosage-course.js';
import {
  booleanOf,
  childrenOf,
  type Element,
  listOf,
  refuseAny,
  refused,
  textOf,
  wholeOf,
} from './dosage-element.js';
import { amountsIn, type DosageRead } from './dosage-read.js';
import { conceptName, conceptOf, type Dose, doseOf, mostEntries, mostOf } from './dose-reading.js';
import type { FhirVersion } from './fhir-version.enums.js';
import type { Concept, Prescription, Remarks } from './prescription.js';
import { contradictsDose } from './text-amount.js';
import { contradicts } from './text-contradiction.js';
import { readTiming } from './timing-reading.js';

const DATE = 'YYYY-MM-DD'.length;
const MOST_DOSAGES = 50;
const MOST_REASONS = 10;
/** Bytes of all Dosages of a medicine: they are kept with its schedule. */
const LARGEST = 32 * 1024;

const COMMON = [
  'sequence',
  'text',
  'additionalInstruction',
  'patientInstruction',
  'timing',
  'site',
  'route',
  'method',
  'doseAndRate',
  'maxDosePerPeriod',
] as const;
const OWN = {
  R4: ['asNeededBoolean', 'asNeededCodeableConcept'],
  R5: ['asNeeded', 'asNeededFor'],
} as const;
const UNHELD = {
  maxDosePerAdministration: 'A reminder has one dose at a time. Leave it out.',
  maxDosePerLifetime: 'A reminder counts doses of a day alone. Leave it out.',
  ...Object.fromEntries(OWN.R4.map((name) => [name, 'R5 has asNeeded and asNeededFor.'])),
};
const UNHELD_R4 = {
  ...UNHELD,
  asNeeded: 'R4 has asNeededBoolean or asNeededCodeableConcept.',
  asNeededFor: 'R4 has asNeededBoolean or asNeededCodeableConcept.',
};

/**
 * Reads the Dosages of one medicine as one schedule. Those with the same `sequence` hold at the
 * same time, others one after the other. Throws SCHEDULE_INVALID for whatever a reminder cannot
 * hold, and names the element: nothing is dropped, and nothing guessed.
 */
export function readDosages(given: readonly unknown[], version: FhirVersion): Prescription {
  const whole = { path: 'fhirDosage.dosages', value: given };
  const list = listOf(whole, MOST_DOSAGES);
  if (list.length > 1 && Buffer.byteLength(JSON.stringify(given)) > LARGEST)
    throw refused(whole.path, 'All of them together have at most 32 KiB.');
  const reads = list.map(({ value }, i) =>
    readDosage({ path: list.length > 1 ? `Dosage[${i}]` : 'Dosage', value }, version),
  );
  const [first] = reads as [DosageRead];
  const untimed = reads.find(({ timing }) => !timing);
  if (untimed && reads.length > 1) throw refused(`${untimed.path}.timing`, 'This is missing.');
  if (!first.timing) return phrased(first);
  for (const one of reads) refuseContradiction(one);
  const { start, end, steps, ...course } = combined(reads);
  const meaning = end ? course.meaning : untilFinished(course.meaning, reads);
  const { frequency, minutesUpTo } = first.timing;
  const ranges = { ...(frequency && { frequency }), ...(minutesUpTo && { minutesUpTo }) };
  const unit = reads.find(({ dose }) => dose?.of)?.dose?.of;
  return {
    frequency: storedAs(meaning) as Frequency,
    words: say(meaning),
    ...(start && { start }),
    ...(end && { end }),
    kept: {
      steps,
      ...(start && steps.length > 1 && { since: start.slice(0, DATE) }),
      ...(unit && { unit }),
      ...first.shared,
      ...ranges,
    },
  };
}

/** Returns a schedule without an end as one that ends with the supply, where people are told so. */
function untilFinished(meaning: Meaning, reads: readonly DosageRead[]): Meaning {
  if ((meaning.kind !== 'calendar' && meaning.kind !== 'interval') || meaning.bounds)
    return meaning;
  const isTold = reads.some(({ remarks: { text, additionalInstruction = [] } }) =>
    [...(text ? [text] : []), ...additionalInstruction.map(conceptName)].some(tellsFinished),
  );
  return isTold ? { ...meaning, bounds: { kind: 'supply' } } : meaning;
}

/** Returns whether a text says that, alone or with a schedule. */
const tellsFinished = (text: string): boolean =>
  saysFinished(text) || readingsOf(text).some(({ said }) => said.finish);

/** Reads a Dosage that says in a text when it is taken. The text must be understood. */
function phrased(read: DosageRead): Prescription {
  const { path, remarks, dose, shared, asNeeded } = read;
  const { text } = remarks;
  if (!text) throw refused(`${path}.timing`, 'This is missing, and no text says it.');
  const frequency = parseFrequency(text);
  if (frequency.kind === 'unrecognized')
    throw refused(`${path}.timing`, 'This is missing, and the text is not understood.');
  if (asNeeded !== (frequency.kind === 'as_needed'))
    throw refused(`${path}.text`, 'This and asNeeded say different things. Correct one of them.');
  refuseAmount(read);
  const portion = { ...remarks, ...amountsIn(dose) };
  const kept = { steps: [{ from: 0, portions: [portion] }], ...(dose?.of && { unit: dose.of }) };
  return { frequency, words: text, kept: { ...kept, ...shared } };
}

/** Throws where a text states another amount than the dose beside it, whatever it can mean. */
function refuseAmount({ path, remarks: { text = '' }, dose }: DosageRead): void {
  const readings = readingsOf(text);
  if (dose && readings.length > 0 && readings.every((one) => contradictsDose(text, one, dose)))
    throw refused(
      `${path}.text`,
      'This says another amount than doseAndRate. Correct one of them.',
    );
}

/** Throws where a text says something else than the elements beside it, whatever it can mean. */
function refuseContradiction(dosage: DosageRead): void {
  const { path, remarks, timing } = dosage;
  if (!remarks.text || !timing) return;
  const readings = readingsOf(remarks.text);
  if (readings.length > 0 && readings.every(({ meaning }) => contradicts(meaning, timing)))
    throw refused(`${path}.text`, 'This says something else than timing. Correct one of them.');
  refuseAmount(dosage);
}

function readDosage(element: Element, version: FhirVersion): DosageRead {
  const { path } = element;
  const own = childrenOf(
    element,
    [...COMMON, ...OWN.R4, ...OWN.R5].filter(
      (name) => !(OWN[version === 'R4' ? 'R5' : 'R4'] as readonly string[]).includes(name),
    ),
    version === 'R4' ? UNHELD_R4 : UNHELD,
  );
  const { asNeeded, asNeededFor } = neededIn(own);
  const dose = own.doseAndRate && doseOf(own.doseAndRate);
  const entries = own.maxDosePerPeriod ? mostEntries(own.maxDosePerPeriod, version === 'R5') : [];
  if (entries[1]) throw refused(entries[1].path, 'A reminder has one limit, of a day.');
  const [most] = entries.map((entry) => mostOf(entry, dose));
  const concepts = (['route', 'site', 'method'] as const).flatMap((name) => {
    const concept = own[name];
    return concept ? [[name, conceptOf(concept)] as const] : [];
  });
  const remarks = remarksIn(own, dose);
  const bare = asNeeded && parseFrequency(remarks.text ?? '').kind !== 'as_needed';
  const timing = own.timing ?? (bare ? { path: `${path}.timing`, value: {} } : undefined);
  return {
    path,
    asNeeded,
    sequence: own.sequence && wholeOf(own.sequence, 1_000_000),
    timing: timing && readTiming(timing, asNeeded),
    dose,
    remarks,
    shared: {
      ...Object.fromEntries(concepts),
      ...(asNeededFor && { asNeededFor }),
      ...(most && { most }),
    },
  };
}

type DosageElements = Partial<Record<string, Element>>;

/** Returns whether it is taken as needed, and what for. */
function neededIn(own: DosageElements): { asNeeded: boolean; asNeededFor?: readonly Concept[] } {
  const { asNeededBoolean, asNeededCodeableConcept, asNeeded, asNeededFor } = own;
  if (asNeededBoolean) refuseAny([asNeededCodeableConcept], 'FHIR allows one asNeeded[x].');
  if (asNeededCodeableConcept)
    return { asNeeded: true, asNeededFor: [conceptOf(asNeededCodeableConcept)] };
  const flag = asNeededBoolean ?? asNeeded;
  const needed = flag ? booleanOf(flag) : undefined;
  if (!asNeededFor) return { asNeeded: needed === true };
  if (needed === false)
    throw refused(asNeededFor.path, 'This needs asNeeded to be true or absent.');
  return { asNeeded: true, asNeededFor: listOf(asNeededFor, MOST_REASONS).map(conceptOf) };
}

function remarksIn(own: DosageElements, dose: Dose | undefined): Remarks {
  const { text, patientInstruction, additionalInstruction } = own;
  return {
    ...(text && { text: textOf(text) }),
    ...(patientInstruction && { patientInstruction: textOf(patientInstruction) }),
    ...(additionalInstruction && {
      additionalInstruction: listOf(additionalInstruction, MOST_REASONS).map(conceptOf),
    }),
    ...(dose?.doseType && { doseType: dose.doseType }),
  };
}

/** Returns whether Dosages can be read as one schedule. */
export function isReadable(given: readonly unknown[], version: FhirVersion): boolean {
  try {
    readDosages(given, version);
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}
