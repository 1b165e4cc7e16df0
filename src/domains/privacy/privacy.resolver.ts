import { Ctx, ID, Resolver } from 'type-graphql';
import { Access, bySession, capable, signedIn } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { Dear } from '../../core/dear-work.js';
import { InputArg } from '../../core/marks.js';
import { globalId } from '../../core/node.js';
import { payloadType } from '../../core/payload.js';
import { Mutation } from '../../core/root-fields.js';
import { Account } from '../accounts/account.types.js';
import { eraseMyAccount } from './erasure.service.js';
import { exportMyData } from './export.service.js';
import { EraseMyAccountInput } from './privacy.inputs.js';
import { DataExport } from './privacy.types.js';
import { DeleteUserInput } from './user-deletion.inputs.js';
import { deleteUser } from './user-deletion.service.js';

const ExportMyDataPayload = payloadType<{ export: DataExport }>('ExportMyData', {
  export: { type: () => DataExport, description: 'The data.' },
});
const EraseMyAccountPayload = payloadType<{ erasedAccountId: string }>('EraseMyAccount', {
  erasedAccountId: { type: () => ID, description: 'Global id of the account that is gone.' },
});

interface DeleteUserPayload {
  readonly deletedAccountId: string;
  readonly account: Account;
}

const DeleteUserPayload = payloadType<DeleteUserPayload>('DeleteUser', {
  deletedAccountId: { type: () => ID, description: 'Global id of the account that is gone.' },
  account: { type: () => Account, description: 'The account as it was.' },
});

/** Root fields that export and erase the viewer's account, and delete those of others. */
@Resolver()
export class PrivacyResolver {
  @Access(signedIn)
  @Dear()
  @Mutation(() => ExportMyDataPayload, {
    description:
      'What the service keeps about the own account, as one JSON document: everything but ' +
      'secrets, hashes and counters. What it wrote for the site is named by id; a message to ' +
      'others is in the export of who got it. Audited.',
  })
  async exportMyData(@Ctx() context: RequestContext): Promise<{ export: DataExport }> {
    return { export: await exportMyData(context) };
  }

  @Access(signedIn)
  @Mutation(() => EraseMyAccountPayload, {
    description:
      'Erases the own account and its data for good. Content that it wrote for the site stays, ' +
      'under the name of the administrator who has been there longest. PASSWORD_WRONG, ' +
      'LAST_ADMINISTRATOR; SIGN_IN_AGAIN for an account without a password that signed in more ' +
      'than 10 minutes ago, if it has an e-mail address or an identity to sign in by.',
  })
  async eraseMyAccount(
    @Ctx() context: RequestContext,
    @InputArg(EraseMyAccountInput) input: EraseMyAccountInput,
  ): Promise<{ erasedAccountId: string }> {
    await eraseMyAccount(context, input);
    return { erasedAccountId: globalId('Account', context.viewer.id) };
  }

  @Access(bySession(capable('manage_accounts')))
  @Mutation(() => DeleteUserPayload, {
    description:
      'Deletes an account for good: its data is erased as by `eraseMyAccount`, what it wrote for ' +
      'the site goes to somebody else or to the trash. For administrators; audited; the person is ' +
      'told by mail. USER_NOT_FOUND, OWN_ACCOUNT, AUTHOR_INVALID, TOO_MANY; FORBIDDEN by an ' +
      'application password.',
  })
  async deleteUser(
    @Ctx() context: RequestContext,
    @InputArg(DeleteUserInput) input: DeleteUserInput,
  ): Promise<DeleteUserPayload> {
    const account = await deleteUser(context, input);
    return { deletedAccountId: globalId('Account', account.id), account };
  }
}
