import { Arg, Args, Ctx, Resolver, Root, Subscription } from 'type-graphql';
import { Access, capable, signedIn } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { Rows } from '../../core/cost.js';
import type { FeedMove } from '../../core/live.js';
import { IdArg, InputArg } from '../../core/marks.js';
import { type Order, OrderBy } from '../../core/ordering.js';
import { type Page, PageArgs } from '../../core/paging.js';
import { Mutation, Query } from '../../core/root-fields.js';
import {
  AgreeToPollInput,
  CreatePollInput,
  DeletePollInput,
  ImportPollsInput,
  PollFilter,
  SubmitPollInput,
  UpdatePollInput,
} from './poll.inputs.js';
import { createPoll, deletePoll, updatePoll } from './poll.service.js';
import {
  AgreeToPollPayload,
  CreatePollPayload,
  DeletePollPayload,
  ImportPollsPayload,
  Poll,
  PollConnection,
  SubmitPollPayload,
  UpdatePollPayload,
} from './poll.types.js';
import { agreeToPoll, submitPoll } from './poll-answer.service.js';
import { importPolls } from './poll-import.service.js';
import { pollList, pollsById } from './poll-list.service.js';
import { movedPoll, watchPoll } from './poll-live.service.js';

interface Watching {
  readonly context: RequestContext;
  readonly args: { readonly id: number };
}

/** Root fields of polls. */
@Resolver()
export class PollResolver {
  @Access(signedIn)
  @Rows(20)
  @Query(() => PollConnection, {
    description:
      'Polls, those that opened last first; 20 unless said otherwise. Administrators see those ' +
      'that are not open yet. CURSOR_INVALID, PAGE_SIZES_BOTH.',
  })
  async polls(
    @Ctx() context: RequestContext,
    @Arg('filter', () => PollFilter, { nullable: true, description: 'Which. Default: all.' })
    filter: PollFilter | null | undefined,
    @Args(() => PageArgs) page: PageArgs,
    @OrderBy(pollList) order: Order | null | undefined,
  ): Promise<Page<Poll>> {
    return pollList.page(context, { ...page, ...filter }, order);
  }

  @Access(signedIn)
  @Query(() => Poll, { description: 'One poll; null when there is none.' })
  async poll(
    @Ctx() context: RequestContext,
    @IdArg('id', 'Poll', { description: 'The poll.' }) id: number,
  ): Promise<Poll | null> {
    const [poll = null] = await pollsById(context, [id]);
    return poll;
  }

  @Access(capable('manage_options'))
  @Mutation(() => CreatePollPayload, {
    description:
      'Makes a poll. For administrators. POLL_QUESTION_REQUIRED, POLL_TIMES_INVALID, TOO_MANY.',
  })
  async createPoll(
    @Ctx() context: RequestContext,
    @InputArg(CreatePollInput) input: CreatePollInput,
  ): Promise<{ poll: Poll }> {
    return { poll: await createPoll(context, input) };
  }

  @Access(capable('manage_options'))
  @Mutation(() => UpdatePollPayload, {
    description:
      'Changes what is given of a poll. For administrators. A statement that becomes another text ' +
      'is to be agreed to anew. POLL_NOT_FOUND, CONFLICT, POLL_QUESTION_REQUIRED, ' +
      'POLL_TIMES_INVALID, POLL_ANSWERED, TOO_MANY.',
  })
  async updatePoll(
    @Ctx() context: RequestContext,
    @InputArg(UpdatePollInput) input: UpdatePollInput,
  ): Promise<{ poll: Poll }> {
    return { poll: await updatePoll(context, input) };
  }

  @Access(capable('manage_options'))
  @Mutation(() => DeletePollPayload, {
    description: 'Deletes a poll with its answers. For administrators. POLL_NOT_FOUND.',
  })
  async deletePoll(
    @Ctx() context: RequestContext,
    @InputArg(DeletePollInput) { id }: DeletePollInput,
  ): Promise<{ poll: Poll }> {
    return { poll: await deletePoll(context, id) };
  }

  @Access(signedIn)
  @Mutation(() => SubmitPollPayload, {
    description:
      'Answers a poll. Repeated, it changes nothing and returns the first answer. POLL_NOT_FOUND, ' +
      'POLL_NOT_OPEN, POLL_CLOSED, POLL_OPTIONS_INVALID, CONFLICT.',
  })
  async submitPoll(
    @Ctx() context: RequestContext,
    @InputArg(SubmitPollInput) input: SubmitPollInput,
  ): Promise<SubmitPollPayload> {
    return Object.assign(new SubmitPollPayload(), { poll: await submitPoll(context, input) });
  }

  @Access(signedIn)
  @Mutation(() => AgreeToPollPayload, {
    description:
      'Agrees to the statement of a poll. Repeated, it changes nothing. POLL_NOT_FOUND, ' +
      'POLL_NOT_OPEN, POLL_CLOSED, NOTHING_TO_AGREE, CONFLICT.',
  })
  async agreeToPoll(
    @Ctx() context: RequestContext,
    @InputArg(AgreeToPollInput) input: AgreeToPollInput,
  ): Promise<AgreeToPollPayload> {
    return Object.assign(new AgreeToPollPayload(), { poll: await agreeToPoll(context, input) });
  }

  @Access(capable('manage_options'))
  @Mutation(() => ImportPollsPayload, {
    description:
      'Imports polls from the address that is configured, or a sample without one, by their ids ' +
      'there. The options of a poll that has answers stay. For administrators. IMPORT_FAILED.',
  })
  async importPolls(
    @Ctx() context: RequestContext,
    @InputArg(ImportPollsInput) input: ImportPollsInput,
  ): Promise<ImportPollsPayload> {
    return importPolls(context, input);
  }

  @Access(signedIn)
  @Subscription(() => Poll, {
    nullable: true,
    description:
      'Tells the results of a poll: at first as they are, then after each answer and each ' +
      'change; several at once are told as one. Null when the poll is gone or its results are ' +
      'not shown to the viewer any more: the stream then completes. That the poll closes is not ' +
      'told. Transports and ends are those of `changes`. UNAUTHENTICATED, POLL_NOT_FOUND, ' +
      'TOO_MANY_SUBSCRIPTIONS, FORBIDDEN for who may not see the results now.',
    subscribe: ({ context, args }: Watching) => watchPoll(context, args.id),
  })
  async pollResults(
    @Root() move: FeedMove,
    @Ctx() context: RequestContext,
    @IdArg('id', 'Poll', { description: 'The poll.' }) _id: number,
  ): Promise<Poll | null> {
    return movedPoll(context, move);
  }
}
