import { RequestContext } from '../../../src/core/context.js';
import type { Role } from '../../../src/core/roles.js';
import { Viewer } from '../../../src/core/viewer.js';
import { careRights, INCLUDED_RIGHTS } from '../../../src/domains/care/care.service.js';
import { type RoleName, useService } from '../../support/harness.js';

export const DAY = 24 * 60 * 60 * 1000;
export const INVITE =
  'mutation($input: InviteCarerInput!) { inviteCarer(input: $input) { careInvitation { id to right createdAt ' +
  'expiresAt } } }';
export const ACCEPT =
  'mutation($input: CareCodeInput!) { acceptCareInvitation(input: $input) { careRelation { id right ' +
  'member { name } carer { name } } } }';
export const DECLINE =
  'mutation($input: CareCodeInput!) { declineCareInvitation(input: $input) { careInvitation { id } } }';
export const WITHDRAW =
  'mutation($input: WithdrawCareInvitationInput!) { withdrawCareInvitation(input: $input) { careInvitation { id } } }';
export const CHANGE =
  'mutation($input: ChangeCareRightInput!) { changeCareRight(input: $input) { careRelation { id right } } }';
export const END =
  'mutation($input: EndCareInput!) { endCare(input: $input) { deletedCareRelationId careRelation { right } } }';
export const ORDER =
  'mutation($input: OrderCarersInput!) { orderCarers(input: $input) { carers { id } } }';
export const ASSIGN =
  'mutation($input: AssignClinicianInput!) { assignClinician(input: $input) { careAssignment { id member { name } ' +
  'clinician { name } } } }';
export const UNASSIGN =
  'mutation($input: AssignClinicianInput!) { unassignClinician(input: $input) { deletedCareAssignmentId careAssignment { member { name } } } }';
export const BREAK =
  'mutation($input: BreakGlassInput!) { breakGlass(input: $input) { breakGlass { id reason createdAt endsAt ' +
  'member { name } } } }';
export const CARED_FOR =
  'query($first: Int, $after: String) { caredForMembers(first: $first, after: $after) { ' +
  'totalCount pageInfo { hasNextPage endCursor } nodes { right through endsAt member { name } ' +
  'careRelation { id } } } }';
export const MY_AUDIT =
  '{ viewer { auditEvents { nodes { action detail actor { databaseId name } } } } }';
export const REASON = 'Unconscious in the emergency room';

/** What the tests of care share: people by name, and what they do. */
export function useCare() {
  const service = useService();
  const account = (name: string, role: RoleName = 'subscriber') => service().account(role, name);
  const idOf = async (name: string, role?: RoleName) => (await account(name, role)).id;
  const ask = async (name: string, query: string, variables: object = {}, role?: RoleName) => {
    const headers = await service().session(role ?? 'subscriber', name);
    return (await service().graphql(query, variables, { headers })).body;
  };
  const contextOf = async (name: string, role: RoleName = 'subscriber') => {
    const viewer = new Viewer(await idOf(name, role), [role as Role]);
    const { deps, input } = await service().context();
    return new RequestContext(deps, { ...input, viewer });
  };
  const rightsOf = async (name: string, member: number, role?: RoleName) =>
    [...(await careRights(await contextOf(name, role), member))]
      .filter((right) => Object.hasOwn(INCLUDED_RIGHTS, right))
      .join(' ');
  const mails = async (template: string) => {
    const rows = await service().database.prisma.outgoingMail.findMany({
      where: { template },
      orderBy: { createdAt: 'asc' },
    });
    return rows.map(({ to, language, values }) => ({
      to,
      language,
      values: JSON.parse(values) as Record<string, string>,
    }));
  };
  const invite = async (member: string, to: string, right = 'SEE') =>
    ask(member, INVITE, { input: { to, right } });
  /** Makes somebody a carer of a member; answers the id of the relation. */
  const relate = async (member: string, carer: string, right = 'SEE'): Promise<string> => {
    await account(carer);
    const address = `${carer}@example.com`;
    const codes = async () =>
      (await mails('care_invitation'))
        .filter(({ to }) => to === address)
        .map(({ values }) => values.code);
    // Invitations may be of the same millisecond, in any order: the code is the one that is new.
    const before = await codes();
    await invite(member, address, right);
    const code = (await codes()).find((sent) => !before.includes(sent));
    const { data } = await ask(carer, ACCEPT, { input: { code } });
    return data.acceptCareInvitation.careRelation.id;
  };
  const actions = async (member: string) =>
    (
      await ask(member, MY_AUDIT.replace('auditEvents', 'auditEvents(own: true)'))
    ).data.viewer.auditEvents.nodes.map(({ action }: { action: string }) => action);
  return { service, account, idOf, ask, contextOf, rightsOf, mails, invite, relate, actions };
}
