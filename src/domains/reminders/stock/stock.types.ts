import { Float, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Rows } from '../../../core/cost.js';
import { type EnumValue, enumType } from '../../../core/enum-type.js';
import { Version } from '../../../core/node.js';
import { DateTime, LocalDate } from '../../../core/scalars.js';
import type { Decimal } from '../../../platform/decimal.js';
import { MedicineReminder } from '../reminder/medicine-reminder.types.js';
import { ReminderChange } from '../reminder/reminder-payload.types.js';
import { StockOutlook } from './outlook.js';

registerEnumType(StockOutlook, {
  name: 'StockOutlook',
  description: 'For how long the stock of a medicine lasts.',
  valuesConfig: {
    RUNS_OUT: { description: 'It does not cover all doses that are to come: see `runsOutOn`.' },
    LASTS: {
      description:
        'It covers all doses that are to come, or those of the next 366 days, of which at most ' +
        '5,000 are looked at.',
    },
    UNKNOWN: {
      description:
        'It is not known when doses come, as of what is taken as needed, how much a dose is in ' +
        'the unit of the stock, or how much is left: see `isCertain`.',
    },
  },
});

/** How far a course until the supply is finished has come. */
export const SupplyEnd = enumType(
  'SupplyEnd',
  'How far a medicine has come that is taken until the supply is finished.',
  {
    UNKNOWN: [
      'UNKNOWN',
      'Nobody has said how much is at hand, or it is no longer certain: it comes for ever, ' +
        'until somebody counts it by `setMedicineStock`, or ends it.',
    ],
    AT_HAND: ['AT_HAND', 'There is enough for the next dose.'],
    FINISHED: [
      'FINISHED',
      'The doses that were taken have used it up: nothing comes any more. More of it, or a ' +
        'dose that is taken back, opens the course again from then on; so does a stock that is ' +
        'no longer certain.',
    ],
  },
);
export type SupplyEnd = EnumValue<typeof SupplyEnd>;

@ObjectType({ description: 'A pack of a medicine that is good until a day.' })
export class MedicinePack {
  readonly reminderId!: number;
  readonly held!: Decimal;
  readonly atHand!: Decimal;
  readonly unit!: string;

  @Visible(() => Float, { description: 'How much came with it, in the unit of the stock.' })
  get amount(): number {
    return Number(this.held);
  }

  @Visible(() => Float, {
    description:
      'How much of it is left, if what has no day is used first, and then what expires first.',
  })
  get left(): number {
    return Number(this.atHand);
  }

  @Visible(() => LocalDate, { description: 'The last day on which it is good.' })
  expiresOn!: string;
}

@ObjectType({ description: 'How much of a medicine is at hand.' })
export class MedicineStock {
  readonly reminderId!: number;
  readonly atHand!: Decimal;

  @Visible(() => Float, {
    description:
      'How much is at hand; each dose that is taken makes it less by its own amount. Never below ' +
      '0.',
  })
  get amount(): number {
    return Number(this.atHand);
  }

  @Visible({
    description: 'What is counted: tablet, ml, drop. Doses of another unit do not count.',
  })
  unit!: string;

  @Visible(() => Boolean, {
    description:
      'False when a dose was taken that the stock did not cover, or whose amount in this unit ' +
      'nobody has said: then it must be counted again. Until then nobody knows when it runs ' +
      'out, and the member is not notified of it, unless `amount` is 0.',
  })
  isCertain!: boolean;

  @Visible(() => Int, {
    description:
      'How many days before it runs out, or a pack expires, the member is notified; 0 for never.',
  })
  noticeDays!: number;

  @Visible(() => DateTime, {
    description: 'When somebody last counted it, in UTC. What was taken before is in that count.',
  })
  countedAt!: Date;

  @Version()
  version!: number;

  @Rows(3)
  @Visible(() => [MedicinePack], {
    description: 'Packs of which something is left, the one that expires first in front.',
  })
  packs!: MedicinePack[];
}

@ObjectType({ description: 'What `setMedicineStock` changed.' })
export class SetMedicineStockPayload extends ReminderChange<MedicineReminder> {
  @Visible(() => MedicineReminder, { description: 'The reminder as it is now.' })
  declare readonly reminder: MedicineReminder;
}

@ObjectType({ description: 'What `refillMedicineStock` changed.' })
export class RefillMedicineStockPayload extends ReminderChange<MedicineReminder> {
  @Visible(() => MedicineReminder, { description: 'The reminder as it is now.' })
  declare readonly reminder: MedicineReminder;
}

/** The payloads of changes of stock. */
export const STOCK_PAYLOADS = [SetMedicineStockPayload, RefillMedicineStockPayload] as const;
