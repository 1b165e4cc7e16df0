import type { RequestContext } from '../../core/context.js';
import { forgetDeletionsAbout } from '../../core/transact.js';
import { emailHashes, openPerson } from './submission-seal.js';

/** Whose submissions those are that an account sent, or that have its address. */
interface Sender {
  readonly accountId: number;
  /** Hashes of its address, if that is proven. */
  readonly hashes: readonly string[];
}

async function senderOf({ db, deps }: RequestContext, accountId: number): Promise<Sender> {
  const account = await db.account.findUnique({
    where: { id: accountId },
    select: { email: true, emailProvenAt: true },
  });
  const email = account?.emailProvenAt ? account.email : null;
  return { accountId, hashes: email ? emailHashes(deps.keys, email) : [] };
}

const senderIs = ({ accountId, hashes }: Sender) => ({
  OR: [{ accountId }, { emailHash: { in: [...hashes] } }],
});

/** Deletes the submissions of an account, for its erasure, and what reports would keep of them. */
export async function forgetSubmissions(context: RequestContext, accountId: number): Promise<void> {
  const sender = await senderOf(context, accountId);
  const where = senderIs(sender);
  const { db } = context;
  const select = { id: true, receivedAt: true };
  const rows = await db.formSubmission.findMany({ where, select });
  const ids = rows.map(({ id }) => id);
  const times = rows.map(({ receivedAt }) => receivedAt.toISOString());
  await db.$executeRaw`DELETE FROM form_submission WHERE id = ANY(${ids}::int[])`;
  // Reports count again who sent them, each anonymous one as a sender of its own.
  await db.$queryRaw`WITH gone AS (DELETE FROM report_kept k
      USING unnest(${ids}::int[], ${times}::timestamptz[]) AS s(id, at)
      WHERE k.subject = 'form' AND k.at = s.at AND (k.fact ->> 'id')::int = s.id
      RETURNING coalesce(k.account_id, -s.id) AS sender, k.at)
    SELECT count(report_note('form', sender, ARRAY(
      SELECT date_trunc('month', at AT TIME ZONE 'UTC' + day)::date
      FROM unnest('{-1 day,1 day}'::interval[]) AS day))) FROM gone`;
  await forgetDeletionsAbout(context, sender.hashes);
}

/** Returns the submissions of an account. */
export async function exportSubmissions(
  context: RequestContext,
  accountId: number,
): Promise<object[]> {
  const rows = await context.db.formSubmission.findMany({
    where: senderIs(await senderOf(context, accountId)),
    orderBy: { id: 'asc' },
  });
  return rows.map((row) => ({
    id: row.id,
    formId: row.formId,
    receivedAt: row.receivedAt,
    platform: row.platform,
    marks: row.marks,
    ...openPerson(context.deps.keys, row),
  }));
}
