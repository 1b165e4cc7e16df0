import type { Deps } from '../../../core/deps.js';
import type { RollingJob } from '../../../platform/jobs/rolling.js';
import { TOKEN_KINDS } from '../../../platform/push/push-transport.js';
import { observeDue } from './delivery.metrics.js';
import { expandDue } from './delivery.service.js';
import { DeliveryWorker } from './delivery.worker.js';
import { BATCH, countDue } from './delivery-claim.service.js';
import { pruneDeliveries } from './delivery-prune.service.js';
import { collectReceipts } from './receipt.worker.js';

/** The jobs that deliver pushes; one for each kind of device: none waits for another's provider. */
export function deliveryJobs(deps: Deps): RollingJob[] {
  return [
    ...TOKEN_KINDS.flatMap((kind): RollingJob[] => {
      const worker = new DeliveryWorker(deps, kind);
      return [
        { name: `deliver ${kind}`, every: 500, run: (stopping) => worker.run(stopping) },
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
    { name: 'plan deliveries', every: 500, run: (stopping) => expandAll(deps, stopping) },
    { name: 'count due deliveries', every: 15_000, run: () => showDue(deps) },
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

async function showDue(deps: Deps): Promise<void> {
  const counts = new Map((await countDue(deps)).map(({ kind, count }) => [kind, count]));
  for (const kind of TOKEN_KINDS) observeDue(kind, counts.get(kind) ?? 0);
}
