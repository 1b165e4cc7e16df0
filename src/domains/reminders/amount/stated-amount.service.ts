import type { RequestContext } from '../../../core/context.js';
import type { Reminder } from '../../../generated/prisma/client.js';
import { type Decimal, decimalFrom, decimalOf, partsOf } from '../../../platform/decimal.js';
import type { Planned } from '../alert/planned.js';
import { dosageIn, frequencyIn, statedIn } from '../schedule/schedule-value.js';
import { eachClock, type MemberTimes } from '../schedule/words/anchors.js';
import type { Amount } from '../schedule/words/meaning.js';
import { misreadIn } from '../schedule/words/misread.js';
import { amountsOf } from './amount.service.js';
import { type AmountRow, BEGINNING } from './amounts.js';
import { areOf, dayAfter, firstDay, prescribedAmounts, type Stated } from './prescribed-amount.js';

/** Largest amount of a dose: as `DoseQuantity`. */
const LARGEST = partsOf('100000');

type Stating = Planned & { readonly recognized: boolean };

/**
 * Gives a medicine the amounts that its FHIR Dosage or its phrase states: "2 tablets twice a day" has doses of 2 tablet,
 * "1 tablet in the morning and 2 at night" those at the member's times. `before` is the medicine
 * before an edit: when its doses do not have the amounts that its phrase stated, somebody has set
 * others, which stay. A phrase that was not understood states none. Returns whether it changed
 * anything. No statement without an amount in a phrase; else at most four.
 */
export async function stateAmount(
  inner: RequestContext,
  member: MemberTimes,
  { id, ...stating }: Stating & Pick<Reminder, 'id'>,
  before?: Stating & Pick<Reminder, 'doseUnit'>,
): Promise<boolean> {
  const { db } = inner;
  const is = statedBy(stating, member);
  const was = before && statedBy(before, member);
  if (textOf(is) === textOf(was)) return false;
  if (before) {
    const [set = []] = await amountsOf(inner, [id]);
    if (set.length > 0 && !(before.doseUnit === was?.unit && areStated(was, set))) return false;
    await db.doseAmount.deleteMany({ where: { reminderId: id } });
  }
  if (is) {
    const rows = is.portions.map((one) => ({ ...one, reminderId: id }));
    await db.doseAmount.createMany({ data: rows });
  }
  const data = { doseUnit: is?.unit ?? null };
  await db.reminder.update({ where: { id }, data, select: { id: true } });
  return true;
}

const textOf = (stated: Stated | undefined) => JSON.stringify(stated);

/** Amounts of before four decimals were kept are rounded to three. */
function areStated(was: Stated | undefined, set: readonly AmountRow[]): boolean {
  if (!was) return false;
  const rounded = was.portions.map(({ amount, ...row }) => ({
    ...row,
    amount: decimalFrom(((partsOf(amount) + 5n) / 10n) * 10n),
  }));
  return [was.portions, rounded].some((portions) => areOf(portions, set));
}

function statedBy(stating: Stating, member: MemberTimes): Stated | undefined {
  if (!stating.recognized) return undefined;
  const dosage = dosageIn(stating);
  return (dosage && prescribedAmounts(dosage, stating, member)) ?? phrasedBy(stating, member);
}

function phrasedBy(often: Stating, member: MemberTimes): Stated | undefined {
  const stated = statedIn(often);
  // A range is no amount that a dose has: the phrase itself shows it.
  if (!stated || stated.upTo) return undefined;
  const frequency = frequencyIn(often);
  const at = ('at' in frequency && frequency.at) || [];
  const clocks = at.some(({ amount }) => amount !== undefined) ? eachClock(at, member) : [null];
  const first = clocks.map((time, i) => rowOf(BEGINNING, time, at[i]?.amount ?? stated.value));
  const { steps = [] } = stated;
  const day = steps.length > 0 ? firstDay(often) : '';
  const later = steps.map(({ after, value }) => rowOf(dayAfter(day, after), null, value));
  const portions = [...first, ...later];
  // An amount that cannot be kept whole is not kept at all: a rounded one would be another dose.
  const isWhole = portions.every((row): row is AmountRow => row !== undefined);
  return isWhole ? { unit: unitOf(stated), portions } : undefined;
}

/** Returns an amount from a day on; undefined for one that cannot be kept whole. */
function rowOf(startsOn: string, time: string | null, value: string): AmountRow | undefined {
  const amount = decimalOf(value);
  return amount && fits(amount) ? { startsOn, time, amount } : undefined;
}

/** Returns what a phrase counts: tablet, × 500 mg of "2 x 500 mg"; nothing of "1 bd". */
const unitOf = ({ unit = '', each }: Amount) => (each ? `× ${each.value} ${each.unit}` : unit);

const fits = (amount: Decimal) => partsOf(amount) > 0n && partsOf(amount) <= LARGEST;

/**
 * Returns the amounts of a medicine that earlier versions misread in its phrase, as exact decimals;
 * undefined when it has none of them. One statement for a phrase with such a number.
 */
export async function misstated(
  inner: RequestContext,
  { id, frequencyType }: Pick<Reminder, 'id' | 'frequencyType'>,
): Promise<readonly string[] | undefined> {
  const then = new Set(misreadIn(frequencyType ?? '').values());
  if (then.size === 0) return undefined;
  const [set = []] = await amountsOf(inner, [id]);
  const wrong = set.map(({ amount }) => `${amount}`).filter((amount) => then.has(amount));
  return wrong.length > 0 ? [...new Set(wrong)] : undefined;
}

/**
 * Gives a medicine the amounts that its phrase states now, where it has none or those that were
 * misread in it. What somebody has set stays.
 */
export async function restateAmount(
  inner: RequestContext,
  member: MemberTimes,
  stating: Stating & Pick<Reminder, 'id'>,
): Promise<void> {
  const { id } = stating;
  const [set = []] = await amountsOf(inner, [id]);
  const read = misreadIn(stating.frequencyType ?? '');
  const known = new Set([...read.values(), ...numbersIn(stating.frequencyType ?? '')]);
  if (!set.every(({ amount }) => known.has(`${amount}`))) return;
  if (set.length > 0) {
    await inner.db.doseAmount.deleteMany({ where: { reminderId: id } });
    await inner.db.reminder.update({ where: { id }, data: { doseUnit: null } });
  }
  await stateAmount(inner, member, stating);
}

/** Returns the whole numbers of a text: amounts that its phrase may have stated before. */
const numbersIn = (text: string): readonly string[] => text.match(/\d+/g) ?? [];
