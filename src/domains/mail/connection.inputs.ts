import { Field, InputType } from 'type-graphql';
import { Presented } from '../../core/scalars.js';

@InputType({
  description:
    'What the authorization server sends along with the browser (RFC 6749, 4.1.2; RFC 9207).',
})
export class CompleteOutlookInput {
  @Field(() => Presented, {
    nullable: true,
    description: 'The state of the beginning; FORBIDDEN when it is another.',
  })
  state?: string | null;

  @Field(() => Presented, { nullable: true, description: 'The authorization code.' })
  code?: string | null;

  @Field(() => Presented, { nullable: true, description: 'The issuer that answers.' })
  iss?: string | null;

  @Field(() => Presented, { nullable: true, description: 'Why there is no code.' })
  error?: string | null;
}
