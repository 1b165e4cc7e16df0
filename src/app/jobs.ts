import type { GraphQLSchema } from 'graphql';
import type { RequestContext } from '../core/context.js';
import type { Deps } from '../core/deps.js';
import { prunePublicChanges } from '../core/public-changes.js';
import { serviceContext } from '../core/service-context.js';
import { forgetRetries } from '../core/transact.js';
import { sealAudit } from '../domains/audit/chain/sealing.service.js';
import { forgetInvitations } from '../domains/care/care-invitation.service.js';
import { pruneContentChanges } from '../domains/content/change/change-list.service.js';
import { proveCountsHourly, tendCounts } from '../domains/content/item/item-count.service.js';
import { NEXT_PUBLICATION, publishDue } from '../domains/content/item/publishing.service.js';
import { orderTitles } from '../domains/content/item/title-order.service.js';
import { handoverJobs } from '../domains/dispatch/handover.jobs.js';
import { deleteFiles } from '../domains/files/kept/file-deletion.service.js';
import { tendSubmissions } from '../domains/forms/submission-tending.service.js';
import { pruneConnectionAttempts } from '../domains/mail/connection.service.js';
import { resealConnection } from '../domains/mail/mailbox-access.service.js';
import { mailJob, NEXT_MAIL, pruneMails } from '../domains/mail/sending.service.js';
import { emptyModelTrash } from '../domains/models/definition/model-trash.service.js';
import { resealChannels } from '../domains/notifications/channel/channel-keys.service.js';
import { deliveryJobs } from '../domains/notifications/delivery/delivery.jobs.js';
import {
  issueResetCodes,
  NEXT_RESET,
  pruneResets,
} from '../domains/passwords/reset-code.service.js';
import { eraseIdleGuests, forgetOldSessions } from '../domains/privacy/erasure.service.js';
import { pruneAlerts } from '../domains/reminders/alert/alert-prune.service.js';
import { planDue } from '../domains/reminders/alert/plan-due.service.js';
import { keepMeanings } from '../domains/reminders/reminder/phrase-meaning.service.js';
import { rereadPhrases } from '../domains/reminders/reminder/reread.service.js';
import { siteZoneJob } from '../domains/reminders/setting/site-zone.service.js';
import { zoneDataJob } from '../domains/reminders/setting/zone-data.service.js';
import { pruneReportEmbeds } from '../domains/reports/embedded/report-embed.service.js';
import { mailReports } from '../domains/reports/mailing/report-mails.service.js';
import { pruneRollups, renewRollups } from '../domains/reports/rollup/rollup.service.js';
import {
  mailSignInCodes,
  NEXT_SIGN_IN_CODE,
} from '../domains/sign-in/code/sign-in-code.service.js';
import { pruneSignInLimits } from '../domains/sign-in/limits/sign-in-limits.service.js';
import { forgetExpiredTokens } from '../domains/sign-in/provider/provider-sign-in.service.js';
import { widenIds } from '../platform/database/widening.js';
import { DueWork } from '../platform/jobs/due-work.js';
import type { RollingJob } from '../platform/jobs/rolling.js';
import { inJob } from '../platform/tracing/tracing.js';
import type { App } from './app.js';
import { queueJob } from './queues.js';
import { makeHistory } from './seed/demo-history.js';

const HOUR = 60 * 60 * 1000;

/**
 * Returns the background jobs. Every process runs all of them. A process whose clock differs too
 * much from the database's (see `WatchedClock`) does nothing and leaves the work to others. A job
 * that awaits work runs when there is some (see `DueWork`). `docs/operating.md` says what each reads,
 * and what happens at a time limit.
 */
export function jobsOf({ deps, schema }: Pick<App, 'deps' | 'schema'>): RollingJob[] {
  const jobs = allJobs(deps, schema);
  const work = new DueWork(deps.database, deps.clock, jobs);
  return jobs.map((job) => ({
    ...job,
    run: async (stopping) => {
      if (work.rests(job) || !(await deps.watch.check())) return undefined;
      return (await work.isDue(job)) ? inJob(job.name, () => job.run(stopping)) : undefined;
    },
  }));
}

/** Over 40 lines: it is one list with an entry for each job. */
function allJobs(deps: Deps, schema: GraphQLSchema): RollingJob[] {
  return [
    // Alerts are planned 36 to 48 hours ahead.
    { name: 'plan', every: 60_000, run: (stopping) => planDue(deps, { stopping }) },
    { name: 'zone data', every: 10_000, run: zoneDataJob(deps) },
    { name: 'site zone', every: 60_000, run: siteZoneJob(deps) },
    {
      name: 'meanings of phrases',
      every: HOUR,
      run: async (stopping) => keepMeanings(await serviceContext(deps, 'meanings'), stopping),
    },
    {
      name: 'reading of phrases',
      every: HOUR,
      run: async (stopping) => rereadPhrases(await serviceContext(deps, 'reading'), stopping),
    },
    { name: 'prune occurrences', every: HOUR, run: (stopping) => pruneAlerts(deps, stopping) },
    // A post appears at most 2 s after its time.
    { name: 'publish', every: 2_000, awaits: NEXT_PUBLICATION, run: () => publishDue(deps) },
    // A sign-in code is sent at most 1 s after the request.
    {
      ...inContext(deps, 'sign-in codes', 1_000, mailSignInCodes),
      awaits: NEXT_SIGN_IN_CODE,
    },
    {
      name: 'counts of items',
      every: 10_000,
      run: async (stopping) => tendCounts(await serviceContext(deps, 'counts'), stopping),
    },
    {
      name: 'proof of counts',
      every: HOUR / 6,
      run: async (stopping) => proveCountsHourly(await serviceContext(deps, 'counts'), stopping),
    },
    {
      name: 'order of titles',
      every: HOUR,
      run: (stopping) => orderTitles(deps, stopping),
    },
    {
      name: 'wide ids',
      every: 60_000,
      run: (stopping) => widenIds(deps.database, stopping),
    },
    { name: 'retries', every: HOUR, run: (stopping) => forgetRetries(deps, stopping) },
    inContext(deps, 'old sessions', HOUR, forgetOldSessions),
    inContext(deps, 'idle guests', HOUR, eraseIdleGuests),
    inContext(deps, 'trash of models', HOUR, emptyModelTrash),
    // Seals every 30 s, so that every row is sealed within 60 s.
    inContext(deps, 'audit', 30_000, sealAudit),
    // Encrypts the connection again while SECRET_KEY is being replaced. The sealer does the same
    // for the keys of accounts.
    { name: 'connection key', every: 30_000, run: () => resealConnection(deps) },
    {
      name: 'keys of channels',
      every: 30_000,
      run: (stopping) => resealChannels(deps, stopping),
    },
    // Deletes submissions at most an hour after their retention, and encrypts them with the new
    // key.
    { name: 'forms', every: HOUR, run: (stopping) => tendSubmissions(deps, stopping) },
    // The files of a medium are deleted some two minutes after it.
    { name: 'files', every: 60_000, run: (stopping) => deleteFiles(deps, stopping) },
    ...(deps.config.SEED === 'demo'
      ? [
          {
            name: 'demo care',
            every: 3_000,
            run: (stopping: AbortSignal) => makeHistory(deps, stopping),
          },
        ]
      : []),
    // A change is in reports at most some minutes later.
    {
      name: 'reports',
      every: 60_000,
      run: async (stopping) =>
        renewRollups(await serviceContext(deps, 'reports'), stopping, 60_000),
    },
    { name: 'public changes', every: HOUR, run: (stopping) => prunePublicChanges(deps, stopping) },
    {
      name: 'content changes',
      every: HOUR,
      run: (stopping) => pruneContentChanges(deps, stopping),
    },
    inContext(deps, 'prune reports', HOUR, pruneRollups),
    inContext(deps, 'mails of reports', 60_000, (context, stopping) =>
      mailReports(context, schema, stopping),
    ),
    inContext(deps, 'ended embedded reports', HOUR, pruneReportEmbeds),
    { name: 'care invitations', every: HOUR, run: (stopping) => forgetInvitations(deps, stopping) },
    {
      name: 'used provider tokens',
      every: HOUR,
      run: (stopping) => forgetExpiredTokens(deps, stopping),
    },
    {
      name: 'sign-in limits',
      every: 600_000,
      run: (stopping) => pruneSignInLimits(deps, stopping),
    },
    // People wait for these: the mail server gets a reset code at most 2 s after the request.
    { name: 'reset codes', every: 1_000, awaits: NEXT_RESET, run: () => issueResetCodes(deps) },
    {
      name: 'mail',
      every: 1_000,
      awaits: NEXT_MAIL,
      run: mailJob(deps),
    },
    {
      name: 'prune mail',
      every: HOUR,
      run: (stopping) => Promise.all([pruneMails(deps, stopping), pruneConnectionAttempts(deps)]),
    },
    { name: 'prune resets', every: HOUR / 12, run: (stopping) => pruneResets(deps, stopping) },
    // The interval of the first job limits how late an alert becomes a push; that of the second
    // limits how late the push is sent.
    ...handoverJobs(deps),
    ...deliveryJobs(deps),
    queueJob(deps),
  ];
}

/** Returns a job that works in a context of the service, which has no viewer. */
function inContext(
  deps: Deps,
  name: string,
  every: number,
  work: (context: RequestContext, stopping: AbortSignal) => Promise<unknown>,
): RollingJob {
  const run = async (stopping: AbortSignal) => work(await serviceContext(deps, name), stopping);
  return { name, every, run };
}
