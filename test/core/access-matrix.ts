// Who may use which field, written by hand: of content from docs/behaviour.md 2.5, 5.1, 6.2, 8, 9,
// of the other REST routes from docs/interface.md 10. Whoever adds a root field adds its line to the
// table of its part of the schema, in the folder access-matrix/: the test fails until it is there, and
// again when the service answers otherwise.
import { accounts } from './access-matrix/accounts.js';
import { care } from './access-matrix/care.js';
import { content } from './access-matrix/content.js';
import { directory } from './access-matrix/directory.js';
import { forms } from './access-matrix/forms.js';
import { library } from './access-matrix/library.js';
import { live } from './access-matrix/live.js';
import { models } from './access-matrix/models.js';
import { notifications } from './access-matrix/notifications.js';
import { polls } from './access-matrix/polls.js';
import { reminders } from './access-matrix/reminders.js';
import { reports } from './access-matrix/reports.js';
import type { AccessTable } from './access-matrix/rules.js';
import { service } from './access-matrix/service.js';
import { signIn } from './access-matrix/sign-in.js';

const TABLES: readonly AccessTable[] = [
  service,
  polls,
  accounts,
  signIn,
  reminders,
  reports,
  notifications,
  live,
  care,
  library,
  directory,
  forms,
  content,
  models,
];

export const LINES = TABLES.flatMap(({ lines }) => lines);
export const SESSION_LINES = TABLES.flatMap(({ session = [] }) => session);
export const MEMBER_LINES = TABLES.flatMap(({ members = [] }) => members);
