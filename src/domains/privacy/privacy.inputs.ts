import { Field, InputType } from 'type-graphql';
import { Secret } from '../../core/scalars.js';

@InputType({ description: 'The own account, to be erased.' })
export class EraseMyAccountInput {
  @Field(() => Secret, {
    nullable: true,
    description:
      'The present password. An account without one gives none, and must have signed in within ' +
      'the last 10 minutes; a guest need not.',
  })
  password?: string | null;
}
