import { ID, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { type EnumValue, enumType } from '../../../core/enum-type.js';
import { Node, Version } from '../../../core/node.js';
import { payloadType } from '../../../core/payload.js';
import { DateTime } from '../../../core/scalars.js';

/** The kinds of channels. The values are those in the database. */
export const ChannelKind = enumType('ChannelKind', 'How a channel tells of reminders.', {
  SMS: ['sms', 'Text messages to a telephone number.'],
  CHAT: ['chat', 'Messages in a chat that the operator of the service serves.'],
});
export type ChannelKind = EnumValue<typeof ChannelKind>;

@ObjectType({
  implements: Node,
  description:
    'A number or handle of the viewer that reminders go to beside devices, as the preference says ' +
    'of names. It is used once it is verified.',
})
export class Channel {
  id!: number;

  @Visible(() => ChannelKind, { description: 'How it tells.' })
  kind!: ChannelKind;

  @Visible(() => String, {
    nullable: true,
    description:
      'The number in the form of E.164, such as +4930901820, or the handle; null when it cannot ' +
      'be read now.',
  })
  address!: string | null;

  @Visible(() => DateTime, {
    nullable: true,
    description:
      'When a code proved that it is theirs, in UTC. Null until then: such a channel goes after a ' +
      'day.',
  })
  verifiedAt!: Date | null;

  @Visible(() => Boolean, {
    description: 'Whether reminders and notices go there. True from when it is verified.',
  })
  reminders!: boolean;

  @Visible(() => DateTime, {
    nullable: true,
    description:
      'When it was switched off because its address is gone, in UTC. It goes after 30 days, ' +
      'unless it is verified again.',
  })
  lostAt!: Date | null;

  @Version()
  version!: number;
}

const changed = (description: string) => ({ channel: { type: () => Channel, description } });

/** What `addChannel` returns. */
export const AddChannelPayload = payloadType<{ channel: Channel }>(
  'AddChannel',
  changed('The channel; not verified, unless it was before.'),
);

/** What `sendChannelCode` returns. */
export const SendChannelCodePayload = payloadType<{ channel: Channel }>(
  'SendChannelCode',
  changed('The channel that the code was sent to.'),
);

/** What `verifyChannel` returns. */
export const VerifyChannelPayload = payloadType<{ channel: Channel }>(
  'VerifyChannel',
  changed('The channel, which reminders go to from now on.'),
);

/** What `updateChannel` returns. */
export const UpdateChannelPayload = payloadType<{ channel: Channel }>(
  'UpdateChannel',
  changed('The channel as it is now.'),
);

/** What `removeChannel` returns. */
export const RemoveChannelPayload = payloadType<{ deletedChannelId: string }>('RemoveChannel', {
  deletedChannelId: { type: () => ID, description: 'Id of the channel that is gone.' },
});
