import type { RequestContext } from '../../core/context.js';
import { eventsById } from '../../domains/audit/audit-list.service.js';
import { modelNodes } from '../../domains/models/definition/model-list.service.js';
import { fieldNodes, groupNodes } from '../../domains/models/definition/model-node.service.js';
import { modelItemNodes } from '../../domains/models/item/model-item.service.js';
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
  Model: modelNodes,
  ModelField: fieldNodes,
  ModelGroup: groupNodes,
  ModelItem: modelItemNodes,
  Notification: notificationsById,
};
