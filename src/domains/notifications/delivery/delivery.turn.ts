import type { Deps } from '../../../core/deps.js';
import { isolateAmong } from '../../../platform/jobs/isolate.js';
import { KEY_REFUSED } from '../../../platform/push/verdicts.js';
import { markDevicesDead, tellOfUnserved } from '../device/device-loss.service.js';
import { NOT_CONFIGURED, type Verdict } from './delivery.outcome.js';
import { DeliveryState } from './delivery.state.js';
import { recordVerdicts } from './delivery-claim.service.js';

/** What became of a claimed delivery in its turn. */
export interface Turn extends Verdict {
  readonly id: number;
  readonly deviceId: number;
  readonly sentAt: Date;
  /** The hash of the token that it was sent to; none for a receipt. */
  readonly tokenHash?: string;
}

/**
 * Marks devices as dead, tells members whose devices have no provider, or one that takes no pushes of
 * ours until these were missed, and writes the outcomes of deliveries. A delivery that cannot be written does not prevent the others from being written; it
 * is sent again when its lease ends. A device that cannot be marked is found again by the next
 * message. Throws when the database is unavailable.
 */
export async function recordTurns(
  deps: Deps,
  claimId: string,
  turns: readonly Turn[],
): Promise<void> {
  const { log } = deps;
  const deaths = turns
    .filter(({ state }) => state === DeliveryState.DEAD)
    .map(({ deviceId, sentAt, tokenHash }) => ({ id: deviceId, sentAt, tokenHash }));
  await isolateAmong(deaths, { job: 'mark devices dead', log }, (part) =>
    markDevicesDead(deps, part),
  );
  const unserved = turns
    .filter(
      ({ state, code }) =>
        code === NOT_CONFIGURED || (state === DeliveryState.MISSED && code.startsWith(KEY_REFUSED)),
    )
    .map(({ deviceId }) => ({ id: deviceId }));
  await isolateAmong(unserved, { job: 'tell of unserved devices', log }, (part) =>
    tellOfUnserved(
      deps,
      part.map(({ id }) => id),
    ),
  );
  await isolateAmong(turns, { job: 'record deliveries', log }, (part) =>
    recordVerdicts(deps, claimId, part),
  );
}
