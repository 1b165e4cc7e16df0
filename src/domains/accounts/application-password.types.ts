import { DateTimeISOResolver } from 'graphql-scalars';
import { Field, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../access.js';

@ObjectType({
  description:
    'A password that an application signs in with (HTTP Basic). Shown to its account alone; the password itself never.',
})
export class ApplicationPassword {
  @Access(anyone)
  @Field({ description: 'Id of the application password (UUID).' })
  id!: string;

  @Access(anyone)
  @Field({ description: 'Name of the application that uses it.' })
  name!: string;

  @Access(anyone)
  @Field(() => DateTimeISOResolver, { description: 'When it was made, in UTC.' })
  createdAt!: Date;

  @Access(anyone)
  @Field(() => DateTimeISOResolver, {
    nullable: true,
    description: 'When it last signed in, in UTC, to the hour; null when never.',
  })
  lastUsedAt!: Date | null;
}
