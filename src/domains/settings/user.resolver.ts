import { Ctx, Resolver } from 'type-graphql';
import { Access, bySession, capable } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { InputArg } from '../../core/marks.js';
import { payloadType } from '../../core/payload.js';
import { Mutation } from '../../core/root-fields.js';
import { Account } from '../accounts/account.types.js';
import { UpdateUserInput } from './user.inputs.js';
import { updateUser } from './user.service.js';

interface UpdateUserPayload {
  readonly account: Account;
}

const UpdateUserPayload = payloadType<UpdateUserPayload>('UpdateUser', {
  account: { type: () => Account, description: 'The account as it is now.' },
});

/** Root field with which administrators change accounts. */
@Resolver()
export class UserResolver {
  @Access(bySession(capable('manage_accounts')))
  @Mutation(() => UpdateUserPayload, {
    description:
      'Changes an account. For administrators; audited. Of another address both are told by mail: ' +
      'whoever reads the new one can set a new password. USER_NOT_FOUND, EMAIL_EXISTS, ' +
      'LANGUAGE_UNKNOWN, CONFLICT; FORBIDDEN by an application password.',
  })
  async updateUser(
    @Ctx() context: RequestContext,
    @InputArg(UpdateUserInput) input: UpdateUserInput,
  ): Promise<UpdateUserPayload> {
    return { account: await updateUser(context, input) };
  }
}
