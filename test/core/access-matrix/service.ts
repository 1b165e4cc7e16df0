// The service itself: rows by their id, the site, mail, the audit log, diagnostics.
import { type AccessTable, ADMINISTRATORS, EVERYONE, only, STAFF } from './rules.js';

export const service: AccessTable = {
  lines: [
    ['node', '{ node(id: "Tm90aWZpY2F0aW9uOjE") { id } }', EVERYONE],
    ['nodes', '{ nodes(ids: ["Tm90aWZpY2F0aW9uOjE"]) { id } }', EVERYONE],
    // Mail
    ['mailConnection', '{ mailConnection { __typename } }', only('administrator', 'FORBIDDEN')],
    [
      'disconnectOutlook',
      'mutation { disconnectOutlook { __typename } }',
      only('administrator', 'FORBIDDEN'),
    ],
    [
      'updateSite',
      'mutation { updateSite(input: { tagline: "x" }) { site { tagline } } }',
      ADMINISTRATORS,
    ],
    // Audit
    ['auditEvents', '{ auditEvents { nodes { id } } }', ADMINISTRATORS],
    // Site
    ['site', '{ site { title } }', EVERYONE],
    ['languages', '{ languages { id } }', EVERYONE],
    // Diagnostics
    ['diagnostics', '{ diagnostics { thirdParties { ok } } }', STAFF],
  ],
  session: [
    [
      'connectOutlook',
      'mutation { connectOutlook { __typename } }',
      only('administrator', 'FORBIDDEN'),
      'OUTLOOK_NOT_CONFIGURED',
    ],
  ],
  members: [
    [
      'auditEvents',
      '{ auditEvents(filter: { subjectId: $member }) { nodes { id } } }',
      'administrator opened',
      'FORBIDDEN',
    ],
  ],
};
