import { Args, Ctx, Resolver } from 'type-graphql';
import { Access, capable } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { Rows } from '../../core/cost.js';
import { Query } from '../../core/root-fields.js';
import { MemberLookupArgs } from './member-lookup.inputs.js';
import { lookUpMembers } from './member-lookup.service.js';
import { FoundMember } from './member-lookup.types.js';

/** Root field that finds the member who stands there. */
@Resolver()
export class MemberLookupResolver {
  @Access(capable('break_glass'))
  @Rows(5)
  @Query(() => [FoundMember], {
    description:
      'The members of an exact e-mail address, or of an exact name with a reason; at most 5. For ' +
      'clinicians and administrators, who may then break the glass. Audited, and shown to each ' +
      'member who is found. At most 20 an hour and 60 a day, whatever they find, ' +
      'TOO_MANY_REQUESTS. LOOKUP_INVALID.',
  })
  async memberLookup(
    @Ctx() context: RequestContext,
    @Args(() => MemberLookupArgs) args: MemberLookupArgs,
  ): Promise<FoundMember[]> {
    return lookUpMembers(context, args);
  }
}
