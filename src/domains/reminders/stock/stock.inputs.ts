import { Field, InputType } from 'type-graphql';
import { BasedOn, IdField } from '../../../core/marks.js';
import {
  DoseQuantity,
  LocalDate,
  NoticeDays,
  ShortText,
  StockQuantity,
} from '../../../core/scalars.js';
import type { Decimal } from '../../../platform/decimal.js';

@InputType({ description: 'A pack of a medicine that is at hand.' })
export class MedicinePackInput {
  @Field(() => DoseQuantity, { description: 'How much it holds.' })
  amount!: Decimal;

  @Field(() => LocalDate, { description: 'The last day on which it is good.' })
  expiresOn!: string;
}

@InputType({ description: 'How much of a medicine is at hand. What is absent stays as it is.' })
export class SetMedicineStockInput {
  @IdField('MedicineReminder', { description: 'Which medicine.' })
  id!: number;

  @BasedOn()
  version?: number | null;

  @Field(() => StockQuantity, {
    nullable: true,
    description:
      'How much somebody has counted: 0 to 1,000,000. Null forgets the stock. The first time it ' +
      'must be given: STOCK_UNKNOWN.',
  })
  amount?: Decimal | null;

  @Field(() => ShortText, {
    nullable: true,
    description:
      'What is counted: tablet, ml, drop. Default: the unit of the doses. STOCK_INVALID without ' +
      'either.',
  })
  unit?: string | null;

  @Field(() => NoticeDays, {
    nullable: true,
    description:
      'How many days before it runs out, or a pack expires, the member is notified, at 10:00 by ' +
      'the clocks of the medicine: 0 to 90, 0 for never. Default 7.',
  })
  noticeDays?: number | null;

  @Field(() => [MedicinePackInput], {
    nullable: true,
    description: 'The packs instead of those that were known, at most 20. STOCK_INVALID.',
  })
  packs?: MedicinePackInput[] | null;
}

@InputType({ description: 'More of a medicine.' })
export class RefillMedicineStockInput {
  @IdField('MedicineReminder', { description: 'Which medicine.' })
  id!: number;

  @Field(() => DoseQuantity, { description: 'How much is added to what is at hand.' })
  amount!: Decimal;

  @Field(() => LocalDate, {
    nullable: true,
    description: 'The last day on which it is good. STOCK_INVALID for a day that is over.',
  })
  expiresOn?: string | null;
}
