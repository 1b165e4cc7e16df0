import { Arg, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Access, anyone, bySession, capable } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { Rows } from '../../core/cost.js';
import { type Page, pageType } from '../../core/paging.js';
import { Cursor, PageSize } from '../../core/scalars.js';
import { Account } from './account.types.js';
import { AccountFilter, SetRolesInput } from './account-admin.inputs.js';
import { countAccounts, listAccounts, setRoles } from './account-admin.service.js';

const AccountList = pageType(Account, 'AccountList', 'account');
/** A page of accounts with its filter, which `totalCount` needs. */
type Listed = Page<Account> & { filter: AccountFilter };

/** Root fields with which administrators list accounts and set roles. */
@Resolver()
export class AccountAdminResolver {
  @Access(capable('manage_accounts'))
  @Rows(100)
  @Query(() => AccountList, {
    description: 'Accounts by id. For administrators; audited. CURSOR_INVALID.',
  })
  async accounts(
    @Ctx() context: RequestContext,
    @Arg('filter', () => AccountFilter, { nullable: true, description: 'Which. Default: all.' })
    filter?: AccountFilter | null,
    @Arg('first', () => PageSize, { nullable: true, description: 'How many at most. Default 100.' })
    first?: number | null,
    @Arg('after', () => Cursor, { nullable: true, description: 'Cursor of the row before.' })
    after?: string | null,
  ): Promise<Listed> {
    return {
      ...(await listAccounts(context, filter ?? {}, first ?? 100, after)),
      filter: filter ?? {},
    };
  }

  @Access(bySession(capable('manage_accounts')))
  @Mutation(() => Account, {
    description:
      'Gives an account other roles. For administrators; audited. USER_NOT_FOUND, ROLES_INVALID, ' +
      'LAST_ADMINISTRATOR; FORBIDDEN by an application password.',
  })
  async setRoles(
    @Ctx() context: RequestContext,
    @Arg('input', () => SetRolesInput, { description: 'Whose roles, and which.' })
    input: SetRolesInput,
  ): Promise<Account> {
    return setRoles(context, input);
  }
}

/** Counts the accounts of a list. */
@Resolver(() => AccountList)
export class AccountCountResolver {
  @Access(anyone)
  @FieldResolver(() => Int, { description: 'How many accounts match.' })
  async totalCount(@Ctx() context: RequestContext, @Root() { filter }: Listed): Promise<number> {
    return countAccounts(context, filter);
  }
}

/** The resolvers of this file, for the schema. */
export const ACCOUNT_ADMIN_RESOLVERS = [AccountAdminResolver, AccountCountResolver] as const;
