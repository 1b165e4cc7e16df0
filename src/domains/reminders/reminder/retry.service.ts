import { createHash } from 'node:crypto';
import type { RequestContext } from '../../../core/context.js';
import { hold } from '../../../core/transact.js';
import type { ReminderKind } from './reminder.service.js';

/** How long after a create the same create is a retry, in milliseconds. */
const RETRY_WITHIN = 24 * 60 * 60_000;

/** The columns of a reminder that are kept as they were sent. */
export interface Sent {
  name: string;
  description?: string | null | undefined;
  medicineType?: string | null | undefined;
  frequencyType?: string | null | undefined;
  startDate?: string | null | undefined;
  endDate?: string | null | undefined;
  createdDate?: string | null | undefined;
  remindBefore?: string | null | undefined;
  eventType?: string | null | undefined;
  /** Only where one was sent: the digests of what has none stay as they were. */
  schedule?: string | null;
}

/** What was sent to make a reminder. */
interface Created {
  readonly kind: ReminderKind;
  readonly accountId: number;
  readonly sent: Sent;
}

/** Fields as columns: what was not sent is null. */
export function stored({ name, ...sent }: Sent): Sent {
  const values = Object.entries(sent).map(([field, value]) => [field, value ?? null]);
  return { name, ...Object.fromEntries(values) };
}

/**
 * Returns a digest of all fields that were sent, by which the retry of a legacy client is found;
 * null without `created_date`.
 */
export function fingerprintOf({ kind, accountId, sent }: Created): string | null {
  if (!sent.createdDate) return null;
  return createHash('sha256')
    .update(JSON.stringify([kind, accountId, stored(sent)]))
    .digest('base64url');
}

/**
 * Returns the id of the reminder that the viewer made of the same fields within 24 hours, unless it
 * was edited since. Creates with the same fingerprint wait for each other.
 */
export async function retried(
  context: RequestContext,
  fingerprint: string,
  now: Date,
): Promise<number | undefined> {
  const { db, viewer } = context;
  await hold(context, `reminder:${viewer.id}:${fingerprint}`);
  const since = new Date(now.getTime() - RETRY_WITHIN);
  const row = await db.reminder.findFirst({
    where: { creatorId: viewer.id, fingerprint, createdAt: { gt: since }, deletedAt: null },
    orderBy: { id: 'desc' },
    select: { id: true },
  });
  return row?.id;
}
