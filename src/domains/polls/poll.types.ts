import { Int, ObjectType } from 'type-graphql';
import { Visible } from '../../core/access.js';
import { Rows } from '../../core/cost.js';
import { type EnumValue, enumType } from '../../core/enum-type.js';
import { Internal } from '../../core/marks.js';
import { DatabaseId, Node } from '../../core/node.js';
import { connectionType } from '../../core/paging.js';
import { payloadType } from '../../core/payload.js';
import { DateTime } from '../../core/scalars.js';

/** Who sees the results of a poll. Values are those of the database. */
export const ResultsVisibility = enumType(
  'ResultsVisibility',
  'Who sees the results of a poll. Clinicians and administrators always do.',
  {
    ALWAYS: ['always', 'Everybody who sees the poll.'],
    AFTER_ANSWERING: ['after_answering', 'Who has answered, and everybody once it is closed.'],
    AFTER_CLOSING: ['after_closing', 'Everybody, once it is closed.'],
    STAFF: ['staff', 'Clinicians and administrators alone.'],
  },
);
export type ResultsVisibility = EnumValue<typeof ResultsVisibility>;

/** The most options that a poll has. */
export const MOST_OPTIONS = 50;

@ObjectType({ implements: Node, description: 'An answer that a poll offers.' })
export class PollOption {
  @DatabaseId()
  id!: number;

  @Visible({ description: 'The answer in words.' })
  text!: string;

  @Visible(() => Int, {
    nullable: true,
    description:
      'How many chose it; null for who may not see the results. See `resultsVisibility`.',
  })
  votes!: number | null;
}

@ObjectType({ description: 'What the viewer answered.' })
export class PollSubmission {
  /** The options that were chosen. */
  optionIds!: readonly number[];

  @Rows(MOST_OPTIONS)
  @Visible(() => [PollOption], { description: 'The options that the viewer chose.' })
  options!: readonly PollOption[];

  @Visible(() => DateTime, { description: 'When, in UTC.' })
  submittedAt!: Date;
}

@ObjectType({ implements: Node, description: 'A question with answers to choose from.' })
export class Poll {
  @DatabaseId()
  id!: number;

  @Visible({ description: 'The question.' })
  question!: string;

  @Rows(10)
  @Visible(() => [PollOption], {
    description:
      'The answers in their order, at most 50. A poll without any records participation.',
  })
  options!: readonly PollOption[];

  @Visible(() => Boolean, { description: 'Whether several answers may be chosen.' })
  multiple!: boolean;

  @Visible(() => String, {
    nullable: true,
    description: 'What members agree to beside the question; null for nothing.',
  })
  statement!: string | null;

  @Visible(() => DateTime, { description: 'When it opens, in UTC.' })
  opensAt!: Date;

  @Visible(() => DateTime, {
    nullable: true,
    description: 'When it closes, in UTC; null for never.',
  })
  closesAt!: Date | null;

  @Visible(() => Boolean, { description: 'Whether it can be answered now.' })
  isOpen!: boolean;

  @Visible(() => ResultsVisibility, { description: 'Who sees the results.' })
  resultsVisibility!: ResultsVisibility;

  @Visible(() => Int, {
    nullable: true,
    description: 'How many have answered; null for who may not see the results.',
  })
  participantCount!: number | null;

  @Visible(() => PollSubmission, {
    nullable: true,
    description: 'What the viewer answered; null for nothing yet.',
  })
  viewerSubmission!: PollSubmission | null;

  @Visible(() => DateTime, {
    nullable: true,
    description: 'When the viewer agreed to the statement, in UTC; null for not yet.',
  })
  viewerAgreedAt!: Date | null;

  @Visible(() => Int, {
    description:
      'Counts the changes, not the answers. A change may name the version it was based on.',
  })
  version!: number;
}

/** A page of polls. */
export const PollConnection = connectionType(Poll, 'Poll', 'a poll');

@ObjectType({ description: 'One answer in the results of a poll.' })
export class PollResult {
  @Visible(() => Int, { description: 'Number of the option.' })
  optionId!: number;

  @Visible({ description: 'The answer in words.' })
  text!: string;

  @Visible(() => Int, { description: 'How many chose it.' })
  votes!: number;
}

@ObjectType({ description: 'What `submitPoll` changed.' })
export class SubmitPollPayload {
  @Visible(() => Poll, { description: 'The poll with the answer in it.' })
  poll!: Poll;

  @Internal()
  @Visible(() => Int, { description: 'The poll.' })
  get pollId(): number {
    return this.poll.id;
  }

  @Internal()
  @Rows(MOST_OPTIONS)
  @Visible(() => [Int], { description: 'The options that were chosen.' })
  get optionIds(): readonly number[] {
    return this.poll.viewerSubmission?.optionIds ?? [];
  }

  @Internal()
  @Visible(() => DateTime, { nullable: true, description: 'When it was answered.' })
  get submittedAt(): Date | null {
    return this.poll.viewerSubmission?.submittedAt ?? null;
  }

  @Internal()
  @Rows(MOST_OPTIONS)
  @Visible(() => [PollResult], {
    nullable: true,
    description: 'The results; null if not to be seen.',
  })
  get results(): readonly PollResult[] | null {
    const { options, participantCount } = this.poll;
    if (participantCount === null) return null;
    return options.map(({ id, text, votes }) =>
      Object.assign(new PollResult(), { optionId: id, text, votes: votes ?? 0 }),
    );
  }
}

@ObjectType({ description: 'What `agreeToPoll` changed.' })
export class AgreeToPollPayload {
  @Visible(() => Poll, { description: 'The poll with the agreement.' })
  poll!: Poll;

  @Internal()
  @Visible(() => Int, { description: 'The poll.' })
  get pollId(): number {
    return this.poll.id;
  }

  @Internal()
  @Visible(() => DateTime, { nullable: true, description: 'When it was agreed to.' })
  get agreedAt(): Date | null {
    return this.poll.viewerAgreedAt;
  }
}

const changed = { poll: { type: () => Poll, description: 'The poll.' } };
export const CreatePollPayload = payloadType<{ poll: Poll }>('CreatePoll', changed);
export const UpdatePollPayload = payloadType<{ poll: Poll }>('UpdatePoll', changed);
export const DeletePollPayload = payloadType<{ poll: Poll }>('DeletePoll', {
  poll: { type: () => Poll, description: 'The poll as it was. Its answers are gone with it.' },
});

@ObjectType({ description: 'What `importPolls` changed.' })
export class ImportPollsPayload {
  @Visible(() => Int, { description: 'Polls that were made.' })
  created = 0;

  @Visible(() => Int, { description: 'Polls that were brought up to date.' })
  updated = 0;

  @Visible(() => Int, { description: 'Polls that were the same already.' })
  unchanged = 0;

  @Visible(() => Int, {
    description: 'Polls that cannot be read, or that have answers to other options.',
  })
  failed = 0;
}
