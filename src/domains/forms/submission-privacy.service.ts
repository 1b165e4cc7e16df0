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

/** Deletes the submissions of an account, for its erasure. */
export async function forgetSubmissions(context: RequestContext, accountId: number): Promise<void> {
  await context.db.formSubmission.deleteMany({ where: await ofAccount(context, accountId) });
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
