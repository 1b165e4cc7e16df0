import type { LineKind } from './line.js';

/** Reports that somebody saved, with who wants no mails of them. */
export const REPORT_LINES: LineKind = {
  name: 'savedReport',
  table: 'saved_report',
  fields: {
    accountId: 'integer',
    name: 'text',
    query: 'text',
    variables: 'text',
    view: 'text?',
    measure: 'text?',
    isShared: 'boolean',
    modifiedAt: 'instant',
    version: 'integer',
  },
  parts: {
    unsubscriptions: {
      table: 'report_unsubscription',
      of: 'report_id',
      order: 'p.account_id',
      key: ['accountId'],
      madeAt: 'at',
      fields: { accountId: 'integer', at: 'instant' },
    },
  },
};

/** When saved reports are mailed, and to whom. */
export const REPORT_MAILING_LINES: LineKind = {
  name: 'reportMailing',
  table: 'report_mailing',
  fields: {
    reportId: 'integer',
    every: 'text',
    day: 'integer',
    hour: 'integer',
    nextOn: 'text',
    dueAt: 'instant',
  },
  parts: {
    recipients: {
      table: 'report_mailing_recipient',
      of: 'mailing_id',
      order: 'p.id',
      key: ['accountId'],
      fields: { id: 'integer', accountId: 'integer?', unsubscribedAt: 'instant?' },
    },
  },
};
