import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { Access, signedIn } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { globalId } from '../../core/node.js';
import { payloadType } from '../../core/payload.js';
import { eraseMyAccount } from './erasure.service.js';
import { exportMyData } from './export.service.js';
import { EraseMyAccountInput } from './privacy.inputs.js';
import { DataExport } from './privacy.types.js';

const ExportMyDataPayload = payloadType<{ export: DataExport }>('ExportMyData', {
  export: { type: () => DataExport, description: 'The data.' },
});
const EraseMyAccountPayload = payloadType<{ erasedAccountId: string }>('EraseMyAccount', {
  erasedAccountId: { type: () => ID, description: 'Global id of the account that is gone.' },
});

/** Root fields that export and erase the viewer's account. */
@Resolver()
export class PrivacyResolver {
  @Access(signedIn)
  @Mutation(() => ExportMyDataPayload, {
    nullable: true,
    description:
      'Everything that the service keeps about the own account, as one JSON document. Audited.',
  })
  async exportMyData(@Ctx() context: RequestContext): Promise<{ export: DataExport }> {
    return { export: await exportMyData(context) };
  }

  @Access(signedIn)
  @Mutation(() => EraseMyAccountPayload, {
    nullable: true,
    description:
      'Erases the own account and its data for good. Content that it wrote for the site stays, ' +
      'under the name of the administrator who has been there longest. PASSWORD_WRONG, ' +
      'LAST_ADMINISTRATOR; SIGN_IN_AGAIN for an account without a password that signed in more ' +
      'than 10 minutes ago.',
  })
  async eraseMyAccount(
    @Ctx() context: RequestContext,
    @Arg('input', () => EraseMyAccountInput, { description: 'The password, as a proof.' })
    input: EraseMyAccountInput,
  ): Promise<{ erasedAccountId: string }> {
    await eraseMyAccount(context, input);
    return { erasedAccountId: globalId('Account', context.viewer.id) };
  }
}
