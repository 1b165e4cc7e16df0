import { createHash } from 'node:crypto';
import type { RequestContext } from '../../../core/context.js';
import { hold } from '../../../core/transact.js';
import type { StoredTexts } from './medicine-text.sql.js';
import type { ReminderKind } from './reminder.service.js';

/** How long after a create the same create is a retry, in milliseconds. */
const RETRY_WITHIN = 24 * 60 * 60_000;

/** The columns of a reminder that are kept as they were sent. */
export interface Sent extends StoredTexts {
  readonly name: string;
  readonly frequencyType?: string | null | undefined;
  readonly startDate?: string | null | undefined;
  readonly endDate?: string | null | undefined;
  readonly remindBefore?: string | null | undefined;
  readonly eventType?: string | null | undefined;
  readonly schedule?: string | null;
}

/** What every digest has, null when it was not sent. What comes later is no part of this list. */
const DIGESTED = [
  'description',
  'medicineType',
  'frequencyType',
  'startDate',
  'endDate',
  'createdDate',
  'eventType',
] as const satisfies readonly (keyof Sent)[];

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
 * null without `created_date`. A field that was not sent changes no digest, and neither does the
 * order of the fields.
 */
export function fingerprintOf({ kind, accountId, sent }: Created): string | null {
  if (!sent.createdDate) return null;
  return createHash('sha256')
    .update(JSON.stringify([kind, accountId, digested(sent)]))
    .digest('base64url');
}

function digested({ name, ...sent }: Sent): object {
  const always = DIGESTED.map((field) => [field, sent[field] ?? null] as const);
  const others = Object.entries(sent)
    .filter(([field, value]) => !DIGESTED.some((one) => one === field) && value != null)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return { name, ...Object.fromEntries([...always, ...others]) };
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
