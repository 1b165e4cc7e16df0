import { ID, ObjectType } from 'type-graphql';
import { Visible } from '../../core/access.js';
import { Rows } from '../../core/cost.js';
import { enumType } from '../../core/enum-type.js';
import { DatabaseId, Node, Version } from '../../core/node.js';
import { connectionType } from '../../core/paging.js';
import { payloadType } from '../../core/payload.js';
import { DateTime } from '../../core/scalars.js';
import type { CareRight } from './care.service.js';

/** The rights of carers, for GraphQL. */
export const CareRights = enumType(
  'CareRight',
  'What somebody may do for a member. Each right holds those before it.',
  {
    SEE: ['see', "See the member's reminders, calendar and doses."],
    ANSWER: ['answer', 'Log doses as well: taken, skipped, snoozed.'],
    EDIT: ['edit', 'Make, change and delete reminders as well.'],
  },
) satisfies Record<string, CareRight>;

/** The sources of a right in care, for GraphQL. */
export const CareSources = enumType('CareSource', 'Where a right in care comes from.', {
  RELATION: ['relation', 'The member invited the carer.'],
  ASSIGNMENT: ['assignment', 'An administrator assigned the member to the clinician.'],
  BREAK_GLASS: ['break_glass', 'The clinician broke the glass.'],
});
/** Source of a right in care. */
export type CareSource = (typeof CareSources)[keyof typeof CareSources];

@ObjectType({ implements: Node, description: 'Somebody whom a member lets care for them.' })
export class CareRelation {
  memberId!: number;
  carerId!: number;

  @DatabaseId()
  id!: number;

  @Version()
  version!: number;

  @Visible(() => CareRights, { description: 'What the carer may do.' })
  right!: CareRight;

  /** Place in the member's order of carers, from 1. */
  position!: number;

  @Visible(() => DateTime, { description: 'When the carer accepted, in UTC.' })
  createdAt!: Date;
}

@ObjectType({ implements: Node, description: 'An invitation to care for a member.' })
export class CareInvitation {
  @DatabaseId()
  id!: number;

  @Visible({ description: 'E-mail address or user name, as the member typed it.' })
  to!: string;

  @Visible(() => CareRights, { description: 'What the carer will be able to do.' })
  right!: CareRight;

  @Visible(() => DateTime, { description: 'When it was sent, in UTC.' })
  createdAt!: Date;

  @Visible(() => DateTime, { description: 'Until when it can be accepted, in UTC.' })
  expiresAt!: Date;
}

@ObjectType({ implements: Node, description: 'A member whom the viewer may care for.' })
export class CaredForMember {
  memberId!: number;

  /** The key: what the viewer may do for a member is one row. */
  get id(): number {
    return this.memberId;
  }

  @Visible(() => CareRights, { description: 'What the viewer may do.' })
  right!: CareRight;

  @Rows(3)
  @Visible(() => [CareSources], { description: 'Where the right comes from.' })
  through!: CareSource[];

  @Visible(() => DateTime, {
    nullable: true,
    description: 'When the right ends by itself, in UTC; null when it does not.',
  })
  endsAt!: Date | null;
}

/** A page of members whom the viewer may care for. */
export const CaredForMemberConnection = connectionType(
  CaredForMember,
  'CaredForMember',
  'a member',
);

const careRelation = { type: () => CareRelation, description: 'What they are to each other now.' };
const careInvitation = { type: () => CareInvitation, description: 'The invitation.' };
const ended = { type: () => CareInvitation, description: 'The invitation, which is open no more.' };

/** What mutations of relations and invitations return. */
export const InviteCarerPayload = payloadType<{ careInvitation: CareInvitation }>('InviteCarer', {
  careInvitation,
});
export const WithdrawCareInvitationPayload = payloadType<{ careInvitation: CareInvitation }>(
  'WithdrawCareInvitation',
  { careInvitation: ended },
);
export const DeclineCareInvitationPayload = payloadType<{ careInvitation: CareInvitation }>(
  'DeclineCareInvitation',
  { careInvitation: ended },
);
export const AcceptCareInvitationPayload = payloadType<{ careRelation: CareRelation }>(
  'AcceptCareInvitation',
  { careRelation },
);
export const ChangeCareRightPayload = payloadType<{ careRelation: CareRelation }>(
  'ChangeCareRight',
  { careRelation },
);
export const OrderCarersPayload = payloadType<{ carers: CareRelation[] }>('OrderCarers', {
  carers: {
    type: () => [CareRelation],
    description: 'All carers of the viewer in the new order; 50 at most.',
    rows: 50,
  },
});
export const EndCarePayload = payloadType<{
  deletedCareRelationId: string;
  careRelation: CareRelation;
}>('EndCare', {
  deletedCareRelationId: { type: () => ID, description: 'Id of the relation that has ended.' },
  careRelation: { type: () => CareRelation, description: 'The relation as it was.' },
});
