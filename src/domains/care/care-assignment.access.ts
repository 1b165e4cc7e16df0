import { capable, type RootRule, signedIn } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import type { CareAssignmentFilter } from './care-assignment.inputs.js';

/**
 * Access rule: members and clinicians list their own assignments; viewers with `assign_care` list
 * all.
 */
export const mayListAssignments: RootRule = (
  context: RequestContext,
  { filter }: { filter?: CareAssignmentFilter | null },
) => {
  const { id } = context.viewer;
  const own = filter?.memberId === id || filter?.clinicianId === id;
  return own ? signedIn(context) : capable('assign_care')(context, undefined as never);
};
