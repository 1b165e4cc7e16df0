import { Ctx, Resolver } from 'type-graphql';
import { Access, anyone, signedIn } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { InputArg, Internal } from '../../../core/marks.js';
import { globalId } from '../../../core/node.js';
import { Mutation, Query } from '../../../core/root-fields.js';
import { RegisterDeviceInput, RemoveDeviceInput, RemovePushTokenInput } from './device.inputs.js';
import { ownDevices, registerDevice } from './device.service.js';
import {
  Device,
  RegisterDevicePayload,
  RemoveDevicePayload,
  RemovedDevice,
} from './device.types.js';
import { removeDevice, removePushToken } from './device-removal.service.js';

/** Root fields of devices. */
@Resolver()
export class DeviceResolver {
  @Access(signedIn)
  @Rows(20)
  @Query(() => [Device], {
    description: 'The devices of the viewer, the last seen first; at most 20.',
  })
  async devices(@Ctx() context: RequestContext): Promise<Device[]> {
    return ownDevices(context);
  }

  @Access(anyone)
  @Query(() => String, {
    description:
      'The key with which a browser subscribes to Web Push (`applicationServerKey`); null when ' +
      'it is not configured.',
  })
  webPushPublicKey(@Ctx() context: RequestContext): string | undefined {
    return context.deps.config.VAPID_PUBLIC_KEY;
  }

  @Access(signedIn)
  @Mutation(() => RegisterDevicePayload, {
    description:
      'Registers a device for the viewer, or renews it. Beyond 20 devices the longest unseen ' +
      'one is dropped. PUSH_TOKEN_INVALID.',
  })
  async registerDevice(
    @Ctx() context: RequestContext,
    @InputArg(RegisterDeviceInput) input: RegisterDeviceInput,
  ): Promise<{ device: Device }> {
    return { device: await registerDevice(context, input) };
  }

  @Internal()
  @Access(anyone)
  @Mutation(() => RemovedDevice, {
    description:
      "Takes a token out of use: one's own device is deleted. Otherwise the answer is the same " +
      'for every token; a registered one is suspended until its device registers again, and its ' +
      'owner is notified.',
  })
  async removePushToken(
    @Ctx() context: RequestContext,
    @InputArg(RemovePushTokenInput) { token }: RemovePushTokenInput,
  ): Promise<RemovedDevice> {
    return removePushToken(context, token);
  }

  @Access(signedIn)
  @Mutation(() => RemoveDevicePayload, {
    description: "Deletes one of the viewer's devices: it gets no more. DEVICE_NOT_FOUND.",
  })
  async removeDevice(
    @Ctx() context: RequestContext,
    @InputArg(RemoveDeviceInput) { id }: RemoveDeviceInput,
  ): Promise<{ deletedDeviceId: string }> {
    await removeDevice(context, id);
    return { deletedDeviceId: globalId('Device', id) };
  }
}
