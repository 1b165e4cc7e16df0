import type { Deps } from '../../core/deps.js';
import { prune } from '../../core/pruning.js';
import type { Site } from '../../core/site.js';
import { Prisma } from '../../generated/prisma/client.js';
import { countMails, type MailOutcome, observeMail } from '../../platform/mail/mail-metrics.js';
import { MailError, type MailTransport } from '../../platform/mail/mail-transport.js';
import { inCall } from '../../platform/tracing/tracing.js';
import { renderMail } from './mail-rendering.js';
import { transportOf } from './mailbox-access.service.js';
import type { Template } from './template.js';
import { TEMPLATES, templateOf } from './templates.js';

const MINUTE = 60_000;
/** Number of mails that a process sends at the same time, unless the transport takes fewer. */
const AT_ONCE = 10;
/** Maximum number of mails in one run. */
const MOST = 100;
/**
 * Twice the time that any transport takes for a mail. After it, the process that claimed the mail
 * is assumed to be dead. Milliseconds.
 */
const LEASE = 1.5 * MINUTE;
/** Number of tries after which the wait between tries grows no more: it is 128 minutes then. */
const TRIES = 8;
/** Claims after which a mail is given up: the process died in many of them, since failures count to TRIES. */
const MOST_CLAIMS = 2 * TRIES;
/**
 * Reasons that are about the mail itself: it is refused for good, or cannot be made. Of an SMTP server
 * these are refusals of the recipient or of the content, by the subjects of RFC 3463 (addressing, mailbox,
 * content) where it names one. Others are about the way that it goes, which somebody mends.
 */
const ABOUT_MAIL =
  /^(?:(?:EENVELOPE 5\d\d RCPT TO|EMESSAGE 5\d\d DATA)(?: 5\.(?:1\.[0-6]|[26]\.\d+))?|GRAPH 4(?:00|13|22)|ERROR)$/;
/** How long the end of a process waits for the mails that it is sending. Milliseconds. */
const PATIENCE = 8_500;
/** After PATIENCE, the process ends within this time. Milliseconds. */
const END = 1_000;
/** Number of mails, of those that have been due longest, that a claim chooses among. */
const CHOICE = 500;
const DAY = 24 * 60 * MINUTE;
/** Longest wait that a server may ask for, in milliseconds. */
const LONGEST_WAIT = 10 * MINUTE;
/** Somebody waits for the mails of these templates: they go first. */
const URGENT = Object.entries<Template>(TEMPLATES)
  .filter(([, { lifetime }]) => lifetime <= 10 * MINUTE)
  .map(([name]) => name);

countMails(Object.keys(TEMPLATES));

interface ClaimedMail {
  readonly id: string;
  readonly to: string;
  readonly template: string;
  readonly language: string;
  readonly values: string;
  readonly createdAt: Date;
  readonly attempts: number;
}

/** SQL of the instant at which the first mail is due. */
export const NEXT_MAIL = 'SELECT min(due_at) FROM outgoing_mail';

/** SQL of the mails that are due and not yet sent, with those that wait for another try: see `Queue`. */
export const WAITING_MAILS = `
  SELECT CASE WHEN due_at <= $1::timestamptz THEN due_at END AS since FROM outgoing_mail
  WHERE due_at IS NOT NULL AND (due_at <= $1::timestamptz OR attempts > 0) ORDER BY due_at`;

/**
 * Sends the mails that are due. Returns how many were tried. It may run in several processes and be
 * killed at any point: a claimed mail belongs to its process until its lease ends. After a crash
 * between sending and recording, that one mail is sent again with the same Message-ID. Once
 * `stopping` is aborted, no more are claimed, and those that take longer than `patience`, in
 * milliseconds, are given back, to be sent by another process under the same Message-ID. `pauses` has
 * the instants until which a kind of transport takes nothing from this process, which a run writes and
 * the next ones keep.
 */
export async function sendDueMails(
  deps: Deps,
  stopping: AbortSignal = new AbortController().signal,
  patience = PATIENCE,
  pauses: Pauses = new Map(),
): Promise<number> {
  const ending = { stopping, patience };
  let tried = 0;
  while (tried < MOST && !stopping.aborted) {
    if (!(await isAnyDue(deps))) break;
    const transport = await transportOf(deps);
    if (!transport || (pauses.get(transport.kind) ?? 0) > deps.clock()) break;
    const { atOnce = AT_ONCE } = transport;
    const mails = await claim(deps, atOnce);
    const site = await deps.readSite();
    const waits = await Promise.all(
      mails.map((mail) => attempt(deps, transport, site, mail, ending)),
    );
    tried += mails.length;
    const wait = Math.max(0, ...waits);
    if (wait > 0) pauses.set(transport.kind, deps.clock() + wait);
    if (mails.length < atOnce || wait > 0) break;
  }
  return tried;
}

/** Instants in milliseconds, by the kind of a transport. */
export type Pauses = Map<MailTransport['kind'], number>;

/** Returns the job that sends mails, which keeps the pauses of transports from run to run. */
export function mailJob(deps: Deps): (stopping: AbortSignal) => Promise<number> {
  const pauses: Pauses = new Map();
  return (stopping) => sendDueMails(deps, stopping, PATIENCE, pauses);
}

/** When a run has to end: `patience` milliseconds after `stopping` is aborted. */
interface Ending {
  readonly stopping: AbortSignal;
  readonly patience: number;
}

class ProcessEnds extends Error {}

/** Returns what a send returns. Throws ProcessEnds when the run has to end before. */
async function untilEnd<T>({ stopping, patience }: Ending, sending: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let wait = () => {};
  const end = new Promise<never>((_, reject) => {
    wait = () => {
      timer = setTimeout(() => reject(new ProcessEnds()), patience);
    };
  });
  if (stopping.aborted) wait();
  else stopping.addEventListener('abort', wait, { once: true });
  try {
    return await Promise.race([sending, end]);
  } finally {
    stopping.removeEventListener('abort', wait);
    clearTimeout(timer);
  }
}

/** Deletes mails after KEEP_MAILS_DAYS, sent or not. Returns how many. */
export async function pruneMails(
  { database, clock, config }: Pick<Deps, 'database' | 'clock' | 'config'>,
  stopping?: AbortSignal,
): Promise<number> {
  const where = Prisma.sql`created_at < ${new Date(clock() - config.KEEP_MAILS_DAYS * DAY)}`;
  const by = Prisma.sql`created_at`;
  return prune(database.db, { table: Prisma.sql`outgoing_mail`, where, by }, stopping);
}

async function isAnyDue({ database, clock }: Deps): Promise<boolean> {
  const due = await database.query('SELECT 1 FROM outgoing_mail WHERE due_at <= $1 LIMIT 1', [
    new Date(clock()),
  ]);
  return due.length > 0;
}

/**
 * Claims mails that are due, each for one attempt, of those that somebody waits for and of the CHOICE
 * that have been due longest: those that somebody waits for, then those that were not tried before, then
 * those that have been due longest. Until the lease ends they are not due for other processes.
 */
async function claim({ database, clock }: Deps, most: number): Promise<ClaimedMail[]> {
  const now = clock();
  const { text, values } = Prisma.sql`
    UPDATE outgoing_mail SET due_at = ${new Date(now + LEASE)}, attempts = attempts + 1
    WHERE id IN (
      SELECT id FROM outgoing_mail WHERE due_at <= ${new Date(now)} AND id = ANY(ARRAY(
        (SELECT id FROM outgoing_mail WHERE due_at <= ${new Date(now)} ORDER BY due_at LIMIT ${CHOICE}::int)
        UNION ALL
        (SELECT id FROM outgoing_mail
          WHERE created_at > ${new Date(now - 10 * MINUTE)} AND template = ANY(${URGENT}::text[])
            AND due_at <= ${new Date(now)} ORDER BY created_at DESC LIMIT ${CHOICE}::int)
      ))
      ORDER BY template <> ALL(${URGENT}::text[]), attempts > 0, due_at LIMIT ${most}::int
      FOR UPDATE SKIP LOCKED
    )
    RETURNING id::text, "to", template, language, "values", created_at AS "createdAt", attempts`;
  return database.query<ClaimedMail>(text, values);
}

/**
 * Tries a mail, and records the result. Returns for how many milliseconds the server takes no more: 0
 * unless it has said so.
 */
async function attempt(
  deps: Deps,
  transport: MailTransport,
  site: Site,
  mail: ClaimedMail,
  ending: Ending,
): Promise<number> {
  const template = templateOf(mail.template);
  const deadline = mail.createdAt.getTime() + (template?.lifetime ?? 0);
  const end = (outcome: MailOutcome, result: Result = {}, pause = 0) =>
    record(deps, mail, outcome, result).then(() => pause);
  if (!template || deadline <= deps.clock()) return end('expired');
  if (mail.attempts > MOST_CLAIMS) return end('given_up', { reason: 'CRASHED' });
  const { id, to, language, createdAt: date } = mail;
  const values = {
    site: site.title,
    end: new Date(deadline).toISOString(),
    ...(JSON.parse(mail.values) as Record<string, string>),
  };
  try {
    const { wordings } = template;
    const rendered = renderMail(wordings, language, values, site.timeZone);
    await inCall('mail', () => untilEnd(ending, transport.send({ id, date, to, ...rendered })));
  } catch (error) {
    if (error instanceof ProcessEnds) return giveBack(deps, mail).then(() => 0);
    const { reason, after } = error instanceof MailError ? error : { reason: 'ERROR' };
    const wait =
      after === undefined
        ? MINUTE * 2 ** (Math.min(mail.attempts, TRIES) - 1)
        : Math.min(after, LONGEST_WAIT);
    const next = deps.clock() + wait;
    const hasRoom = after === undefined;
    const pause = hasRoom ? 0 : wait;
    const isRejected = hasRoom && ABOUT_MAIL.test(reason);
    if (isRejected && mail.attempts >= TRIES) return end('given_up', { reason });
    if (next >= deadline) return end('expired', { reason }, pause);
    return end(
      isRejected ? 'rejected' : 'failed',
      { reason, next: new Date(next), isTry: hasRoom },
      pause,
    );
  }
  return end('sent');
}

/**
 * Makes a claimed mail due as soon as this process has ended, which is still sending it, unless the
 * lease has ended and another process has the mail.
 */
async function giveBack({ database, clock }: Deps, { id, attempts }: ClaimedMail): Promise<void> {
  await database.db.$executeRaw`
    UPDATE outgoing_mail SET due_at = ${new Date(clock() + END)}, attempts = attempts - 1
    WHERE id = ${id}::uuid AND attempts = ${attempts} AND due_at IS NOT NULL`;
}

/** What is known of an attempt besides its outcome. */
interface Result {
  readonly reason?: string;
  /** When the mail is tried again. Default: never. */
  readonly next?: Date | null;
  /** False: the server had no room for it, which does not count as an attempt. Default: true. */
  readonly isTry?: boolean;
}

/**
 * Records the result of an attempt, unless the lease has ended and another process has the mail.
 * The values are kept only for a next attempt. Failed attempts beyond TRIES are not counted: what is
 * counted beyond are those that a process died in.
 */
async function record(
  { database, clock, log }: Deps,
  { id, template, attempts }: ClaimedMail,
  outcome: MailOutcome,
  { reason, next = null, isTry = true }: Result,
): Promise<void> {
  const sentAt = outcome === 'sent' ? new Date(clock()) : null;
  const counted = next ? Math.min(attempts, TRIES - 1) : attempts;
  await database.db.$executeRaw`
    UPDATE outgoing_mail SET due_at = ${next}, sent_at = ${sentAt}, "values" = CASE
      WHEN ${next === null} THEN '{}' ELSE "values" END,
      attempts = ${isTry ? counted : attempts - 1}
    WHERE id = ${id}::uuid AND attempts = ${attempts} AND due_at IS NOT NULL`;
  observeMail(templateOf(template) ? template : 'unknown', outcome);
  if (outcome === 'sent') return;
  const lost = outcome === 'given_up' || outcome === 'expired';
  log[lost ? 'error' : 'warn'](
    { mail: id, template, attempts, reason, outcome },
    lost ? 'mail lost' : 'mail not sent yet',
  );
}
