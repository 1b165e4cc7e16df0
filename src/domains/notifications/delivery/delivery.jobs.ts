import type { Deps } from '../../../core/deps.js';
import type { RollingJob } from '../../../platform/jobs/rolling.js';
import { isServed } from '../../../platform/push/no-provider.js';
import { RECIPIENT_KINDS } from '../../../platform/push/push-transport.js';
import { observeUnserved } from './delivery.metrics.js';
import { ELSEWHERE } from './delivery.outcome.js';
import { expandDue, NEXT_NOTIFICATION } from './delivery.service.js';
import { DeliveryWorker } from './delivery.worker.js';
import { BATCH, countUnserved, nextDelivery } from './delivery-claim.service.js';
import { pruneDeliveries } from './delivery-prune.service.js';
import { collectReceipts } from './receipt.worker.js';

/**
 * Returns the jobs that deliver; one for each kind of recipient: none waits for another's provider.
 * Kinds without a provider are looked at seldom: what is queued for them can only be missed.
 */
export function deliveryJobs(deps: Deps): RollingJob[] {
  return [
    ...RECIPIENT_KINDS.flatMap((kind): RollingJob[] => {
      const worker = new DeliveryWorker(deps, kind);
      return [
        {
          name: `deliver ${kind}`,
          ...(isServed(deps.push[kind])
            ? { every: 500, awaits: nextDelivery(kind) }
            : { every: ELSEWHERE }),
          run: (stopping) => worker.run(stopping),
        },
        ...(deps.push[kind].receipts
          ? [
              {
                name: `receipts ${kind}`,
                every: 30_000,
                run: (stopping: AbortSignal) => collectReceipts(deps, kind, stopping),
              },
            ]
          : []),
      ];
    }),
    {
      name: 'plan deliveries',
      every: 500,
      awaits: NEXT_NOTIFICATION,
      run: (stopping) => expandAll(deps, stopping),
    },
    { name: 'count unserved devices', every: 5 * 60_000, run: () => showUnserved(deps) },
    {
      name: 'prune deliveries',
      every: 60 * 60_000,
      run: (stopping) => pruneDeliveries(deps, stopping),
    },
  ];
}

async function expandAll(deps: Deps, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted && (await expandDue(deps)) === BATCH);
}

async function showUnserved(deps: Deps): Promise<void> {
  const kinds = RECIPIENT_KINDS.filter((kind) => !isServed(deps.push[kind]));
  const counts = new Map(
    (await countUnserved(deps, kinds)).map(({ kind, count }) => [kind, count]),
  );
  for (const kind of kinds) observeUnserved(kind, counts.get(kind) ?? 0);
}
