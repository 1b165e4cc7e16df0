import { accountSubject } from './account.subject.js';
import { appointmentSubject } from './appointment.subject.js';
import { cohortSubject } from './cohort.subject.js';
import { contentSubject } from './content.subject.js';
import { doseSubject } from './dose.subject.js';
import { formSubject } from './form.subject.js';
import { notificationSubject } from './notification.subject.js';
import { pollSubject } from './poll.subject.js';
import { pollChoiceSubject } from './poll-choice.subject.js';
import { reminderSubject } from './reminder.subject.js';
import { reminderCohortSubject } from './reminder-cohort.subject.js';
import type { Subject } from './subject.js';

/** All subjects that can be asked about. */
export const SUBJECTS: readonly Subject[] = [
  doseSubject,
  reminderSubject,
  appointmentSubject,
  notificationSubject,
  accountSubject,
  cohortSubject,
  reminderCohortSubject,
  pollSubject,
  pollChoiceSubject,
  formSubject,
  contentSubject,
];
