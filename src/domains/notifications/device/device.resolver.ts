import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { Access, anyone, signedIn } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { RegisterDeviceInput, RemoveDeviceInput, RemoveOwnDeviceInput } from './device.inputs.js';
import { ownDevices, registerDevice, removeDevice, removeOwnDevice } from './device.service.js';
import { Device, RemovedDevice } from './device.types.js';

/** Root fields of devices. */
@Resolver()
export class DeviceResolver {
  @Access(signedIn)
  @Rows(20)
  @Query(() => [Device], {
    description: 'The devices of the caller, the last seen first; at most 20.',
  })
  async devices(@Ctx() context: RequestContext): Promise<Device[]> {
    return ownDevices(context);
  }

  @Access(anyone)
  @Query(() => String, {
    nullable: true,
    description:
      'The key with which a browser subscribes to Web Push (`applicationServerKey`); null when ' +
      'it is not configured.',
  })
  webPushPublicKey(@Ctx() context: RequestContext): string | undefined {
    return context.deps.config.VAPID_PUBLIC_KEY;
  }

  @Access(signedIn)
  @Mutation(() => Device, {
    description:
      'Registers a device for the caller, or renews it. Beyond 20 devices the longest unseen ' +
      'one is dropped. PUSH_TOKEN_INVALID.',
  })
  async registerDevice(
    @Ctx() context: RequestContext,
    @Arg('input', () => RegisterDeviceInput, { description: 'The device.' })
    input: RegisterDeviceInput,
  ): Promise<Device> {
    return registerDevice(context, input);
  }

  @Access(anyone)
  @Mutation(() => RemovedDevice, {
    description:
      "Takes a token out of use: one's own device is deleted. Otherwise the answer is the same for every token; a registered one is " +
      'suspended until its device registers again, and its owner is told.',
  })
  async removeDevice(
    @Ctx() context: RequestContext,
    @Arg('input', () => RemoveDeviceInput, { description: 'The token.' }) {
      token,
    }: RemoveDeviceInput,
  ): Promise<RemovedDevice> {
    return removeDevice(context, token);
  }

  @Access(signedIn)
  @Mutation(() => RemovedDevice, {
    description: 'Deletes one of the own devices. DEVICE_NOT_FOUND.',
  })
  async removeOwnDevice(
    @Ctx() context: RequestContext,
    @Arg('input', () => RemoveOwnDeviceInput, { description: 'Which device.' }) {
      id,
    }: RemoveOwnDeviceInput,
  ): Promise<RemovedDevice> {
    return removeOwnDevice(context, id);
  }
}
