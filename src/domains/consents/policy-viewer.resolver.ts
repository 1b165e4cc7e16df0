import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { asOwner } from '../accounts/own-account.service.js';
import { OwnAccount } from '../accounts/own-account.types.js';
import { policyToAgreeTo } from './policy.service.js';
import { Policy } from './policy.types.js';

/** What the viewer must agree to. */
@Resolver(() => OwnAccount)
export class PolicyViewerResolver {
  @Access(anyone)
  @FieldResolver(() => Policy, {
    nullable: true,
    description:
      'The policy that the viewer must still agree to: the one in force in the language of the ' +
      'account. Null when the viewer has agreed to it, and when there is none.',
  })
  async policyToAgreeTo(
    @Ctx() context: RequestContext,
    @Root() viewer: OwnAccount,
  ): Promise<Policy | null> {
    return policyToAgreeTo(asOwner(context, viewer));
  }
}
