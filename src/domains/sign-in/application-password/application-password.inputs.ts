import { Field, InputType } from 'type-graphql';
import { IdField } from '../../../core/marks.js';
import { PlainName, Uuid } from '../../../core/scalars.js';

@InputType({ description: 'An application password to make.' })
export class CreateApplicationPasswordInput {
  @IdField('Account', {
    nullable: true,
    description:
      'The account that it signs in. Default: the own; others are for administrators, and ' +
      'members make theirs themselves.',
  })
  userId?: number | null;

  @Field(() => PlainName, {
    description: 'Name of the application that will use it; several may have one name.',
  })
  name!: string;

  @Field(() => Uuid, {
    nullable: true,
    description: 'How the application names itself. Default: not at all.',
  })
  appId?: string | null;
}

@InputType({ description: 'An application password to revoke.' })
export class RevokeApplicationPasswordInput {
  @IdField('ApplicationPassword', { description: 'Id of one of the own application passwords.' })
  id!: string;
}
