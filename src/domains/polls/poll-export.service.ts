import type { RequestContext } from '../../core/context.js';

/** Returns what an account answered to polls, and the statements that it agreed to. */
export async function exportPollAnswers(
  { db }: RequestContext,
  accountId: number,
): Promise<{ readonly submissions: object[]; readonly agreements: object[] }> {
  const poll = { select: { id: true, question: true, statement: true } } as const;
  const submissions = await db.pollSubmission.findMany({
    where: { accountId },
    orderBy: { pollId: 'asc' },
    select: { optionIds: true, submittedAt: true, poll },
  });
  const agreements = await db.pollAgreement.findMany({
    where: { accountId },
    orderBy: { pollId: 'asc' },
    select: { agreedAt: true, poll },
  });
  return { submissions, agreements };
}
