import type { RequestContext } from '../../core/context.js';
import { pointsOfExport } from '../../core/quota.js';
import { transact } from '../../core/transact.js';
import {
  exportAccount,
  exportApplicationPasswords,
  exportCare,
  exportIdentities,
  exportSessions,
} from '../accounts/account-export.service.js';
import { recordAudit } from '../audit/audit.service.js';
import { exportAudit } from '../audit/audit-list.service.js';
import { exportPolicyAgreements } from '../consents/policy-export.service.js';
import { exportAuthored } from '../content/author/authorship.service.js';
import { exportSubmissions } from '../forms/submission-privacy.service.js';
import { exportMails } from '../mail/own-mail.service.js';
import { exportChannels } from '../notifications/channel/channel.service.js';
import {
  exportDeliveries,
  exportDevices,
  exportNotices,
  exportNotificationPreference,
  exportNotifications,
} from '../notifications/notification/notification-export.service.js';
import { exportPollAnswers } from '../polls/poll-export.service.js';
import {
  exportAlerts,
  exportCareSettings,
  exportDoses,
  exportReminders,
} from '../reminders/reminder/reminder-export.service.js';
import { exportReportEmbeds } from '../reports/embedded/report-embed.service.js';
import { exportReportMails } from '../reports/mailing/report-mailing.service.js';
import { exportSavedReports } from '../reports/saved/saved-report.service.js';
import { DataExport } from './privacy.types.js';

type Exporter = (context: RequestContext, accountId: number) => Promise<unknown>;

/**
 * The data that the service stores about an account, by name in the export: one line for each kind.
 * A test names each column of the database that names an account and is in none of them, and why.
 */
const EXPORTERS: Readonly<Record<string, Exporter>> = {
  account: exportAccount,
  sessions: exportSessions,
  applicationPasswords: exportApplicationPasswords,
  identities: exportIdentities,
  authored: exportAuthored,
  care: exportCare,
  audit: exportAudit,
  mails: exportMails,
  reminders: exportReminders,
  alerts: exportAlerts,
  doses: exportDoses,
  careSettings: exportCareSettings,
  notifications: exportNotifications,
  notices: exportNotices,
  notificationPreference: exportNotificationPreference,
  devices: exportDevices,
  deliveries: exportDeliveries,
  channels: exportChannels,
  polls: exportPollAnswers,
  policies: exportPolicyAgreements,
  formSubmissions: exportSubmissions,
  savedReports: exportSavedReports,
  reportEmbeds: exportReportEmbeds,
  reportMails: exportReportMails,
};

/** Milliseconds that the transaction of an export may take: of a member of years it reads many rows. */
const LONGEST = 60_000;

/**
 * Returns the data about the viewer, read in one transaction that also audits the export. The
 * request pays for the rows.
 */
export async function exportMyData(context: RequestContext): Promise<DataExport> {
  const document: Record<string, unknown> = {};
  await transact(
    context,
    async (inner) => {
      for (const [kind, read] of Object.entries(EXPORTERS))
        document[kind] = await read(inner, context.viewer.id);
      await recordAudit(inner, { action: 'account.export' });
    },
    { timeout: LONGEST },
  );
  const rows = Object.values(document).reduce<number>((sum, part) => sum + rowsOf(part), 0);
  await context.quota.owe(pointsOfExport(rows));
  return Object.assign(new DataExport(), { exportedAt: context.now(), document });
}

/** Counts the rows of one kind of data: those of a list, or of the lists of an object, and 1 for itself. */
const rowsOf = (part: unknown): number =>
  Array.isArray(part)
    ? part.length
    : Object.values(part ?? {}).reduce<number>(
        (sum, list) => sum + (Array.isArray(list) ? list.length : 0),
        1,
      );
