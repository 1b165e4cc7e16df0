import type { Call } from '../calling.js';
import { ACCOUNTS } from './accounts.js';
import { CARE } from './care.js';
import { COMMUNITY } from './community.js';
import { CONTENT } from './content.js';
import { MODELS } from './models.js';
import { NOTIFICATIONS } from './notifications.js';
import { REMINDERS } from './reminders.js';

/** What is tried of every mutation: the fields that no input of Create or Update has in the served schema. */
export const CALLS: readonly Call[] = [
  ...ACCOUNTS,
  ...CARE,
  ...COMMUNITY,
  ...CONTENT,
  ...MODELS,
  ...NOTIFICATIONS,
  ...REMINDERS,
];
