import { Field, InputType } from 'type-graphql';
import { idInput } from '../../../core/marks.js';
import { AnyToken, PushToken, Text } from '../../../core/scalars.js';

@InputType({ description: 'A device that the viewer wants pushes on.' })
export class RegisterDeviceInput {
  @Field(() => PushToken, {
    description:
      'Its token, of a kind that the service sends to. One that another account holds moves to the ' +
      'viewer, who signed in after that account last registered it; else both hold it, and each ' +
      'gets its own messages. PUSH_TOKEN_INVALID.',
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
export class RemovePushTokenInput {
  @Field(() => AnyToken, {
    description: 'Its token, or the endpoint of its Web Push subscription.',
  })
  token!: string;
}

@InputType({ description: "One of the viewer's devices." })
export class RemoveDeviceInput extends idInput('Device', 'The device. DEVICE_NOT_FOUND.') {}
