import type { RequestContext } from '../../../core/context.js';
import { DomainError } from '../../../core/errors.js';
import type { ItemChanges } from './item.inputs.js';
import { refusalOfStatus } from './item.rights.js';

/** Throws FORBIDDEN_PUBLISH for a status that only those who publish may set. */
export function refusePublishing({ viewer }: RequestContext, { status }: ItemChanges): void {
  const refusal = status && refusalOfStatus(viewer, status);
  if (refusal) throw new DomainError(refusal);
}
