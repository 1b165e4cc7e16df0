import { randomUUID } from 'node:crypto';
import { accountKey } from '../../core/account-name.js';
import type { RequestContext } from '../../core/context.js';
import type { Policy } from '../../platform/limits/limiter.js';
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
  mail: QueuedMail<T>,
): Promise<void> {
  await queueMails(context, [mail]);
}

/** Does the same for many mails, by one statement. */
export async function queueMails<T extends TemplateName>(
  context: RequestContext,
  mails: readonly QueuedMail<T>[],
): Promise<void> {
  if (!context.inTransaction) throw new Error('A mail is queued in the transaction of its cause.');
  const now = context.now();
  const data = mails.map(({ to, template, language, values, fromId }) => ({
    id: randomUUID(),
    to,
    toKey: accountKey(to),
    fromId: fromId ?? null,
    template,
    language,
    values: JSON.stringify(values),
    createdAt: now,
    dueAt: now,
  }));
  if (data.length > 0) await context.db.outgoingMail.createMany({ data });
}

/** How many notices of one template an address gets that nobody has proven. */
const TO_UNPROVEN: Policy = { name: 'notice', points: 5, seconds: 60 * 60 };

/**
 * Queues a notice of what somebody did with their own account, as `queueMail` does. Whoever signed
 * up with an address that is not proven may not be who reads its mails: it gets five notices of a
 * template in an hour, and no more. It is counted by address, so that another account of the same
 * address counts on.
 */
export async function queueNotice<T extends TemplateName>(
  context: RequestContext,
  mail: QueuedMail<T>,
  { emailProvenAt }: { readonly emailProvenAt: Date | null },
): Promise<void> {
  const { limits, tokens } = context.deps;
  if (!emailProvenAt && limits.on) {
    const key = tokens.fingerprint('notice', mail.template, accountKey(mail.to));
    if (!(await limits.limiter(TO_UNPROVEN).take(key, 1)).allowed) return;
  }
  await queueMail(context, mail);
}
