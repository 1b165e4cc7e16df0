import { Arg, Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone, bySession, capable, type RootRule, signedIn } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { Rows } from '../../core/cost.js';
import { InputArg } from '../../core/marks.js';
import { globalId } from '../../core/node.js';
import { type Order, OrderBy } from '../../core/ordering.js';
import { type Page, PageArgs } from '../../core/paging.js';
import { Mutation, Query } from '../../core/root-fields.js';
import { accountsById } from '../accounts/account.service.js';
import { Account } from '../accounts/account.types.js';
import { AssignClinicianInput, CareAssignmentFilter } from './care-assignment.inputs.js';
import { assignClinician, assignmentList, unassignClinician } from './care-assignment.service.js';
import {
  AssignClinicianPayload,
  CareAssignment,
  CareAssignmentConnection,
  UnassignClinicianPayload,
} from './care-assignment.types.js';

/**
 * Access rule: members and clinicians list their own assignments; viewers with `assign_care` list
 * all.
 */
const mayListAssignments: RootRule = (
  context: RequestContext,
  { filter }: { filter?: CareAssignmentFilter | null },
) => {
  const { id } = context.viewer;
  const own = filter?.memberId === id || filter?.clinicianId === id;
  return own ? signedIn(context) : capable('assign_care')(context, undefined as never);
};

/** Root fields and fields of assignments. */
@Resolver(() => CareAssignment)
export class CareAssignmentResolver {
  @Access(bySession(capable('assign_care')))
  @Mutation(() => AssignClinicianPayload, {
    description:
      'Assigns a member to a clinician, who gets every right; nobody assigns to themselves. For ' +
      'administrators. Audited; the member is notified by mail of who assigned whom, and ' +
      'administrators are notified of unusually many. MEMBER_NOT_FOUND, CLINICIAN_INVALID; ' +
      'CARE_NOT_FOUND for a retry under an Idempotency-Key where it has ended since; FORBIDDEN by ' +
      'an application password.',
  })
  async assignClinician(
    @Ctx() context: RequestContext,
    @InputArg(AssignClinicianInput) input: AssignClinicianInput,
  ): Promise<{ careAssignment: CareAssignment }> {
    return { careAssignment: await assignClinician(context, input) };
  }

  @Access(capable('assign_care'))
  @Mutation(() => UnassignClinicianPayload, {
    description: 'Takes a member from a clinician. For administrators. CARE_NOT_FOUND.',
  })
  async unassignClinician(
    @Ctx() context: RequestContext,
    @InputArg(AssignClinicianInput) input: AssignClinicianInput,
  ): Promise<{ deletedCareAssignmentId: string; careAssignment: CareAssignment }> {
    const careAssignment = await unassignClinician(context, input);
    const deletedCareAssignmentId = globalId('CareAssignment', careAssignment.id);
    return { deletedCareAssignmentId, careAssignment };
  }

  @Access(mayListAssignments)
  @Rows(100)
  @Query(() => CareAssignmentConnection, {
    description:
      'Who is assigned to whom; 100 unless said otherwise. Members and clinicians ask for their ' +
      "own by the filter; administrators for anybody's. FORBIDDEN, CURSOR_INVALID, " +
      'PAGE_SIZES_BOTH.',
  })
  async careAssignments(
    @Ctx() context: RequestContext,
    @Arg('filter', () => CareAssignmentFilter, {
      nullable: true,
      description: 'Which. Default: all.',
    })
    filter: CareAssignmentFilter | null | undefined,
    @Args(() => PageArgs) page: PageArgs,
    @OrderBy(assignmentList) order: Order | null | undefined,
  ): Promise<Page<CareAssignment>> {
    return assignmentList.page(context, { ...page, ...filter }, order);
  }

  @Access(anyone)
  @FieldResolver(() => Account, { description: 'The member.' })
  async member(
    @Ctx() context: RequestContext,
    @Root() { memberId }: CareAssignment,
  ): Promise<Account | undefined> {
    return context.loader(accountsById).load(memberId);
  }

  @Access(anyone)
  @FieldResolver(() => Account, { description: 'The clinician.' })
  async clinician(
    @Ctx() context: RequestContext,
    @Root() { clinicianId }: CareAssignment,
  ): Promise<Account | undefined> {
    return context.loader(accountsById).load(clinicianId);
  }
}
