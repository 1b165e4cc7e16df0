import { Field, InputType } from 'type-graphql';
import { BasedOn, IdField } from '../../core/marks.js';
import { Role } from '../../core/roles.js';
import { SearchText } from '../../core/scalars.js';

@InputType({
  description: 'Which accounts. Everything given must hold; what is null does not count.',
})
export class AccountFilter {
  @Field(() => SearchText, {
    nullable: true,
    description: 'A part of the name, the user name or the e-mail address; case is ignored.',
  })
  search?: string | null;

  @Field(() => Role, { nullable: true, description: 'With this role.' })
  role?: Role | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: those that are suspended. False: the others.',
  })
  suspended?: boolean | null;
}

@InputType({ description: 'The roles of an account.' })
export class SetRolesInput {
  @IdField('Account', { description: 'The account. USER_NOT_FOUND.' })
  userId!: number;

  @Field(() => [Role], {
    description:
      'All roles that it has from now on; none: it signs in, without any right of a role.',
  })
  roles!: Role[];

  @BasedOn()
  version?: number | null;
}
