import type { Deps } from '../../../core/deps.js';
import { isolateAmong } from '../../../platform/jobs/isolate.js';
import { markDevicesDead } from '../device/device-loss.service.js';
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
 * Marks devices as dead, and writes the outcomes of deliveries. A delivery that cannot be written
 * does not prevent the others from being written; it is sent again when its lease ends. A device
 * that cannot be marked is reported dead again by the next message. Throws when the database is
 * unavailable.
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
  await isolateAmong(deaths, { job: 'mark devices dead', log }, (part) =>
    markDevicesDead(deps, part),
  );
  await isolateAmong(turns, { job: 'record deliveries', log }, (part) =>
    recordVerdicts(deps, claimId, part),
  );
}
