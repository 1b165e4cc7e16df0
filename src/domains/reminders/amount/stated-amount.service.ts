import type { RequestContext } from '../../../core/context.js';
import type { Reminder } from '../../../generated/prisma/client.js';
import { type Decimal, decimalFrom, decimalOf, partsOf } from '../../../platform/decimal.js';
import type { Planned } from '../alert/planned.js';
import { dosageIn, frequencyIn, isConfirmed, statedIn } from '../schedule/schedule-value.js';
import type { MemberTimes } from '../schedule/words/anchors.js';
import { misreadIn } from '../schedule/words/misread.js';
import { meaningsOf } from '../schedule/words/read.js';
import { amountsOf } from './amount.service.js';
import { type AmountRow, amountColumns } from './amounts.js';
import { courseDays, daysSince } from './course-days.js';
import { areOf, prescribedAmounts, type Stated } from './prescribed-amount.js';
import { portionsOf, statedUnit } from './stated-portions.js';

/** Largest amount of a dose: as `DoseQuantity`. */
const LARGEST = partsOf('100000');

/** A plan with its directions, and whether they were understood. */
export type Stating = Planned & { readonly recognized: boolean };

/**
 * Gives a medicine the amounts that its FHIR Dosage or its phrase states: "2 tablets twice a day"
 * has doses of 2 tablet, "1 tablet in the morning and 2 at night" those at the member's times.
 * `before` is the medicine before an edit: when its doses do not have the amounts that its phrase
 * stated, somebody has set others, which stay, or removed them: they come with another phrase. A
 * phrase that was not understood states none.
 * Returns whether it changed anything. No statement without an amount in a phrase; else at most
 * four.
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
    if (isOwn(set, was, before.doseUnit)) return false;
    if (set.length === 0 && was && isSaid(stating, before)) return false;
    await db.doseAmount.deleteMany({ where: { reminderId: id } });
  }
  if (is) {
    const rows = is.portions.map((one) => amountColumns(id, one));
    await db.doseAmount.createMany({ data: rows });
  }
  const data = { doseUnit: is?.unit ?? null };
  await db.reminder.update({ where: { id }, data, select: { id: true } });
  return true;
}

/**
 * Returns the amounts that somebody has set for a medicine instead of what its directions state;
 * undefined where nobody has. One statement where it has amounts.
 */
export async function ownAmounts(
  inner: RequestContext,
  member: MemberTimes,
  row: Stating & Pick<Reminder, 'id' | 'doseUnit'>,
): Promise<readonly AmountRow[] | undefined> {
  if (row.doseUnit === null) return undefined;
  const [set = []] = await amountsOf(inner, [row.id]);
  return isOwn(set, statedBy(row, member), row.doseUnit) ? set : undefined;
}

/** Returns whether amounts are other ones than directions state. */
const isOwn = (set: readonly AmountRow[], stated: Stated | undefined, unit: string | null) =>
  set.length > 0 && !(unit === stated?.unit && areStated(stated, set));

/** Returns whether two plans have the same directions, whenever they come. */
const isSaid = (one: Stating, other: Stating): boolean =>
  one.frequencyType === other.frequencyType && one.schedule === other.schedule;

const textOf = (stated: Stated | undefined) => JSON.stringify(stated);

/** Amounts of before four decimals were kept are rounded to three. */
function areStated(was: Stated | undefined, set: readonly AmountRow[]): boolean {
  if (!was) return false;
  const rounded = was.portions.map(
    ({ amount, ...row }): AmountRow => ({
      ...row,
      amount: decimalFrom(((partsOf(amount) + 5n) / 10n) * 10n),
    }),
  );
  return [was.portions, rounded].some((portions) => areOf(portions, set));
}

/** Returns the amounts that the directions of a plan state; undefined where they state none. */
export function statedBy(stating: Stating, member: MemberTimes): Stated | undefined {
  if (!stating.recognized) return undefined;
  const dosage = dosageIn(stating);
  return (dosage && prescribedAmounts(dosage, stating, member)) ?? phrasedBy(stating, member);
}

function phrasedBy(often: Stating, member: MemberTimes): Stated | undefined {
  const stated = statedIn(often);
  if (!stated) return undefined;
  const days = stated.steps ? courseDays(often) : daysSince('');
  const portions = portionsOf(stated, frequencyIn(often), { days, member });
  // An amount that cannot be kept whole is not kept at all: a rounded one would be another dose.
  const isWhole = portions.every(
    ({ amount, upTo }) => fits(decimalOf(amount)) && (!upTo || fits(decimalOf(upTo))),
  );
  return isWhole ? { unit: statedUnit(stated), portions } : undefined;
}

const fits = (amount: Decimal | undefined) =>
  amount !== undefined && partsOf(amount) > 0n && partsOf(amount) <= LARGEST;

/** The columns that say whether somebody has set amounts. */
type ByHand = Pick<Reminder, 'schedule' | 'confirmedAt' | 'doubtedAt' | 'createdAt'>;

/**
 * Returns whether somebody may have set the amounts of a medicine, or removed them. Whoever does
 * confirms it, although not what its phrase means; or puts it in doubt after it was made. Of a
 * phrase that was confirmed nobody knows.
 */
export const isSetByHand = ({ confirmedAt, doubtedAt, createdAt, ...often }: ByHand): boolean =>
  !isConfirmed(often) && (confirmedAt !== null || (doubtedAt !== null && doubtedAt > createdAt));

/** Units under which earlier versions kept pieces that have a unit of their own now. */
const FORMER_PIECES: Readonly<Record<string, string>> = {
  pessary: 'suppository',
  enema: 'application',
  scoop: 'sachet',
  gel: 'capsule',
};
/** Spoons that earlier versions counted, of which the phrase says the volume: two 5 ml spoonfuls. */
const SPOONS: ReadonlySet<string> = new Set('spoon teaspoon tablespoon'.split(' '));
const NAMES_SPOON = /spoon|löffel|cuill|cuchar|colher|ملعق|ملاعق/i;

type InUnit = Parameters<typeof statedIn>[0] & Pick<Reminder, 'doseUnit'>;

/** Returns whether an earlier version kept the amounts of a phrase in another unit than it states. */
export const hasFormerUnit = (row: InUnit): boolean => isOfFormerPieces(row) || isOfSpoons(row);

function isOfFormerPieces({ doseUnit, ...often }: InUnit): boolean {
  const stated = statedIn(often);
  return (
    stated !== undefined && doseUnit !== null && FORMER_PIECES[statedUnit(stated)] === doseUnit
  );
}

function isOfSpoons({ doseUnit, ...often }: InUnit): boolean {
  if (!SPOONS.has(doseUnit ?? '') || !NAMES_SPOON.test(often.frequencyType ?? '')) return false;
  const stated = statedIn(often);
  return stated !== undefined && statedUnit(stated) !== doseUnit;
}

/**
 * Returns the amounts of a medicine that earlier versions misread in its phrase, as exact decimals:
 * all of them in a former unit; undefined when it has none of them. One statement for a phrase with
 * such a number or unit.
 */
export async function misstated(
  inner: RequestContext,
  { id, ...row }: Stating & Pick<Reminder, 'id' | 'doseUnit'> & ByHand,
): Promise<readonly string[] | undefined> {
  const then = new Set(misreadIn(row.frequencyType ?? '').values());
  const isFormer = hasFormerUnit(row);
  if ((then.size === 0 && !isFormer) || isSetByHand(row)) return undefined;
  const [set = []] = await amountsOf(inner, [id]);
  const isWrong = (amount: string) => then.has(amount) || (isFormer && isOfPhrase(amount, row));
  const wrong = set.map(({ amount }) => `${amount}`).filter(isWrong);
  return wrong.length > 0 ? [...new Set(wrong)] : undefined;
}

/**
 * Gives a medicine the amounts that its phrase states now, where it has none or those that were
 * misread in it. What somebody has set stays, and what somebody has removed stays away. Returns
 * whether it changed anything.
 */
export async function restateAmount(
  inner: RequestContext,
  member: MemberTimes,
  stating: Stating & Pick<Reminder, 'id' | 'doseUnit'> & ByHand,
): Promise<boolean> {
  const { id } = stating;
  if (isSetByHand(stating)) return false;
  const [set = []] = await amountsOf(inner, [id]);
  const misread = new Set(misreadIn(stating.frequencyType ?? '').values());
  const isOfIt = (amount: string) => misread.has(amount) || isOfPhrase(amount, stating);
  if (!set.every(({ amount }) => isOfIt(`${amount}`))) return false;
  const isOfPieces = isOfFormerPieces(stating);
  if (set.length > 0) {
    await inner.db.doseAmount.deleteMany({ where: { reminderId: id } });
    await inner.db.reminder.update({ where: { id }, data: { doseUnit: null } });
  }
  const restated = await stateAmount(inner, member, stating);
  if (isOfPieces) await restateStock(inner, stating);
  return restated || set.length > 0;
}

/** Counts a stock of pieces in their unit of now. */
async function restateStock(
  inner: RequestContext,
  { id, doseUnit, ...often }: InUnit & Pick<Reminder, 'id'>,
): Promise<void> {
  const stated = statedIn(often);
  if (!stated || doseUnit === null) return;
  const where = { reminderId: id, unit: doseUnit };
  const data = { unit: statedUnit(stated), version: { increment: 1 } };
  await inner.db.medicineStock.updateMany({ where, data });
}

/** Returns whether a phrase may have stated an amount: of spoons any, which it may say in words. */
const isOfPhrase = (amount: string, row: InUnit): boolean =>
  isOfSpoons(row) || amountsIn(row.frequencyType ?? '').includes(amount);

/** Returns the amounts that a phrase may have stated before: whole numbers, and what it may mean. */
const amountsIn = (phrase: string): readonly string[] => [
  ...(phrase.match(/\d+/g) ?? []),
  ...meaningsOf(phrase).flatMap(({ amount }) => amount?.value ?? []),
];
