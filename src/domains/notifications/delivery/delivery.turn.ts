import type { Deps } from '../../../core/deps.js';
import { isolateAmong } from '../../../platform/jobs/isolate.js';
import { buryDevices } from '../device/device-loss.service.js';
import type { Verdict } from './delivery.outcome.js';
import { DeliveryState } from './delivery.state.js';
import { recordVerdicts } from './delivery-claim.service.js';

/** What became of a claimed delivery in its turn. */
export interface Turn extends Verdict {
  readonly id: number;
  readonly deviceId: number;
  readonly sentAt: Date;
}

/**
 * Buries the devices that died, and writes what became of deliveries. A delivery that cannot be
 * written keeps no other from being written, and is sent again when its lease ends. A device that
 * cannot be buried is found dead by the next message. Throws when the database is away.
 */
export async function recordTurns(
  deps: Deps,
  claimId: string,
  turns: readonly Turn[],
): Promise<void> {
  const { log } = deps;
  const deaths = turns
    .filter(({ state }) => state === DeliveryState.DEAD)
    .map(({ deviceId, sentAt }) => ({ id: deviceId, sentAt }));
  await isolateAmong(deaths, { job: 'bury devices', log }, (part) => buryDevices(deps, part));
  await isolateAmong(turns, { job: 'record deliveries', log }, (part) =>
    recordVerdicts(deps, claimId, part),
  );
}
