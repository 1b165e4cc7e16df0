import { Float, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import type { Decimal } from '../../../platform/decimal.js';

/** How `text` of amounts is described. */
export const IN_WORDS =
  'with the unit, exact and ready to be shown: 0.05 mg, or 0,05 mg by the decimal sign of the ' +
  'language. A zero stands before the decimal sign and none at the end; digits are not grouped.';
/** How the language of `text` is described. */
export const WHICH_LANGUAGE = 'A BCP 47 tag. Default: the language of the member.';

@ObjectType({ description: 'How much a dose is.' })
export class DoseAmount {
  amount!: Decimal;
  /** The larger end of a range. */
  most?: Decimal | null | undefined;
  readonly memberId!: number;

  @Visible(() => Float, {
    description: 'How much, with at most four decimals. `text` is what people are shown.',
  })
  get value(): number {
    return Number(this.amount);
  }

  @Visible(() => Float, {
    nullable: true,
    description:
      'The larger end of a range, whose smaller one is `value`: 1 to 2 tablets; else null.',
  })
  get upTo(): number | null {
    return this.most ? Number(this.most) : null;
  }

  @Visible({
    description: 'What is counted: tablet, ml, drop; empty where a phrase says a number alone.',
  })
  readonly unit!: string;
}
