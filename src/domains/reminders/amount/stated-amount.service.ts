import type { RequestContext } from '../../../core/context.js';
import type { Reminder } from '../../../generated/prisma/client.js';
import { amountIn } from '../schedule/frequency.js';
import { BEGINNING } from './amount.service.js';

/** Largest amount of a dose, and how many parts of one are counted: as `DoseQuantity`. */
const LARGEST = 100_000;
const PARTS = 1_000;

type Stating = Pick<Reminder, 'frequencyType'>;
interface Stated {
  readonly amount: number;
  readonly unit: string;
}

/**
 * Gives a medicine the amount that its phrase states: "2 tablets twice a day" has doses of 2 tablet.
 * `before` is the medicine before an edit: when its doses do not have the amount that its phrase
 * stated, somebody has set another, which stays. No statement without an amount in a phrase; else
 * at most four.
 */
export async function stateAmount(
  { db }: RequestContext,
  { id, ...stating }: Stating & Pick<Reminder, 'id'>,
  before?: Stating & Pick<Reminder, 'doseUnit'>,
): Promise<void> {
  const is = statedBy(stating);
  const was = before && statedBy(before);
  if (is?.amount === was?.amount && is?.unit === was?.unit) return;
  if (before) {
    const set = await db.doseAmount.findMany({ where: { reminderId: id } });
    const [first] = set;
    const stays = first && (set.length > 1 || !isOf(was, first.amount.toNumber(), before.doseUnit));
    if (stays) return;
    await db.doseAmount.deleteMany({ where: { reminderId: id } });
  }
  if (is) {
    const data = { reminderId: id, startsOn: BEGINNING, time: null, amount: is.amount };
    await db.doseAmount.create({ data, select: { id: true } });
  }
  const data = { doseUnit: is?.unit ?? null };
  await db.reminder.update({ where: { id }, data, select: { id: true } });
}

const isOf = (stated: Stated | undefined, amount: number, unit: string | null) =>
  stated?.amount === amount && stated.unit === unit;

function statedBy({ frequencyType }: Stating): Stated | undefined {
  const stated = amountIn(frequencyType);
  if (!stated?.unit || stated.value > LARGEST) return undefined;
  const amount = Math.round(stated.value * PARTS) / PARTS;
  return amount > 0 ? { amount, unit: stated.unit } : undefined;
}
