import { type Decimal, partsOf } from '../../../../platform/decimal.js';
import {
  booleanOf,
  childrenOf,
  decimalIn,
  type Element,
  listOf,
  refused,
  textOf,
} from './dosage-element.js';
import type { Coding, Concept, KeptDosage, Portion, Unit } from './prescription.js';

const MOST_CODINGS = 10;
/** Largest amount of a dose: as `DoseQuantity`. */
const LARGEST = partsOf('100000');
/** Longest name of what is counted, in bytes: as the unit of `setDoseAmounts`. */
const LONGEST_UNIT = 200;

/** Returns a CodeableConcept as it stands. */
export function conceptOf(element: Element): Concept {
  const { coding, text } = childrenOf(element, ['coding', 'text']);
  if (!coding && !text) throw refused(element.path, 'This needs a coding or a text.');
  return {
    ...(coding && { coding: listOf(coding, MOST_CODINGS).map(codingOf) }),
    ...(text && { text: textOf(text) }),
  };
}

function codingOf(element: Element): Coding {
  const names = ['system', 'version', 'code', 'display'] as const;
  const { userSelected, ...texts } = childrenOf(element, [...names, 'userSelected']);
  const given = names.flatMap((name) => {
    const text = texts[name];
    return text ? [[name, textOf(text)] as const] : [];
  });
  if (given.length === 0) throw refused(element.path, 'This needs a code.');
  return {
    ...Object.fromEntries(given),
    ...(userSelected && { userSelected: booleanOf(userSelected) }),
  };
}

/** Returns a concept in words, or else its code. */
export const conceptName = ({ text, coding = [] }: Concept): string =>
  text ?? coding.find(({ display }) => display)?.display ?? coding[0]?.code ?? '';

/** An amount with what it counts. */
export interface Quantity {
  readonly value: Decimal;
  readonly of: Unit;
}

/** Returns a Quantity without a comparator. */
export function quantityOf(element: Element): Quantity {
  const { value, ...names } = childrenOf(element, ['value', 'unit', 'system', 'code'], {
    comparator: 'A reminder has exact amounts. Leave it out.',
  });
  if (!value) throw refused(element.path, 'This needs a value.');
  const texts = Object.entries(names).map(([name, text]) => [name, textOf(text)]);
  const of: Unit = Object.fromEntries(texts);
  const [shown, coded] = [of.unit, of.code].map((name = '') => MEASURES.get(name.toLowerCase()));
  if (names.code && shown && coded && shown !== coded)
    throw refused(names.code.path, `This is another unit than ${of.unit}, which people read.`);
  return { value: decimalIn(value), of };
}

/** Units of mass and volume by their spellings, in lower case: those that are the same are equal. */
const MEASURES: ReadonlyMap<string, string> = new Map(
  ['kg', 'g', 'mg', 'ug mcg \u00b5g \u03bcg', 'ng', 'l', 'dl', 'ml', 'ul \u00b5l \u03bcl'].flatMap(
    (same) => same.split(' ').map((name) => [name, same] as const),
  ),
);

/** Returns what is counted, as people read it. */
export const unitName = ({ unit, code }: Unit = {}): string => unit ?? code ?? '';

/** The amount of a dose, and what it counts. */
export interface Dose extends Pick<Portion, 'amount' | 'upTo' | 'doseType'> {
  readonly of?: Unit;
  readonly path: string;
}

const RATE = 'A reminder has no rate. Say it in text, and leave it out here.';
const RATES = { rateRatio: RATE, rateRange: RATE, rateQuantity: RATE };

/** Reads doseAndRate: one dose, a quantity or a range of quantities. */
export function doseOf(element: Element): Dose {
  const [first, second] = listOf(element, 10);
  if (second) throw refused(second.path, 'A reminder has one dose at a time. Give one.');
  const { type, doseQuantity, doseRange } = childrenOf(
    first as Element,
    ['type', 'doseQuantity', 'doseRange'],
    RATES,
  );
  const { path } = doseQuantity ?? doseRange ?? (first as Element);
  const kind = { path, ...(type && { doseType: conceptOf(type) }) };
  if (doseQuantity && doseRange)
    throw refused(doseRange.path, 'FHIR allows doseQuantity or doseRange. Leave one of them out.');
  if (doseQuantity) {
    const { value, of } = amountOf(doseQuantity);
    return { ...kind, amount: value, of };
  }
  if (!doseRange) return kind;
  const { low, high } = childrenOf(doseRange, ['low', 'high']);
  if (!low || !high) throw refused(doseRange.path, 'A range needs low and high.');
  const [least, most] = [amountOf(low), amountOf(high)];
  if (!isSameUnit(least.of, most.of)) throw refused(high.path, 'Both ends need the same unit.');
  if (partsOf(least.value) >= partsOf(most.value))
    throw refused(high.path, 'This must be above low.');
  return { ...kind, amount: least.value, upTo: most.value, of: least.of };
}

function amountOf(element: Element): Quantity {
  const quantity = quantityOf(element);
  const { value, of } = quantity;
  if (partsOf(value) > LARGEST)
    throw refused(`${element.path}.value`, 'Doses are 100,000 at most.');
  if (Buffer.byteLength(unitName(of)) > LONGEST_UNIT)
    throw refused(`${element.path}.unit`, `Units have ${LONGEST_UNIT} bytes at most.`);
  return quantity;
}

/** Returns whether two units are the same: by their codes, or else by their names. */
export function isSameUnit(one: Unit, other: Unit): boolean {
  if (one.code && other.code) return one.code === other.code && one.system === other.system;
  return unitName(one) === unitName(other);
}

/** The code for doses, of UCUM; other programs write the word. */
export const DOSES: Unit = { unit: 'doses', system: 'http://unitsofmeasure.org', code: '{dose}' };
/** Returns whether a unit counts doses, whatever one is. */
export const countsDoses = (unit: Unit) => /^\{?doses?\}?$/i.test(unit.code ?? unit.unit ?? '');

/**
 * Reads the largest amount of a day. A reminder limits how many doses are taken within 24 hours:
 * as many as fit into the amount, of a range those of its larger end.
 */
export function mostOf(element: Element, dose: Dose | undefined): NonNullable<KeptDosage['most']> {
  const { numerator, denominator } = childrenOf(element, ['numerator', 'denominator']);
  if (!numerator || !denominator)
    throw refused(element.path, 'This needs a numerator and a denominator.');
  dayOnly(denominator);
  const { value, of } = quantityOf(numerator);
  const doses = countsDoses(of)
    ? wholeDoses(numerator, value)
    : Number(partsOf(value) / partsOf(eachOf(numerator, of, dose)));
  if (doses < 1) throw refused(numerator.path, 'This is less than one dose.');
  if (doses > MOST_DOSES) throw refused(numerator.path, `Limits are ${MOST_DOSES} doses at most.`);
  return { value, of, doses };
}
/** As `limitDoses`. */
const MOST_DOSES = 48;

function dayOnly(element: Element): void {
  const { value, of } = quantityOf(element);
  const { code, unit = '' } = of;
  const name = code ?? unit;
  if ((name === 'd' && value === '1') || (name === 'h' && value === '24')) return;
  throw refused(element.path, 'A reminder limits what is taken within 1 d, or 24 h.');
}

function wholeDoses({ path }: Element, value: Decimal): number {
  if (Number.isInteger(Number(value))) return Number(value);
  throw refused(path, 'Doses are counted in whole numbers.');
}

/** Returns the largest amount of one dose. */
function eachOf({ path }: Element, of: Unit, dose: Dose | undefined): Decimal {
  const each = dose?.upTo ?? dose?.amount;
  if (!each || !isSameUnit(of, dose?.of ?? {}) || unitName(of) === '')
    throw refused(path, 'This needs the unit of the dose, or counts doses: {dose}.');
  return each;
}

/** Returns the entries of `maxDosePerPeriod`: one of R4, a list of R5. */
export const mostEntries = (element: Element, isList: boolean): Element[] =>
  isList ? listOf(element, 10) : [element];
