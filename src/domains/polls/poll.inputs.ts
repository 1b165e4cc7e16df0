import { Field, InputType, Int } from 'type-graphql';
import { IdField, IdsField, Internal, idInput } from '../../core/marks.js';
import { DateTime, LongText, SentText, ShortText } from '../../core/scalars.js';
import { ResultsVisibility } from './poll.types.js';

@InputType({ description: 'Which polls. Everything given must hold; what is null does not count.' })
export class PollFilter {
  @Field(() => Boolean, { nullable: true, description: 'Only those that can be answered now.' })
  open?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Only those that the viewer has not answered.',
  })
  unanswered?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Only those with a statement that the viewer has not agreed to.',
  })
  toAgreeTo?: boolean | null;
}

@InputType({ description: 'A poll to make.' })
export class CreatePollInput {
  @Field(() => LongText, { description: 'The question.' })
  question!: string;

  @Field(() => [ShortText], {
    nullable: true,
    description: 'The answers to choose from, at most 50. Default none: participation is recorded.',
  })
  options?: string[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether several may be chosen. Default false.',
  })
  multiple?: boolean | null;

  @Field(() => DateTime, { nullable: true, description: 'When it opens. Default now.' })
  opensAt?: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'When it closes. Default never.' })
  closesAt?: Date | null;

  @Field(() => LongText, { nullable: true, description: 'What members agree to. Default nothing.' })
  statement?: string | null;

  @Field(() => ResultsVisibility, {
    nullable: true,
    description: 'Who sees the results. Default AFTER_ANSWERING.',
  })
  resultsVisibility?: ResultsVisibility | null;
}

@InputType({
  description:
    'What to change of a poll. What is absent or null stays, unless its field says otherwise.',
})
export class UpdatePollInput {
  @IdField('Poll', { description: 'The poll.' })
  id!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'The version that the change is based on. CONFLICT.',
  })
  version?: number | null;

  @Field(() => LongText, { nullable: true, description: 'The question.' })
  question?: string | null;

  @Field(() => [ShortText], {
    nullable: true,
    description: 'The answers, at most 50. Only while nobody has answered: POLL_ANSWERED.',
  })
  options?: string[] | null;

  @Field(() => DateTime, { nullable: true, description: 'When it opens.' })
  opensAt?: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'When it closes; null for never.' })
  closesAt?: Date | null;

  @Field(() => LongText, {
    nullable: true,
    description: 'What members agree to; null for nothing.',
  })
  statement?: string | null;

  @Field(() => ResultsVisibility, { nullable: true, description: 'Who sees the results.' })
  resultsVisibility?: ResultsVisibility | null;
}

@InputType({ description: 'Which poll to delete.' })
export class DeletePollInput extends idInput('Poll', 'The poll.') {}

@InputType({ description: 'An answer to a poll.' })
export class SubmitPollInput {
  @IdField('Poll', { description: 'The poll.' })
  pollId!: number;

  @IdsField('PollOption', {
    nullable: true,
    description:
      'The chosen options: one, or several where the poll allows it. Without, participation ' +
      'alone is recorded, as in a poll without options.',
  })
  optionIds?: number[] | null;

  @Internal()
  @Field(() => SentText, { nullable: true, description: 'Another name of the chosen options.' })
  answers?: string | null;

  @Internal()
  @Field(() => SentText, { nullable: true, description: 'Another name of the chosen options.' })
  options?: string | null;

  @Internal()
  @Field(() => SentText, { nullable: true, description: 'Another name of the chosen options.' })
  optionId?: string | null;

  @Internal()
  @Field(() => SentText, { nullable: true, description: 'Another name of the chosen options.' })
  option?: string | null;

  @Internal()
  @Field(() => SentText, { nullable: true, description: 'Another name of the chosen options.' })
  answer?: string | null;

  @Internal()
  @Field(() => SentText, { nullable: true, description: 'Another name of the chosen options.' })
  answerId?: string | null;

  @Internal()
  @Field(() => SentText, { nullable: true, description: 'Another name of the chosen options.' })
  answerIds?: string | null;

  @Internal()
  @Field(() => SentText, { nullable: true, description: 'Another name of the chosen options.' })
  choice?: string | null;

  @Internal()
  @Field(() => SentText, { nullable: true, description: 'Another name of the chosen options.' })
  choiceId?: string | null;

  @Internal()
  @Field(() => SentText, { nullable: true, description: 'Another name of the chosen options.' })
  choices?: string | null;

  @Internal()
  @Field(() => SentText, { nullable: true, description: 'Another name of the chosen options.' })
  choiceIds?: string | null;

  @Internal()
  @Field(() => SentText, { nullable: true, description: 'Another name of the chosen options.' })
  value?: string | null;

  @Internal()
  @Field(() => SentText, { nullable: true, description: 'Another name of the chosen options.' })
  values?: string | null;

  @Internal()
  @Field(() => SentText, { nullable: true, description: 'Another name of the chosen options.' })
  selected?: string | null;

  @Internal()
  @Field(() => SentText, { nullable: true, description: 'Another name of the chosen options.' })
  selection?: string | null;
}

@InputType({ description: 'How polls are imported.' })
export class ImportPollsInput {
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether to change nothing, and to tell what would be done. Default false.',
  })
  dryRun?: boolean | null;
}

@InputType({ description: 'The poll whose statement is agreed to.' })
export class AgreeToPollInput {
  @IdField('Poll', { description: 'The poll.' })
  pollId!: number;
}
