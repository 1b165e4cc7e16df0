import { ACCOUNT_LINES, SITE_LINES } from './account.lines.js';
import {
  BREAK_GLASS_LINES,
  CARE_ASSIGNMENT_LINES,
  CARE_RELATION_LINES,
  DEVICE_LINES,
} from './care.lines.js';
import { itemLines, REVISION_LINES, TERM_LINES } from './content.lines.js';
import { QUOTE_LINES, SERVICE_LINES, SERVICE_TYPE_LINES, VIDEO_LINES } from './directory.lines.js';
import { FORM_LINES, SUBMISSION_LINES } from './form.lines.js';
import type { LineKind } from './line.js';
import { MEDIA_LINES } from './media.lines.js';
import { MODEL_ITEM_LINES, MODEL_LINES } from './model.lines.js';
import { NOTIFICATION_LINES } from './notification.lines.js';
import {
  ANSWER_LINES,
  POLICY_AGREEMENT_LINES,
  POLICY_LINES,
  POLL_AGREEMENT_LINES,
  POLL_LINES,
} from './poll.lines.js';
import { APPOINTMENT_LINES, DOSE_LINES, MEDICINE_LINES } from './reminder.lines.js';
import { REPORT_LINES, REPORT_MAILING_LINES } from './report.lines.js';

/** The kinds of lines, in the order in which they refer to each other: so they stand in an export. */
export const LINE_KINDS: readonly LineKind[] = [
  ACCOUNT_LINES,
  TERM_LINES,
  SITE_LINES,
  itemLines('page'),
  itemLines('post'),
  itemLines('healthcare'),
  MEDIA_LINES,
  REVISION_LINES,
  MODEL_LINES,
  MODEL_ITEM_LINES,
  QUOTE_LINES,
  VIDEO_LINES,
  SERVICE_TYPE_LINES,
  SERVICE_LINES,
  CARE_RELATION_LINES,
  CARE_ASSIGNMENT_LINES,
  BREAK_GLASS_LINES,
  MEDICINE_LINES,
  APPOINTMENT_LINES,
  DOSE_LINES,
  DEVICE_LINES,
  NOTIFICATION_LINES,
  POLL_LINES,
  ANSWER_LINES,
  POLL_AGREEMENT_LINES,
  POLICY_LINES,
  POLICY_AGREEMENT_LINES,
  FORM_LINES,
  SUBMISSION_LINES,
  REPORT_LINES,
  REPORT_MAILING_LINES,
];

/** The first line of an export. */
export const FORMAT = 'care-export';
/** Counts the forms that exports have had. */
export const FORMAT_VERSION = 1;

/** The tables that lines are of, with those of their parts. */
export const LINE_TABLES: readonly string[] = [
  ...new Set(
    LINE_KINDS.flatMap(({ table, parts = {} }) => [
      table,
      ...Object.values(parts).map((part) => part.table),
    ]),
  ),
];
