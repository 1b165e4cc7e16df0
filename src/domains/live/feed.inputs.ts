import { ArgsType, Field, InputType, Int } from 'type-graphql';
import { IdField } from '../../core/marks.js';
import { FeedKind } from './feed.types.js';

@InputType({ description: 'What to watch of whom.' })
export class FeedSubjectInput {
  @Field(() => FeedKind, { description: 'What to watch.' })
  feed!: FeedKind;

  @IdField('Account', {
    nullable: true,
    description:
      'Whose: of CALENDAR a member whom the viewer may see. Default: the own. FORBIDDEN.',
  })
  memberId?: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'The last `version` that is known: another one is told at once. Default 0, where nothing ' +
      'has ever changed.',
  })
  since?: number | null;
}

@ArgsType()
export class ChangesArgs {
  @Field(() => [FeedSubjectInput], {
    description: 'What to watch, at most 100. One that is named twice is told once. TOO_MANY.',
  })
  subjects!: FeedSubjectInput[];
}
