// Live updates.
import { type AccessTable, NOBODY, SEEING, SIGNED_IN } from './rules.js';

export const live: AccessTable = {
  lines: [
    [
      'changes',
      'subscription { changes(subjects: [{ feed: CALENDAR, since: -1 }]) { version } }',
      SIGNED_IN,
    ],
    [
      'changes',
      'subscription { changes(subjects: [{ feed: NOTIFICATIONS, since: -1 }]) { version } }',
      SIGNED_IN,
    ],
    [
      'changes',
      'subscription { changes(subjects: [{ feed: CALENDAR, memberId: $bystander, since: -1 }]) { version } }',
      NOBODY,
    ],
    [
      'changes',
      'subscription { changes(subjects: [{ feed: NOTIFICATIONS, memberId: $bystander, since: -1 }]) { version } }',
      NOBODY,
    ],
  ],
  members: [
    [
      'changes',
      'subscription { changes(subjects: [{ feed: CALENDAR, memberId: $member, since: -1 }]) { version } }',
      SEEING,
      'FORBIDDEN',
    ],
    [
      'changes',
      'subscription { changes(subjects: [{ feed: NOTIFICATIONS, memberId: $member, since: -1 }]) { version } }',
      'own',
      'FORBIDDEN',
    ],
  ],
};
