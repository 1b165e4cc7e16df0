import { Field, InputType } from 'type-graphql';
import { BasedOn, IdField, idInput } from '../../../core/marks.js';
import { CountryCode, ShortText } from '../../../core/scalars.js';
import { ChannelKind } from './channel.types.js';

@InputType({ description: 'A number or handle that the viewer wants reminders on.' })
export class AddChannelInput {
  @Field(() => ChannelKind, { description: 'How it tells.' })
  kind!: ChannelKind;

  @Field(() => ShortText, {
    description:
      'Of SMS the number, as people write it: with the code of its country, or in a form of ' +
      '`country`, and of one of the countries that the service sends texts to. Of CHAT the ' +
      'handle, one line. CHANNEL_ADDRESS_INVALID.',
  })
  address!: string;

  @Field(() => CountryCode, {
    nullable: true,
    description: 'The country in which the number is dialled. Default: the number says it.',
  })
  country?: string | null;
}

@InputType({ description: "One of the viewer's channels." })
export class SendChannelCodeInput extends idInput('Channel', 'The channel. CHANNEL_NOT_FOUND.') {}

@InputType({ description: 'The code that was sent to a channel.' })
export class VerifyChannelInput {
  @IdField('Channel', { description: 'The channel. CHANNEL_NOT_FOUND.' })
  id!: number;

  @Field(() => ShortText, {
    description: 'The code; blanks do not count. It is good for 10 minutes and five tries.',
  })
  code!: string;
}

@InputType({ description: 'What a channel is used for.' })
export class UpdateChannelInput {
  @IdField('Channel', { description: 'The channel. CHANNEL_NOT_FOUND.' })
  id!: number;

  @Field(() => Boolean, { description: 'Whether reminders and notices go there.' })
  reminders!: boolean;

  @BasedOn()
  version?: number | null;
}

@InputType({ description: "One of the viewer's channels." })
export class RemoveChannelInput extends idInput('Channel', 'The channel. CHANNEL_NOT_FOUND.') {}
