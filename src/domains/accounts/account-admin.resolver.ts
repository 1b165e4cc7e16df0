import { Arg, Args, Ctx, Resolver } from 'type-graphql';
import { Access, bySession, capable } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { Rows } from '../../core/cost.js';
import { InputArg } from '../../core/marks.js';
import { type Order, OrderBy } from '../../core/ordering.js';
import { type Page, PageArgs } from '../../core/paging.js';
import { payloadType } from '../../core/payload.js';
import { Mutation, Query } from '../../core/root-fields.js';
import { Account, AccountConnection } from './account.types.js';
import { AccountFilter, SetRolesInput } from './account-admin.inputs.js';
import { ACCOUNT_ORDERS, listAccounts, setRoles } from './account-admin.service.js';

interface SetRolesPayload {
  readonly account: Account;
}

const SetRolesPayload = payloadType<SetRolesPayload>('SetRoles', {
  account: { type: () => Account, description: 'The account with its new roles.' },
});

/** Root fields with which administrators list accounts and set roles. */
@Resolver()
export class AccountAdminResolver {
  @Access(capable('manage_accounts'))
  @Rows(100)
  @Query(() => AccountConnection, {
    description:
      'Accounts in the order of their numbers; 100 unless said otherwise. For administrators; ' +
      'audited. CURSOR_INVALID, PAGE_SIZES_BOTH.',
  })
  async accounts(
    @Ctx() context: RequestContext,
    @Arg('filter', () => AccountFilter, { nullable: true, description: 'Which. Default: all.' })
    filter: AccountFilter | null | undefined,
    @Args(() => PageArgs) page: PageArgs,
    @OrderBy(ACCOUNT_ORDERS) order: Order | null | undefined,
  ): Promise<Page<Account>> {
    return listAccounts(context, filter ?? {}, page, order);
  }

  @Access(bySession(capable('manage_accounts')))
  @Mutation(() => SetRolesPayload, {
    description:
      'Gives an account other roles. For administrators; audited. USER_NOT_FOUND, ' +
      'LAST_ADMINISTRATOR, CONFLICT; FORBIDDEN by an application password.',
  })
  async setRoles(
    @Ctx() context: RequestContext,
    @InputArg(SetRolesInput) input: SetRolesInput,
  ): Promise<SetRolesPayload> {
    return { account: await setRoles(context, input) };
  }
}
