import { ID, ObjectType } from 'type-graphql';
import { Visible } from '../../core/access.js';

@ObjectType({
  description: 'A member who was looked up: enough to tell who it is, and to break the glass.',
})
export class FoundMember {
  @Visible(() => ID, { description: 'Global id of the account, for `breakGlass`.' })
  memberId!: string;

  @Visible({ description: 'Name as shown to others.' })
  name!: string;

  @Visible(() => String, {
    nullable: true,
    description:
      'The beginning and the domain of the e-mail address, as m…@example.com, to tell people of ' +
      'one name apart. Null when none was given.',
  })
  emailHint!: string | null;
}
