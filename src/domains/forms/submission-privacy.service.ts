import type { RequestContext } from '../../core/context.js';
import { emailHashes, openPerson } from './submission-seal.js';

/** The submissions of an account: those it sent, and those with its address, if that is proven. */
async function ofAccount({ db, deps }: RequestContext, accountId: number) {
  const account = await db.account.findUnique({
    where: { id: accountId },
    select: { email: true, emailProvenAt: true },
  });
  const email = account?.emailProvenAt ? account.email : null;
  const hashes = email ? emailHashes(deps.keys, email) : [];
  return { OR: [{ accountId }, { emailHash: { in: hashes } }] };
}

/** Deletes the submissions of an account, for its erasure, and what reports would keep of them. */
export async function forgetSubmissions(context: RequestContext, accountId: number): Promise<void> {
  const where = await ofAccount(context, accountId);
  const { db } = context;
  const select = { id: true, receivedAt: true };
  const rows = await db.formSubmission.findMany({ where, select });
  const ids = rows.map(({ id }) => id);
  const times = rows.map(({ receivedAt }) => receivedAt.toISOString());
  await db.$executeRaw`DELETE FROM form_submission WHERE id = ANY(${ids}::int[])`;
  await db.$executeRaw`DELETE FROM report_kept k
    USING unnest(${ids}::int[], ${times}::timestamptz[]) AS s(id, at)
    WHERE k.subject = 'form' AND k.at = s.at AND (k.fact ->> 'id')::int = s.id`;
}

/** Returns the submissions of an account. */
export async function exportSubmissions(
  context: RequestContext,
  accountId: number,
): Promise<object[]> {
  const rows = await context.db.formSubmission.findMany({
    where: await ofAccount(context, accountId),
    orderBy: { id: 'asc' },
  });
  return rows.map((row) => ({
    id: row.id,
    formId: row.formId,
    receivedAt: row.receivedAt,
    platform: row.platform,
    ...openPerson(context.deps.keys, row),
  }));
}
