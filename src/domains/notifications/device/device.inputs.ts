import { Field, InputType, Int } from 'type-graphql';
import { AnyToken, PushToken, Text } from '../../../core/scalars.js';

@InputType({ description: 'A device that the caller wants pushes on.' })
export class RegisterDeviceInput {
  @Field(() => PushToken, {
    description:
      'Its token. One that another account held moves to the caller. PUSH_TOKEN_INVALID.',
  })
  token!: string;

  @Field(() => Text, {
    nullable: true,
    description: 'What the device is, such as "ios", "android" or "Firefox".',
  })
  platform?: string | null;

  @Field(() => Text, {
    nullable: true,
    description:
      'The name that the app made up for itself on this device: a new token replaces the one ' +
      'it registered before.',
  })
  installation?: string | null;
}

@InputType({ description: 'A device that is to get no more pushes.' })
export class RemoveDeviceInput {
  @Field(() => AnyToken, {
    description: 'Its token, or the endpoint of its Web Push subscription.',
  })
  token!: string;
}

@InputType({ description: 'One of the own devices.' })
export class RemoveOwnDeviceInput {
  @Field(() => Int, { description: 'Id of the device. DEVICE_NOT_FOUND.' })
  id!: number;
}
