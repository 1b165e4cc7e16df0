import { Ctx, Resolver } from 'type-graphql';
import { Access, bySession, capable } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { InputArg } from '../../../core/marks.js';
import { payloadType } from '../../../core/payload.js';
import { Mutation } from '../../../core/root-fields.js';
import { Account } from '../../accounts/account.types.js';
import { ReinstateUserInput, SuspendUserInput } from './suspension.inputs.js';
import { reinstateUser, suspendUser } from './suspension.service.js';

interface AccountPayload {
  readonly account: Account;
}

const account = { type: () => Account, description: 'The account as it is now.' };
const SuspendUserPayload = payloadType<AccountPayload>('SuspendUser', { account });
const ReinstateUserPayload = payloadType<AccountPayload>('ReinstateUser', { account });

/** Root fields with which administrators suspend accounts. */
@Resolver()
export class SuspensionResolver {
  @Access(bySession(capable('manage_accounts')))
  @Mutation(() => SuspendUserPayload, {
    description:
      'Suspends an account: nobody signs in to it (ACCOUNT_SUSPENDED), its sessions end, and ' +
      'within a second every token of it is refused on all processes: access and refresh tokens, ' +
      'application passwords, the calendar feed, embedded reports, open subscriptions. It stays ' +
      'whole, and its reminders ring on unless `stopReminders`; it hears of no other member, and ' +
      'what it planned for others is not sent. For administrators; audited; the person is told by ' +
      'mail. Once more it only changes the reminders. USER_NOT_FOUND, OWN_ACCOUNT, ' +
      'LAST_ADMINISTRATOR; FORBIDDEN by an application password.',
  })
  async suspendUser(
    @Ctx() context: RequestContext,
    @InputArg(SuspendUserInput) input: SuspendUserInput,
  ): Promise<AccountPayload> {
    return { account: await suspendUser(context, input) };
  }

  @Access(bySession(capable('manage_accounts')))
  @Mutation(() => ReinstateUserPayload, {
    description:
      'Takes a suspended account back into use, with its reminders, application passwords, ' +
      'calendar feed and embedded reports; who uses it signs in anew. For administrators; ' +
      'audited; the person is told by mail. Nothing happens to an account that is in use. ' +
      'USER_NOT_FOUND; FORBIDDEN by an application password.',
  })
  async reinstateUser(
    @Ctx() context: RequestContext,
    @InputArg(ReinstateUserInput) input: ReinstateUserInput,
  ): Promise<AccountPayload> {
    return { account: await reinstateUser(context, input) };
  }
}
