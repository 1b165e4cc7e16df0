import { Int, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Rows } from '../../../core/cost.js';
import { enumType } from '../../../core/enum-type.js';
import type { Doubt as WordsDoubt } from '../schedule/words/doubt.js';
import { meaningsOf } from '../schedule/words/read.js';
import { say } from '../schedule/words/say.js';

/** Why a medicine does not ring, or is in doubt. */
export type Doubt = WordsDoubt | 'unusual';

/** Why a frequency has no schedule, for GraphQL. */
export const FrequencyDoubtKind = enumType(
  'FrequencyDoubtKind',
  'Why a frequency has no schedule.',
  {
    UNKNOWN: ['unknown', 'It has no meaning that is known.'],
    AMBIGUOUS: ['ambiguous', 'It has several meanings, and none of them is taken.'],
    INCOMPLETE: [
      'incomplete',
      'It leaves open what a schedule needs, such as the days of "twice a week"; or it has no ' +
        "dose before its end; or two of its times fall together in the member's day.",
    ],
    UNUSUAL: [
      'unusual',
      'It is understood, but unusual for the medicine: what is taken once a week would come more ' +
        'often, which never rings until a clinician confirms it; or a dose is far from what is ' +
        'taken of it, or has no unit, which rings. `confirmDirections` confirms it. The medicines ' +
        'are in docs/medicines.md.',
    ],
  },
) satisfies Record<string, Doubt>;

@ObjectType({ description: 'One of the meanings of a frequency.' })
export class FrequencyChoice {
  @Visible(() => Int, { description: 'Its place, as `confirmDirections` takes it.' })
  meaning!: number;

  @Visible({
    description:
      'What it means, in words with its amount: by the clock times of the member. English where it ' +
      'leaves something open.',
  })
  text!: string;

  @Visible(() => Boolean, {
    description: 'Whether it can be chosen: it says all that a schedule needs.',
  })
  isComplete!: boolean;
}

@ObjectType({ description: 'Why a medicine does not ring or is in doubt, and what to choose.' })
export class FrequencyDoubt {
  constructor(
    readonly memberId: number,
    readonly frequency: string,
    readonly doubt: Doubt,
    /** Whether it rings all the same. */
    readonly rings: boolean,
  ) {}

  @Visible(() => FrequencyDoubtKind, { description: 'What is the matter.' })
  get kind(): Doubt {
    return this.doubt;
  }

  @Rows(3)
  @Visible(() => [String], {
    description:
      'All that the frequency may mean, in English, to choose from. Each can be sent as a ' +
      'frequency, unless it leaves something open itself.',
  })
  get meanings(): string[] {
    return meaningsOf(this.frequency).map(say);
  }
}
