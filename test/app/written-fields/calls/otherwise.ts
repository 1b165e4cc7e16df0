const OUTLOOK = 'Needs a mailbox: domains/mail/connection.test.ts sends another.';

/** Fields that no call tries, each with the fact that stands for it. */
export const OTHERWISE: Readonly<Record<string, string>> = {
  'DeleteRevisionInput.kind': 'Each route has its own: rest/revisions.test.ts deletes of both.',
  'CompleteOutlookInput.state': OUTLOOK,
  'CompleteOutlookInput.code': OUTLOOK,
  'CompleteOutlookInput.iss': OUTLOOK,
  'CompleteOutlookInput.error': OUTLOOK,
};
