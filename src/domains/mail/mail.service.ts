import { randomUUID } from 'node:crypto';
import type { RequestContext } from '../../context.js';

/** A mail that is due: which text it bears (`template`), in which language (BCP 47), and what its text names. */
export interface QueuedMail {
  readonly to: string;
  readonly template: string;
  readonly language: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Queues a mail in the transaction of the change that causes it; a job sends it. Throws outside of a transaction. */
export async function queueMail(context: RequestContext, { to, template, language, values }: QueuedMail): Promise<void> {
  if (!context.inTransaction) throw new Error('A mail is queued in the transaction of its cause.');
  const now = context.now();
  await context.db.outgoingMail.create({
    data: { id: randomUUID(), to, template, language, values: JSON.stringify(values), createdAt: now, dueAt: now },
    select: { id: true },
  });
}
