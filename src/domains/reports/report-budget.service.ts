import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { transact } from '../../core/transact.js';
import { recordAudit } from '../audit/audit.service.js';
import type { Subject } from './catalogue/subject.js';
import { dayAfter } from './period.js';
import type { ReportArgs } from './report.inputs.js';
import type { ReportSelection } from './selected.js';

/** Questions about all members that an account may ask in 30 days, today included. */
export const MOST_QUESTIONS = 3_000;
const DAYS = 30;

/**
 * Charges the viewer for a question about all members, and writes it to the audit, in one
 * transaction: a result is shown only when both are stored. Throws REPORT_BUDGET_SPENT.
 */
export async function chargeQuestion(
  context: RequestContext,
  subject: Subject,
  args: ReportArgs,
  asked: ReportSelection,
): Promise<void> {
  const today = context.now().toISOString().slice(0, 10);
  const accountId = context.viewer.id;
  const rows = asked.get('rows');
  const by = subject.dimensions.map(({ name }) => name).filter((name) => rows?.has(name));
  await transact(context, async (inner) => {
    await inner.db.$executeRaw`INSERT INTO report_spend (account_id, day, questions)
      VALUES (${accountId}, ${today}::date, 1)
      ON CONFLICT (account_id, day) DO UPDATE SET questions = report_spend.questions + 1`;
    await inner.db.$executeRaw`DELETE FROM report_spend
      WHERE account_id = ${accountId} AND day <= ${dayAfter(today, -DAYS)}::date`;
    const [spent] = await inner.db.$queryRaw<{ questions: number }[]>`
      SELECT sum(questions)::int AS questions FROM report_spend WHERE account_id = ${accountId}`;
    if ((spent?.questions ?? 0) > MOST_QUESTIONS)
      throw refuse(
        'REPORT_BUDGET_SPENT',
        `${MOST_QUESTIONS} questions were asked in ${DAYS} days. Ask again tomorrow.`,
      );
    const detail = {
      subject: subject.name,
      by: by.join(' '),
      from: args.from ?? '',
      to: args.to ?? '',
      filter: JSON.stringify(args.filter ?? {}).slice(0, 1_000),
    };
    await recordAudit(inner, { action: 'report.read', detail });
  });
}
