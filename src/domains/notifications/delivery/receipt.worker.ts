import type { Deps } from '../../../core/deps.js';
import type { Outcome, RecipientKind } from '../../../platform/push/push-transport.js';
import { observeTurn } from './delivery.metrics.js';
import { judge, RECEIPT_AFTER, type Verdict } from './delivery.outcome.js';
import { DeliveryState } from './delivery.state.js';
import { recordTurns } from './delivery.turn.js';
import { BATCH, claimReceipts, type Receiptable } from './delivery-claim.service.js';

/** Most receipts that one request asks for. */
const RECEIPTS = 300;
/** How long a provider keeps receipts, in milliseconds. */
const KEPT = 24 * 60 * 60_000;

/**
 * Asks what became of accepted deliveries, 15 minutes after they were sent and then every 15
 * minutes, for a day; returns how many it asked for.
 */
export async function collectReceipts(
  deps: Deps,
  kind: RecipientKind,
  stopping: AbortSignal,
): Promise<number> {
  const transport = deps.push[kind];
  let sum = 0;
  while (transport.receipts && !stopping.aborted) {
    const claim = await claimReceipts(deps, kind);
    const { deliveries } = claim;
    for (let i = 0; i < deliveries.length; i += RECEIPTS) {
      const chunk = deliveries.slice(i, i + RECEIPTS);
      const ids = chunk.map(({ ticket }) => ticket);
      const known = stopping.aborted
        ? new Map()
        : await transport.receipts(ids, { signal: AbortSignal.timeout(20_000) });
      await settle(deps, kind, claim.id, chunk, known);
    }
    sum += deliveries.length;
    if (deliveries.length < BATCH) break;
  }
  return sum;
}

async function settle(
  deps: Deps,
  kind: RecipientKind,
  claimId: string,
  chunk: readonly Receiptable[],
  known: ReadonlyMap<string, Outcome>,
): Promise<void> {
  const now = deps.clock();
  const turns = chunk.map((delivery) => ({
    ...delivery,
    ...verdictOf(delivery, known.get(delivery.ticket), now),
  }));
  await recordTurns(deps, claimId, turns);
  for (const { state } of turns) if (state !== DeliveryState.ACCEPTED) observeTurn(kind, state);
}

function verdictOf(delivery: Receiptable, outcome: Outcome | undefined, now: number): Verdict {
  if (outcome)
    return judge(
      outcome,
      {
        attempts: delivery.attempts,
        dueAt: delivery.dueAt.getTime(),
        expiresAt: delivery.expiresAt.getTime(),
      },
      now,
    );
  const waiting = now - delivery.sentAt.getTime() < KEPT;
  return {
    state: waiting ? DeliveryState.ACCEPTED : DeliveryState.SENT,
    nextAt: now + RECEIPT_AFTER,
    code: waiting ? '' : 'no_receipt',
    ticket: '',
    attempted: true,
  };
}
