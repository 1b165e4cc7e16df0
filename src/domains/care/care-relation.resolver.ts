import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone, bySession, signedIn } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { Rows } from '../../core/cost.js';
import { type Filter, FilterBy } from '../../core/filtering.js';
import { InputArg } from '../../core/marks.js';
import { globalId } from '../../core/node.js';
import { type Order, OrderBy } from '../../core/ordering.js';
import { type Page, PageArgs } from '../../core/paging.js';
import { Mutation, Query } from '../../core/root-fields.js';
import { accountsById } from '../accounts/account.service.js';
import { Account } from '../accounts/account.types.js';
import {
  acceptInvitation,
  declineInvitation,
  inviteCarer,
  listInvitations,
  withdrawInvitation,
} from './care-invitation.service.js';
import {
  CareCodeInput,
  ChangeCareRightInput,
  EndCareInput,
  InviteCarerInput,
  OrderCarersInput,
  WithdrawCareInvitationInput,
} from './care-relation.inputs.js';
import {
  CARED_FOR_ORDERS,
  changeCareRight,
  endCare,
  listCaredFor,
  listCarers,
  orderCarers,
  relationsWith,
} from './care-relation.service.js';
import {
  AcceptCareInvitationPayload,
  CaredForMember,
  CaredForMemberConnection,
  CareInvitation,
  CareRelation,
  ChangeCareRightPayload,
  DeclineCareInvitationPayload,
  EndCarePayload,
  InviteCarerPayload,
  OrderCarersPayload,
  WithdrawCareInvitationPayload,
} from './care-relation.types.js';

/** Root fields and fields of the relations between members and carers. */
@Resolver(() => CareRelation)
export class CareRelationResolver {
  @Access(signedIn)
  @Rows(50)
  @Query(() => [CareRelation], {
    description:
      'Who cares for the viewer, in the order in which they are notified of a missed dose; 50 at ' +
      'most.',
  })
  async carers(@Ctx() context: RequestContext): Promise<CareRelation[]> {
    return listCarers(context);
  }

  @Access(bySession(signedIn))
  @Mutation(() => ChangeCareRightPayload, {
    description:
      'Gives a carer of the viewer another right. CARE_NOT_FOUND; FORBIDDEN by an application ' +
      'password.',
  })
  async changeCareRight(
    @Ctx() context: RequestContext,
    @InputArg(ChangeCareRightInput) input: ChangeCareRightInput,
  ): Promise<{ careRelation: CareRelation }> {
    return { careRelation: await changeCareRight(context, input) };
  }

  @Access(signedIn)
  @Mutation(() => EndCarePayload, {
    description: 'Ends care, by the member or by the carer. CARE_NOT_FOUND.',
  })
  async endCare(
    @Ctx() context: RequestContext,
    @InputArg(EndCareInput) input: EndCareInput,
  ): Promise<{ deletedCareRelationId: string; careRelation: CareRelation }> {
    const careRelation = await endCare(context, input);
    return { deletedCareRelationId: globalId('CareRelation', careRelation.id), careRelation };
  }

  @Access(signedIn)
  @Mutation(() => OrderCarersPayload, {
    description: "Puts the viewer's carers in an order. CARE_ORDER_INVALID.",
  })
  async orderCarers(
    @Ctx() context: RequestContext,
    @InputArg(OrderCarersInput) input: OrderCarersInput,
  ): Promise<{ carers: CareRelation[] }> {
    return { carers: await orderCarers(context, input) };
  }

  @Access(anyone)
  @FieldResolver(() => Account, { description: 'Who is cared for.' })
  async member(
    @Ctx() context: RequestContext,
    @Root() { memberId }: CareRelation,
  ): Promise<Account | undefined> {
    return context.loader(accountsById).load(memberId);
  }

  @Access(anyone)
  @FieldResolver(() => Account, { description: 'Who cares.' })
  async carer(
    @Ctx() context: RequestContext,
    @Root() { carerId }: CareRelation,
  ): Promise<Account | undefined> {
    return context.loader(accountsById).load(carerId);
  }
}

/** Root fields of invitations. */
@Resolver()
export class CareInvitationResolver {
  @Access(signedIn)
  @Rows(50)
  @Query(() => [CareInvitation], {
    description: "The viewer's open invitations, newest first; 50 at most.",
  })
  async careInvitations(@Ctx() context: RequestContext): Promise<CareInvitation[]> {
    return listInvitations(context);
  }

  @Access(bySession(signedIn))
  @Mutation(() => InviteCarerPayload, {
    description:
      'Invites somebody to care for the viewer, by a mail with a code that is good for 14 ' +
      'days. The answer is the same whether or not there is such an account. EMAIL_UNPROVEN ' +
      'until the viewer has shown that the own e-mail address is theirs, CARE_SELF, ' +
      'CARE_TOO_MANY, TOO_MANY_REQUESTS; FORBIDDEN by an application password.',
  })
  async inviteCarer(
    @Ctx() context: RequestContext,
    @InputArg(InviteCarerInput) input: InviteCarerInput,
  ): Promise<{ careInvitation: CareInvitation }> {
    return { careInvitation: await inviteCarer(context, input) };
  }

  @Access(signedIn)
  @Mutation(() => WithdrawCareInvitationPayload, {
    description: 'Takes an open invitation of the viewer back. CARE_INVITATION_NOT_FOUND.',
  })
  async withdrawCareInvitation(
    @Ctx() context: RequestContext,
    @InputArg(WithdrawCareInvitationInput) input: WithdrawCareInvitationInput,
  ): Promise<{ careInvitation: CareInvitation }> {
    return { careInvitation: await withdrawInvitation(context, input) };
  }

  @Access(signedIn)
  @Mutation(() => AcceptCareInvitationPayload, {
    description:
      'Makes the viewer a carer of whoever sent the code. CARE_CODE_INVALID, TOO_MANY_REQUESTS.',
  })
  async acceptCareInvitation(
    @Ctx() context: RequestContext,
    @InputArg(CareCodeInput) input: CareCodeInput,
  ): Promise<{ careRelation: CareRelation }> {
    return { careRelation: await acceptInvitation(context, input) };
  }

  @Access(signedIn)
  @Mutation(() => DeclineCareInvitationPayload, {
    description: 'Declines an invitation by its code. CARE_CODE_INVALID, TOO_MANY_REQUESTS.',
  })
  async declineCareInvitation(
    @Ctx() context: RequestContext,
    @InputArg(CareCodeInput) input: CareCodeInput,
  ): Promise<{ careInvitation: CareInvitation }> {
    return { careInvitation: await declineInvitation(context, input) };
  }
}

/** Root field and fields of the members whom the viewer cares for. */
@Resolver(() => CaredForMember)
export class CaredForResolver {
  @Access(signedIn)
  @Rows(100)
  @Query(() => CaredForMemberConnection, {
    description:
      'The members whom the viewer may care for, by id: as a carer, as their clinician, or by ' +
      'having broken the glass. 100 unless said otherwise. CURSOR_INVALID, PAGE_SIZES_BOTH.',
  })
  async caredForMembers(
    @Ctx() context: RequestContext,
    @Args(() => PageArgs) page: PageArgs,
    @OrderBy(CARED_FOR_ORDERS) order: Order | null | undefined,
    @FilterBy(CARED_FOR_ORDERS) filter: Filter | null | undefined,
  ): Promise<Page<CaredForMember>> {
    return listCaredFor(context, page, order, filter);
  }

  @Access(anyone)
  @FieldResolver(() => Account, { description: 'The member.' })
  async member(
    @Ctx() context: RequestContext,
    @Root() { memberId }: CaredForMember,
  ): Promise<Account | undefined> {
    return context.loader(accountsById).load(memberId);
  }

  @Access(anyone)
  @FieldResolver(() => CareRelation, {
    nullable: true,
    description: 'The relation that the member agreed to: `endCare` ends it. Null for none.',
  })
  async careRelation(
    @Ctx() context: RequestContext,
    @Root() { memberId }: CaredForMember,
  ): Promise<CareRelation | undefined> {
    return context.loader(relationsWith).load(memberId);
  }
}

/** The resolvers of this file, for the schema. */
export const CARE_RELATION_RESOLVERS = [
  CareRelationResolver,
  CareInvitationResolver,
  CaredForResolver,
] as const;
