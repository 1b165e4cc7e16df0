import { DeliveryWorker } from '../../../src/domains/notifications/delivery/delivery.worker.js';
import { type By, type Harness, mutation } from '../../support/harness.js';
import { Receiver } from '../../support/receiver.js';
import { going } from './expo-deliveries.js';

const FIELDS = 'channel { id kind address verifiedAt reminders lostAt version }';
/** A mobile number of each kind of writing. */
export const MOBILE = '+4915112345678';

/** The receiver of a suite, which `useService` may be configured for. */
export function useReceiver() {
  let receiver: Receiver | undefined;
  const present = () => receiver as Receiver;
  beforeEach(() => {
    present().texts.length = 0;
    present().reply = () => ({ status: 204 });
  });
  afterEach(() => {
    expect(present().forged, 'every request is signed').toBe(0);
  });
  afterAll(() => present().stop());
  const variables = async () => {
    receiver = await Receiver.start();
    return receiver.variables;
  };
  return { receiver: present, variables };
}

/** What members do with their channels. */
export function ownChannels(service: () => Harness, receiver: () => Receiver) {
  const act = async (what: string, input: object, by?: By) =>
    (await service().data(mutation(what, FIELDS), { input }, by))[what].channel;
  /** The code of the refusal of a change. */
  const refused = async (what: string, input: object, by?: By) => {
    const { errors } = await service().ask(mutation(what, '__typename'), { input }, by);
    return errors?.[0]?.extensions?.code;
  };
  const list = async (by?: By) =>
    (
      await service().data(
        '{ channels { id kind address verifiedAt reminders lostAt version } }',
        {},
        by,
      )
    ).channels;
  const add = (address = MOBILE, kind = 'SMS', by?: By) => act('addChannel', { kind, address }, by);
  /** Adds a channel and verifies it; returns its id. */
  const verified = async (address = MOBILE, kind = 'SMS', by?: By): Promise<string> => {
    const { id } = await add(address, kind, by);
    await act('verifyChannel', { id, code: receiver().code }, by);
    receiver().texts.length = 0;
    return id;
  };
  /** Delivers what is due on both kinds of channels. */
  const deliver = async () => {
    for (const kind of ['sms', 'chat'] as const)
      await new DeliveryWorker(service().app.deps, kind).run(going);
  };
  return { act, refused, list, add, verified, deliver };
}
