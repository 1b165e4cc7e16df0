// Reports.
import { type AccessTable, only, SIGNED_IN } from './rules.js';

const ANALYSTS = only('analyst administrator', 'FORBIDDEN', 'UNAUTHENTICATED');

const SAVERS = only('clinician analyst administrator', 'FORBIDDEN', 'UNAUTHENTICATED');

const report = (field: string, measure: string) =>
  `{ ${field}(from: "2026-03-01", to: "2026-03-31") { total { ${measure} } } }`;

export const reports: AccessTable = {
  lines: [
    ['doseReport', report('doseReport', 'taken'), SIGNED_IN],
    ['reminderReport', report('reminderReport', 'created'), ANALYSTS],
    ['appointmentReport', report('appointmentReport', 'planned'), ANALYSTS],
    ['notificationReport', report('notificationReport', 'sent'), ANALYSTS],
    ['accountReport', report('accountReport', 'active'), ANALYSTS],
    ['cohortReport', report('cohortReport', 'activeRate'), ANALYSTS],
    ['reminderCohortReport', report('reminderCohortReport', 'dropOffRate'), ANALYSTS],
    ['pollReport', report('pollReport', 'submissions'), ANALYSTS],
    ['pollChoiceReport', report('pollChoiceReport', 'choices'), ANALYSTS],
    ['formReport', report('formReport', 'senders'), ANALYSTS],
    ['contentReport', report('contentReport', 'published'), ANALYSTS],
    ['savedReports', '{ savedReports { nodes { id } } }', SAVERS],
    ['savedReport', '{ savedReport(id: "4711") { name } }', SAVERS, 'SAVED_REPORT_NOT_FOUND'],
    [
      'createSavedReport',
      'mutation { createSavedReport(input: { name: "x", query: "{ site { title } }" }) { savedReport { id } } }',
      SAVERS,
    ],
    [
      'updateSavedReport',
      'mutation { updateSavedReport(input: { id: "4711", name: "x" }) { savedReport { id } } }',
      SAVERS,
      'SAVED_REPORT_NOT_FOUND',
    ],
    [
      'deleteSavedReport',
      'mutation { deleteSavedReport(input: { id: "4711" }) { savedReport { id } } }',
      SAVERS,
      'SAVED_REPORT_NOT_FOUND',
    ],
    ['reportEmbeds', '{ reportEmbeds { nodes { id } } }', SAVERS],
    [
      'revokeReportEmbed',
      'mutation { revokeReportEmbed(input: { id: "4711" }) { reportEmbed { id } } }',
      SAVERS,
      'REPORT_EMBED_NOT_FOUND',
    ],
    [
      'deleteReportMailing',
      'mutation { deleteReportMailing(input: { reportId: "4711" }) { reportMailing { day } } }',
      SAVERS,
      'SAVED_REPORT_NOT_FOUND',
    ],
  ],
  session: [
    [
      'setReportMailing',
      'mutation { setReportMailing(input: { reportId: "4711", every: WEEK, day: 1, recipientIds: ["1"] }) { reportMailing { day } } }',
      SAVERS,
      'SAVED_REPORT_NOT_FOUND',
    ],
    [
      'createReportEmbed',
      'mutation { createReportEmbed(input: { reportId: "4711", origins: ["https://a.example"] }) { url } }',
      ANALYSTS,
      'SAVED_REPORT_NOT_FOUND',
    ],
  ],
};
