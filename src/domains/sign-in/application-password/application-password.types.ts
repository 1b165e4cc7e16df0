import { Field, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import { ClockTime, DateTime } from '../../../core/scalars.js';

@ObjectType({
  description:
    'A password that an application signs in with (HTTP Basic). Shown to its account alone; ' +
    'the password itself never.',
})
export class ApplicationPassword {
  @Access(anyone)
  @Field({ description: 'Id of the application password (UUID).' })
  id!: string;

  @Access(anyone)
  @Field({ description: 'Name of the application that uses it.' })
  name!: string;

  @Access(anyone)
  @Field(() => String, {
    nullable: true,
    description: 'How the application names itself (UUID); null when it does not.',
  })
  appId!: string | null;

  @Access(anyone)
  @Field(() => DateTime, { description: 'When it was made, in UTC.' })
  createdAt!: Date;

  @Access(anyone)
  @Field(() => DateTime, {
    nullable: true,
    description: 'When it last signed in, in UTC, to the hour; null when never.',
  })
  lastUsedAt!: Date | null;

  @Access(anyone)
  @Field(() => ClockTime, { description: 'When it was made, by the clock of UTC.' })
  get created(): string {
    return clockOf(this.createdAt);
  }

  @Access(anyone)
  @Field(() => ClockTime, {
    nullable: true,
    description: 'When it last signed in, by the clock of UTC; null when never.',
  })
  get lastUsed(): string | null {
    return this.lastUsedAt && clockOf(this.lastUsedAt);
  }

  @Access(anyone)
  @Field(() => String, {
    nullable: true,
    description: 'Always null: from where applications sign in is not kept.',
  })
  get lastAddress(): string | null {
    return null;
  }
}

const clockOf = (moment: Date) => moment.toISOString().slice(0, 19);

@ObjectType({ description: 'A new application password; the only time it is shown.' })
export class NewApplicationPassword extends ApplicationPassword {
  @Access(anyone)
  @Field({
    description:
      '24 letters and digits in six groups, for HTTP Basic with the user name; spaces do not ' +
      'count.',
  })
  password!: string;
}
