import { randomUUID } from 'node:crypto';
import { accountKey } from '../../core/account-name.js';
import type { RequestContext } from '../../core/context.js';
import type { TemplateName, TemplateValues } from './templates.js';

/** A mail to send: its template, its language (BCP 47), and the values for its text. */
export interface QueuedMail<T extends TemplateName> {
  readonly to: string;
  readonly template: T;
  readonly language: string;
  readonly values: TemplateValues<T>;
  /**
   * The account that caused a mail to another person. With it the mail can be deleted while it is
   * queued.
   */
  readonly fromId?: number;
}

/**
 * Queues a mail in the transaction of the change that causes it. A job sends it. Throws outside of
 * a transaction.
 */
export async function queueMail<T extends TemplateName>(
  context: RequestContext,
  { to, template, language, values, fromId }: QueuedMail<T>,
): Promise<void> {
  if (!context.inTransaction) throw new Error('A mail is queued in the transaction of its cause.');
  const now = context.now();
  await context.db.outgoingMail.create({
    data: {
      id: randomUUID(),
      to,
      toKey: accountKey(to),
      fromId: fromId ?? null,
      template,
      language,
      values: JSON.stringify(values),
      createdAt: now,
      dueAt: now,
    },
    select: { id: true },
  });
}
