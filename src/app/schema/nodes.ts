import type { RequestContext } from '../../core/context.js';
import { eventsById } from '../../domains/audit/audit-list.service.js';
import { servicesById } from '../../domains/directory/service/service-list.service.js';
import { serviceTypesById } from '../../domains/directory/service-type/type-tree.service.js';
import { formsById } from '../../domains/forms/form.service.js';
import { submissionsById } from '../../domains/forms/submission-list.service.js';
import { notificationsById } from '../../domains/notifications/notification/notification-list.service.js';
import { quotesById } from '../../domains/quotes/quote.service.js';
import { videosById } from '../../domains/videos/video-list.service.js';

/**
 * Reads rows by their keys, in any order. Leaves out what the viewer may not read and what there is
 * not.
 */
type NodeReader = (
  context: RequestContext,
  keys: readonly never[],
) => Promise<readonly (object & { readonly id: number | string })[]>;

/** How rows of each type that implements Node are read by their ids. */
export const NODES: Readonly<Record<string, NodeReader>> = {
  AuditEvent: eventsById,
  Form: formsById,
  FormSubmission: submissionsById,
  HealthcareService: servicesById,
  HealthcareServiceKind: serviceTypesById,
  Notification: notificationsById,
  Quote: quotesById,
  Video: videosById,
};
