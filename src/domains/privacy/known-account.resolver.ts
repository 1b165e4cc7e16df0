import { Ctx, Resolver } from 'type-graphql';
import { Access, anyone } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { IdArg } from '../../core/marks.js';
import { Query } from '../../core/root-fields.js';
import { Account } from '../accounts/account.types.js';
import { knownAccounts } from './known-account.service.js';

/** Root field of one account. */
@Resolver()
export class KnownAccountResolver {
  @Access(anyone)
  @Query(() => Account, {
    description:
      'An account that the viewer may know of: the own one, an author of published content, a ' +
      'member whose care the viewer may see, a carer or clinician of the viewer; for ' +
      'administrators any, audited. Null for all others, whether or not there are such.',
  })
  async account(
    @Ctx() context: RequestContext,
    @IdArg('id', 'Account', { description: 'Id of the account.' }) id: number,
  ): Promise<Account | null> {
    const [account = null] = await knownAccounts(context, [id]);
    return account;
  }
}
