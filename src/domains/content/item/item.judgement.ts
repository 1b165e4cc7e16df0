import type { RequestContext } from '../../../core/context.js';
import { DomainError, refuse } from '../../../core/errors.js';
import type { ItemChanges } from './item.inputs.js';
import { refusalOfStatus } from './item.rights.js';

/** Throws FORBIDDEN_PUBLISH for a status that only those who publish may set. */
export function refusePublishing({ viewer }: RequestContext, { status }: ItemChanges): void {
  const refusal = status && refusalOfStatus(viewer, status);
  if (refusal) throw new DomainError(refusal);
}

/** Throws TEMPLATE_UNKNOWN for a template: there is only the default one, whose name is empty. */
export function refuseTemplate({ template }: ItemChanges): void {
  if (template) throw refuse('TEMPLATE_UNKNOWN', 'template is not one of .', { param: 'template' });
}
