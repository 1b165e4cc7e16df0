import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { Access, signedIn } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { eraseMyAccount } from './erasure.service.js';
import { exportMyData } from './export.service.js';
import { EraseMyAccountInput } from './privacy.inputs.js';
import { DataExport } from './privacy.types.js';

/** Root fields that export and erase the viewer's account. */
@Resolver()
export class PrivacyResolver {
  @Access(signedIn)
  @Mutation(() => DataExport, {
    description: 'Everything that the service keeps about the own account, as one JSON document.',
  })
  async exportMyData(@Ctx() context: RequestContext): Promise<DataExport> {
    return exportMyData(context);
  }

  @Access(signedIn)
  @Mutation(() => Boolean, {
    description:
      'Erases the own account and its data for good, and answers true. Content that it wrote ' +
      'for the site stays, under the name of the administrator who has been there longest. ' +
      'PASSWORD_WRONG, LAST_ADMINISTRATOR; SIGN_IN_AGAIN for an account without a password ' +
      'that signed in more than 10 minutes ago.',
  })
  async eraseMyAccount(
    @Ctx() context: RequestContext,
    @Arg('input', () => EraseMyAccountInput, { description: 'The password, as a proof.' })
    input: EraseMyAccountInput,
  ): Promise<boolean> {
    return eraseMyAccount(context, input);
  }
}
