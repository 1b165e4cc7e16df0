import type { RequestContext } from '../../core/context.js';
import { DomainError, refuse } from '../../core/errors.js';
import { tooMany } from '../../core/quota.js';
import { hold, transact } from '../../core/transact.js';
import { type BreakGlassOutcome, observeBreakGlass } from '../../platform/metrics/metrics.js';
import { recordAudit } from '../audit/audit.service.js';
import { queueMail } from '../mail/mail.service.js';
import { countWithin, LIMITS, LONGEST, MOST, tellAdministrators } from './care-alarm.service.js';
import type { BreakGlassInput } from './care-assignment.inputs.js';
import { BreakGlass } from './care-assignment.types.js';

const HOUR = 60 * 60 * 1000;
/** How long broken glass stays open, in milliseconds. */
const OPEN_FOR = HOUR;

/**
 * Lets the viewer, a clinician or an administrator, into the care of any member for 60 minutes. The
 * member is told by mail and keeps the row; the reason is in the audit. At most 10 times an hour
 * and 30 a day (TOO_MANY_REQUESTS), refusals audited; administrators are told by mail at the fifth
 * time in an hour, the fifteenth in a day, and when a limit is met. MEMBER_NOT_FOUND.
 */
export async function breakGlass(
  context: RequestContext,
  input: BreakGlassInput,
): Promise<BreakGlass> {
  const id = await transact(context, (inner) => open(inner, input), { replayable: true }).catch(
    async (error: unknown) => {
      // The refusal took its transaction back: what is to be known of it is written in one of its
      // own.
      if (error instanceof TooOften)
        await transact(context, (inner) => noteRefusal(inner, input.memberId));
      throw error;
    },
  );
  return Object.assign(
    new BreakGlass(),
    await context.db.breakGlass.findUniqueOrThrow({ where: { id } }),
  );
}

class TooOften extends DomainError {}

async function open(
  context: RequestContext,
  { memberId, reason }: BreakGlassInput,
): Promise<number> {
  const clinicianId = context.viewer.id;
  await hold(context, `glass:${clinicianId}`); // so that the limit holds for those who come at once
  const people = await context.db.account.findMany({
    where: { id: { in: [memberId, clinicianId] } },
    select: { id: true, name: true, email: true, language: { select: { code: true } } },
  });
  const [member, clinician] = [memberId, clinicianId].map((id) =>
    people.find((person) => person.id === id),
  );
  if (!member || !clinician || member === clinician) {
    throw refuse('MEMBER_NOT_FOUND', 'There is no such account.', { param: 'memberId' });
  }
  const before = await latest(context);
  refuseTooMany(context, before);
  const createdAt = context.now();
  const data = {
    memberId,
    clinicianId,
    reason,
    createdAt,
    endsAt: new Date(createdAt.getTime() + OPEN_FOR),
  };
  const made = await context.db.breakGlass.create({ data, select: { id: true } });
  // Not the reason: it may say what the member has, and mails are read by others too.
  const values = { name: clinician.name, at: createdAt.toISOString() };
  if (member.email) {
    await queueMail(context, {
      to: member.email,
      template: 'break_glass',
      language: member.language.code,
      values,
    });
  }
  await recordAudit(context, {
    action: 'care.break_glass',
    subjectId: memberId,
    detail: { breakGlass: made.id, reason },
  });
  const all = [createdAt, ...before];
  const isUnusual = LIMITS.some(
    ({ within, unusual }) => countWithin(context, all, within) === unusual,
  );
  if (isUnusual) await alarm(context, 'unusual', countWithin(context, all, LONGEST));
  context.afterCommit(() => observe(context, 'opened', isUnusual));
  return made.id;
}

/** When the viewer last broke the glass, the newest first, as far as a limit asks. */
async function latest({ db, viewer, deps }: RequestContext): Promise<Date[]> {
  const since = new Date(deps.clock() - LONGEST);
  const where = { clinicianId: viewer.id, createdAt: { gt: since } };
  const rows = await db.breakGlass.findMany({
    where,
    select: { createdAt: true },
    orderBy: { createdAt: 'desc' },
    take: MOST,
  });
  return rows.map(({ createdAt }) => createdAt);
}

function refuseTooMany({ deps }: RequestContext, times: readonly Date[]): void {
  const waits = LIMITS.map(
    ({ within, most }) => (times[most - 1]?.getTime() ?? 0) + within - deps.clock(),
  );
  const wait = Math.max(...waits);
  const sentence =
    'You opened too many records of members who are not assigned to you. Ask an administrator ' +
    'to assign them.';
  if (wait > 0) throw new TooOften(tooMany('break-glass', wait, sentence));
}

/** Audits a refusal; administrators are told of the first within an hour. */
async function noteRefusal(context: RequestContext, memberId: number): Promise<void> {
  await hold(context, `glass:${context.viewer.id}`);
  const action = 'care.break_glass_refused';
  const where = {
    actorId: context.viewer.id,
    action,
    at: { gt: new Date(context.deps.clock() - HOUR) },
  };
  const isFirst = (await context.db.auditEvent.count({ where })) === 0;
  await recordAudit(context, { action, subjectId: memberId });
  if (isFirst) await alarm(context, 'limit', (await latest(context)).length);
  context.afterCommit(() => observe(context, 'refused', isFirst));
}

/** Tells every administrator by mail, and the audit. */
async function alarm(
  context: RequestContext,
  why: 'unusual' | 'limit',
  count: number,
): Promise<void> {
  await tellAdministrators(context, 'break_glass_alarm', count);
  await recordAudit(context, {
    action: 'care.break_glass_alarm',
    subjectId: null,
    detail: { why, count },
  });
}

function observe(
  { deps, viewer }: RequestContext,
  outcome: BreakGlassOutcome,
  alarmed: boolean,
): void {
  observeBreakGlass(outcome, alarmed);
  if (alarmed)
    deps.log.warn({ account: viewer.id, outcome }, 'an account breaks the glass unusually often');
}
