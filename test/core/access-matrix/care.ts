// Relations of care, invitations, assignments and broken glass.
import { type AccessTable, ADMINISTRATORS, SIGNED_IN, STAFF } from './rules.js';

const REASON = 'reason: "Unconscious in the emergency room"';

export const care: AccessTable = {
  lines: [
    ['carers', '{ carers { id } }', SIGNED_IN],
    ['caredForMembers', '{ caredForMembers { nodes { right } } }', SIGNED_IN],
    ['careInvitations', '{ careInvitations { id } }', SIGNED_IN],
    ['careAssignments', '{ careAssignments { nodes { createdAt } } }', ADMINISTRATORS],
    [
      'withdrawCareInvitation',
      'mutation { withdrawCareInvitation(input: { id: 1 }) { careInvitation { id } } }',
      SIGNED_IN,
      'CARE_INVITATION_NOT_FOUND',
    ],
    [
      'acceptCareInvitation',
      'mutation { acceptCareInvitation(input: { code: "X" }) { careRelation { id } } }',
      SIGNED_IN,
      'CARE_CODE_INVALID',
    ],
    [
      'declineCareInvitation',
      'mutation { declineCareInvitation(input: { code: "X" }) { careInvitation { id } } }',
      SIGNED_IN,
      'CARE_CODE_INVALID',
    ],
    [
      'endCare',
      'mutation { endCare(input: { id: 1 }) { careRelation { id } } }',
      SIGNED_IN,
      'CARE_NOT_FOUND',
    ],
    [
      'orderCarers',
      'mutation { orderCarers(input: { ids: [1] }) { carers { id } } }',
      SIGNED_IN,
      'CARE_ORDER_INVALID',
    ],
    [
      'unassignClinician',
      'mutation { unassignClinician(input: { memberId: $bystander, clinicianId: $clinician }) { careAssignment { ' +
        'createdAt } } }',
      ADMINISTRATORS,
      'CARE_NOT_FOUND',
    ],
    [
      'unassignClinicians',
      'mutation { unassignClinicians(input: { ids: ["1-2"] }) { results { error { code } } } }',
      ADMINISTRATORS,
    ],
    [
      'breakGlass',
      `mutation { breakGlass(input: { memberId: $bystander, ${REASON} }) { breakGlass { id } } }`,
      STAFF,
    ],
    [
      'endBreakGlass',
      'mutation { endBreakGlass(input: { id: 1 }) { breakGlass { id } } }',
      STAFF,
      'BREAK_GLASS_NOT_FOUND',
    ],
    ['openBreakGlasses', '{ openBreakGlasses { nodes { id } } }', ADMINISTRATORS],
    ['memberLookup', '{ memberLookup(email: "x@example.com") { name } }', STAFF],
  ],
  session: [
    [
      'inviteCarer',
      'mutation { inviteCarer(input: { to: "x@example.com", right: SEE }) { careInvitation { id } } }',
      SIGNED_IN,
    ],
    [
      'changeCareRight',
      'mutation { changeCareRight(input: { id: 1, right: SEE }) { careRelation { id } } }',
      SIGNED_IN,
      'CARE_NOT_FOUND',
    ],
    [
      'assignClinician',
      'mutation { assignClinician(input: { memberId: $subscriber, clinicianId: $clinician }) { careAssignment { ' +
        'createdAt } } }',
      ADMINISTRATORS,
    ],
    [
      'assignMembers',
      'mutation { assignMembers(input: { ids: [4711], clinicianId: $clinician }) { results { error { code } } } }',
      ADMINISTRATORS,
    ],
  ],
  members: [
    [
      'changeCareRight',
      'mutation { changeCareRight(input: { id: $relation, right: EDIT }) { careRelation { id } } }',
      'own',
      'CARE_NOT_FOUND',
    ],
    [
      'endCare',
      'mutation { endCare(input: { id: $relation }) { careRelation { id } } }',
      'own see',
      'CARE_NOT_FOUND',
    ],
    [
      'orderCarers',
      'mutation { orderCarers(input: { ids: $relations }) { carers { id } } }',
      'own',
      'CARE_ORDER_INVALID',
    ],
    [
      'withdrawCareInvitation',
      'mutation { withdrawCareInvitation(input: { id: $invitation }) { careInvitation { id } } }',
      'own',
      'CARE_INVITATION_NOT_FOUND',
    ],
    [
      'careAssignments',
      '{ careAssignments(filter: { memberId: $member }) { nodes { createdAt } } }',
      'own administrator opened',
      'FORBIDDEN',
    ],
    [
      'breakGlass',
      `mutation { breakGlass(input: { memberId: $member, ${REASON} }) { breakGlass { id } } }`,
      'assigned glass clinician administrator opened',
      'FORBIDDEN',
    ],
  ],
};
