import { Field, ID, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../core/access.js';

@ObjectType({
  description: 'A member who was looked up: enough to tell who it is, and to break the glass.',
})
export class FoundMember {
  @Access(anyone)
  @Field(() => ID, { description: 'Global id of the account, for `breakGlass`.' })
  memberId!: string;

  @Access(anyone)
  @Field({ description: 'Name as shown to others.' })
  name!: string;

  @Access(anyone)
  @Field(() => String, {
    nullable: true,
    description:
      'The beginning and the domain of the e-mail address, as m…@example.com, to tell people of ' +
      'one name apart. Null when none was given.',
  })
  emailHint!: string | null;
}
