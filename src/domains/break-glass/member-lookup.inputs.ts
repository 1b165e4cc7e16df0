import { ArgsType, Field } from 'type-graphql';
import { Email, PlainName, Reason } from '../../core/scalars.js';

@ArgsType()
export class MemberLookupArgs {
  @Field(() => Email, {
    nullable: true,
    description: 'The whole e-mail address; case is ignored. Excludes `name`.',
  })
  email?: string | null;

  @Field(() => PlainName, {
    nullable: true,
    description: 'The whole name; case and accents are ignored. Needs a `reason`.',
  })
  name?: string | null;

  @Field(() => Reason, {
    nullable: true,
    description: 'Why the member is looked up. Kept, and shown to the members who are found.',
  })
  reason?: string | null;
}
