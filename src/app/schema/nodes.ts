import type { RequestContext } from '../../core/context.js';
import { eventsById } from '../../domains/audit/audit-list.service.js';
import { openingsById } from '../../domains/care/break-glass.service.js';
import { assignmentsById } from '../../domains/care/care-assignment.service.js';
import { invitationsById } from '../../domains/care/care-invitation.service.js';
import { caredForById, relationsById } from '../../domains/care/care-relation.service.js';
import { devicesById } from '../../domains/notifications/device/device.service.js';
import { notificationsById } from '../../domains/notifications/notification/notification-list.service.js';

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
  BreakGlass: openingsById,
  CareAssignment: assignmentsById,
  CareInvitation: invitationsById,
  CareRelation: relationsById,
  CaredForMember: caredForById,
  Device: devicesById,
  Notification: notificationsById,
};
