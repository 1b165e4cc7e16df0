import { Ctx, Resolver } from 'type-graphql';
import { Access, anyone, signedIn } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { InputArg } from '../../../core/marks.js';
import { globalId } from '../../../core/node.js';
import { Mutation, Query } from '../../../core/root-fields.js';
import {
  AddChannelInput,
  RemoveChannelInput,
  SendChannelCodeInput,
  UpdateChannelInput,
  VerifyChannelInput,
} from './channel.inputs.js';
import { channelKinds, ownChannels, removeChannel, updateChannel } from './channel.service.js';
import {
  AddChannelPayload,
  Channel,
  ChannelKind,
  RemoveChannelPayload,
  SendChannelCodePayload,
  UpdateChannelPayload,
  VerifyChannelPayload,
} from './channel.types.js';
import { addChannel, sendChannelCode, verifyChannel } from './channel-proof.service.js';

/** Root fields of channels. */
@Resolver()
export class ChannelResolver {
  @Access(anyone)
  @Rows(2)
  @Query(() => [ChannelKind], {
    description: 'The kinds of channels that can be added; none where no webhook is configured.',
  })
  channelKinds(@Ctx() context: RequestContext): ChannelKind[] {
    return channelKinds(context);
  }

  @Access(signedIn)
  @Rows(5)
  @Query(() => [Channel], {
    description: 'The channels of the viewer, the oldest first; at most 5.',
  })
  async channels(@Ctx() context: RequestContext): Promise<Channel[]> {
    return ownChannels(context);
  }

  @Access(signedIn)
  @Mutation(() => AddChannelPayload, {
    description:
      'Adds a channel and sends it a code for `verifyChannel`. One with the same address is the ' +
      'same channel; a verified one gets no code. CHANNELS_NOT_CONFIGURED, ' +
      'CHANNEL_ADDRESS_INVALID, TOO_MANY above 5, and the refusals of `sendChannelCode`.',
  })
  async addChannel(
    @Ctx() context: RequestContext,
    @InputArg(AddChannelInput) input: AddChannelInput,
  ): Promise<{ channel: Channel }> {
    return { channel: await addChannel(context, input) };
  }

  @Access(signedIn)
  @Mutation(() => SendChannelCodePayload, {
    description:
      'Sends a new code to a channel; the one before is void. At most 3 an hour and 10 a day to ' +
      'one address, 5 an hour and 15 a day for one account, and as many an hour for all members as ' +
      'the service is set to. EMAIL_UNPROVEN, ACCOUNT_TOO_YOUNG, CHANNELS_NOT_CONFIGURED, ' +
      'CHANNEL_NOT_FOUND, CHANNEL_ADDRESS_INVALID, CHANNEL_ADDRESS_GONE, CHANNEL_UNREACHABLE, TOO_MANY_REQUESTS.',
  })
  async sendChannelCode(
    @Ctx() context: RequestContext,
    @InputArg(SendChannelCodeInput) { id }: SendChannelCodeInput,
  ): Promise<{ channel: Channel }> {
    return { channel: await sendChannelCode(context, id) };
  }

  @Access(signedIn)
  @Mutation(() => VerifyChannelPayload, {
    description:
      'Proves by the code that a channel is theirs: reminders go there from now on. ' +
      'CHANNEL_NOT_FOUND, CHANNEL_CODE_INVALID, TOO_MANY_REQUESTS.',
  })
  async verifyChannel(
    @Ctx() context: RequestContext,
    @InputArg(VerifyChannelInput) input: VerifyChannelInput,
  ): Promise<{ channel: Channel }> {
    return { channel: await verifyChannel(context, input) };
  }

  @Access(signedIn)
  @Mutation(() => UpdateChannelPayload, {
    description:
      'Switches the reminders of a channel on or off. CHANNEL_NOT_FOUND, CHANNEL_UNVERIFIED, ' +
      'CONFLICT.',
  })
  async updateChannel(
    @Ctx() context: RequestContext,
    @InputArg(UpdateChannelInput) input: UpdateChannelInput,
  ): Promise<{ channel: Channel }> {
    return { channel: await updateChannel(context, input) };
  }

  @Access(signedIn)
  @Mutation(() => RemoveChannelPayload, {
    description: 'Deletes a channel: it gets no more. CHANNEL_NOT_FOUND.',
  })
  async removeChannel(
    @Ctx() context: RequestContext,
    @InputArg(RemoveChannelInput) { id }: RemoveChannelInput,
  ): Promise<{ deletedChannelId: string }> {
    await removeChannel(context, id);
    return { deletedChannelId: globalId('Channel', id) };
  }
}
