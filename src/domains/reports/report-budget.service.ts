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

interface AskedQuestion {
  readonly subject: Subject;
  readonly args: ReportArgs;
  readonly asked: ReportSelection;
}

/** Questions of contexts that are charged at the end. */
const waiting = new WeakMap<RequestContext, AskedQuestion[]>();

/**
 * Charges the viewer for a question about all members, and writes it to the audit, in one
 * transaction: a result is shown only when both are stored. Throws REPORT_BUDGET_SPENT.
 */
export async function chargeQuestion(
  context: RequestContext,
  question: AskedQuestion,
): Promise<void> {
  const others = waiting.get(context);
  if (others) others.push(question);
  else await charge(context, [question]);
}

/**
 * Charges the viewer for a question that is refused, as `chargeQuestion` does, whatever becomes of the
 * others of its document.
 */
export const chargeRefused = (context: RequestContext, question: AskedQuestion): Promise<void> =>
  charge(context, [question]);

/**
 * Runs what asks questions in a context of its own, and charges for all of them when it is through:
 * nothing but for refused ones when it throws. Throws REPORT_BUDGET_SPENT too.
 */
export async function chargedAtOnce<T>(context: RequestContext, ask: () => Promise<T>): Promise<T> {
  const questions: AskedQuestion[] = [];
  waiting.set(context, questions);
  const result = await ask();
  if (questions.length > 0) await charge(context, questions);
  return result;
}

async function charge(context: RequestContext, questions: readonly AskedQuestion[]): Promise<void> {
  const today = context.now().toISOString().slice(0, 10);
  const accountId = context.viewer.id;
  await transact(context, async (inner) => {
    await inner.db.$executeRaw`INSERT INTO report_spend (account_id, day, questions)
      VALUES (${accountId}, ${today}::date, ${questions.length}::int)
      ON CONFLICT (account_id, day)
        DO UPDATE SET questions = report_spend.questions + excluded.questions`;
    await inner.db.$executeRaw`DELETE FROM report_spend
      WHERE account_id = ${accountId} AND day <= ${dayAfter(today, -DAYS)}::date`;
    const [spent] = await inner.db.$queryRaw<{ questions: number }[]>`
      SELECT sum(questions)::int AS questions FROM report_spend WHERE account_id = ${accountId}`;
    if ((spent?.questions ?? 0) > MOST_QUESTIONS)
      throw refuse(
        'REPORT_BUDGET_SPENT',
        `${MOST_QUESTIONS} questions were asked in ${DAYS} days. Ask again tomorrow.`,
      );
    for (const question of questions)
      await recordAudit(inner, { action: 'report.read', detail: detailOf(question) });
  });
}

/** Texts of the audit are cut there. */
const LONGEST = 1_000;

/** Returns what was asked, as the audit keeps it: what is not given is left out. */
function detailOf({ subject, args, asked }: AskedQuestion): Record<string, string> {
  const rows = asked.get('rows');
  const names = [...subject.dimensions, ...(subject.labels ?? [])].map(({ name }) => name);
  const { from, to, range, compare, top, filter } = args;
  return {
    subject: subject.name,
    by: names.filter((name) => rows?.has(name)).join(' '),
    from: from ?? '',
    to: to ?? '',
    ...(range && { range }),
    ...(compare && { compare }),
    ...(top && { top: [top.count, top.by, top.of].filter(Boolean).join(' ') }),
    filter: JSON.stringify(filter ?? {}).slice(0, LONGEST),
  };
}
