import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone, capable } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { Rows } from '../../core/cost.js';
import { type Filter, FilterBy } from '../../core/filtering.js';
import { InputArg } from '../../core/marks.js';
import { type Order, OrderBy } from '../../core/ordering.js';
import { type Page, PageArgs } from '../../core/paging.js';
import { Mutation, Query } from '../../core/root-fields.js';
import { accountsById } from '../accounts/account.service.js';
import { Account } from '../accounts/account.types.js';
import { BreakGlassInput, EndBreakGlassInput } from './break-glass.inputs.js';
import {
  BREAK_GLASS_ORDERS,
  breakGlass,
  endBreakGlass,
  listOpenings,
} from './break-glass.service.js';
import {
  BreakGlass,
  BreakGlassConnection,
  BreakGlassPayload,
  EndBreakGlassPayload,
} from './break-glass.types.js';

/** Root fields that open and end a member's data, and the accounts of an opening. */
@Resolver(() => BreakGlass)
export class BreakGlassResolver {
  @Access(capable('break_glass'))
  @Mutation(() => BreakGlassPayload, {
    description:
      'Opens the care of a member who is not assigned to the caller, for 60 minutes: ' +
      'clinicians see it, administrators may change it. Audited; the member is notified. At most ' +
      '10 times an hour and 30 a day, TOO_MANY_REQUESTS; administrators are notified of unusual ' +
      'use. MEMBER_NOT_FOUND.',
  })
  async breakGlass(
    @Ctx() context: RequestContext,
    @InputArg(BreakGlassInput) input: BreakGlassInput,
  ): Promise<{ breakGlass: BreakGlass }> {
    return { breakGlass: await breakGlass(context, input) };
  }

  @Access(capable('break_glass'))
  @Mutation(() => EndBreakGlassPayload, {
    description:
      'Ends an opening before its time, at once: the own one, or for administrators any. Nothing ' +
      'happens to one that has ended. Audited. BREAK_GLASS_NOT_FOUND.',
  })
  async endBreakGlass(
    @Ctx() context: RequestContext,
    @InputArg(EndBreakGlassInput) input: EndBreakGlassInput,
  ): Promise<{ breakGlass: BreakGlass }> {
    return { breakGlass: await endBreakGlass(context, input) };
  }

  @Access(capable('manage_accounts'))
  @Rows(100)
  @Query(() => BreakGlassConnection, {
    description:
      'What is open now by a broken glass, the newest first; 100 unless said otherwise. For ' +
      'administrators; audited. CURSOR_INVALID, PAGE_SIZES_BOTH.',
  })
  async openBreakGlasses(
    @Ctx() context: RequestContext,
    @Args(() => PageArgs) page: PageArgs,
    @OrderBy(BREAK_GLASS_ORDERS) order: Order | null | undefined,
    @FilterBy(BREAK_GLASS_ORDERS) filter: Filter | null | undefined,
  ): Promise<Page<BreakGlass>> {
    return listOpenings(context, page, order, filter);
  }

  @Access(anyone)
  @FieldResolver(() => Account, { description: 'Whose care was opened.' })
  async member(
    @Ctx() context: RequestContext,
    @Root() { memberId }: BreakGlass,
  ): Promise<Account | undefined> {
    return context.loader(accountsById).load(memberId);
  }

  @Access(anyone)
  @FieldResolver(() => Account, { description: 'Who opened it.' })
  async clinician(
    @Ctx() context: RequestContext,
    @Root() { clinicianId }: BreakGlass,
  ): Promise<Account | undefined> {
    return context.loader(accountsById).load(clinicianId);
  }
}
