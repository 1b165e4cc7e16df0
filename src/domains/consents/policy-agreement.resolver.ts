import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone, type RowRule } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { Rows } from '../../core/cost.js';
import { type Page, PageArgs } from '../../core/paging.js';
import type { Viewer } from '../../core/viewer.js';
import { accountsById } from '../accounts/account.service.js';
import { Account } from '../accounts/account.types.js';
import { Policy } from './policy.types.js';
import { listAgreements } from './policy-agreement.service.js';
import { PolicyAgreement, PolicyAgreementConnection } from './policy-agreement.types.js';

/** Access rule: administrators know who agreed. */
const administering: RowRule = (viewer: Viewer) =>
  viewer.can('manage_options')
    ? undefined
    : { reason: 'FORBIDDEN', message: 'Administrators alone know who agreed.' };

/** Who agreed to a policy. */
@Resolver(() => Policy)
export class PolicyAgreementsResolver {
  @Access(administering)
  @Rows(20)
  @FieldResolver(() => PolicyAgreementConnection, {
    nullable: true,
    description:
      'Who agreed to it and when, by account; 20 unless said otherwise. Erased accounts are counted ' +
      'in `agreementCount` alone. For administrators; else null. CURSOR_INVALID, PAGE_SIZES_BOTH.',
  })
  async agreements(
    @Ctx() context: RequestContext,
    @Root() { id }: Policy,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<Page<PolicyAgreement>> {
    return listAgreements(context, id, page);
  }
}

@Resolver(() => PolicyAgreement)
export class PolicyAgreementResolver {
  @Access(anyone)
  @FieldResolver(() => Account, {
    nullable: true,
    description: 'Who agreed; null when the account was erased meanwhile.',
  })
  async account(
    @Ctx() context: RequestContext,
    @Root() { accountId }: PolicyAgreement,
  ): Promise<Account | undefined> {
    return context.loader(accountsById).load(accountId);
  }
}
