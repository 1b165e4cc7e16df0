import { ID, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { type EnumValue, enumType } from '../../../core/enum-type.js';
import { DatabaseId, Node } from '../../../core/node.js';
import { payloadType } from '../../../core/payload.js';
import { DateTime } from '../../../core/scalars.js';

/** The kinds of devices. The values are those in the database. */
export const DeviceKind = enumType('DeviceKind', 'What a device is sent pushes through.', {
  EXPO: ['expo', 'An Expo push token.'],
  FCM: ['fcm', 'An FCM registration token.'],
  WEB: ['web', 'A Web Push subscription of a browser.'],
});
export type DeviceKind = EnumValue<typeof DeviceKind>;

@ObjectType({
  implements: Node,
  description: 'A device of the viewer that pushes go to. Its token is never shown.',
})
export class Device {
  @DatabaseId()
  id!: number;

  @Visible(() => DeviceKind, { description: 'What it is sent pushes through.' })
  kind!: DeviceKind;

  @Visible({
    description:
      'What the app said that the device is, such as "ios" or "Firefox"; empty when it did not.',
  })
  platform!: string;

  @Visible(() => DateTime, { description: 'When it was first registered, in UTC.' })
  createdAt!: Date;

  @Visible(() => DateTime, { description: 'When it last registered, in UTC.' })
  lastSeenAt!: Date;

  @Visible(() => DateTime, {
    nullable: true,
    description:
      'Since when it gets nothing because somebody removed its token without being signed in; ' +
      'registering ends that.',
  })
  suspendedAt!: Date | null;

  @Visible(() => DateTime, {
    nullable: true,
    description:
      'When its provider said that it is gone; it gets nothing until it registers again.',
  })
  deadAt!: Date | null;

  @Visible({
    description:
      'Whether the service has a provider for its kind. False: it gets nothing, and a reminder ' +
      'for it alone is missed.',
  })
  isServed!: boolean;
}

@ObjectType({ description: 'What is left of a removed device: the same for every token.' })
export class RemovedDevice {
  @Visible(() => Boolean, { description: 'Always true.' })
  deleted!: boolean;
}

/** What `registerDevice` returns. */
export const RegisterDevicePayload = payloadType<{ device: Device }>('RegisterDevice', {
  device: { type: () => Device, description: 'The device.' },
});

/** What `removeDevice` returns. */
export const RemoveDevicePayload = payloadType<{ deletedDeviceId: string }>('RemoveDevice', {
  deletedDeviceId: { type: () => ID, description: 'Id of the device that is gone.' },
});
