import { ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Internal } from '../../../core/marks.js';
import { Node, TextKey } from '../../../core/node.js';
import { connectionType } from '../../../core/paging.js';
import { ClockTime, DateTime, Uuid } from '../../../core/scalars.js';

@TextKey()
@ObjectType({
  implements: Node,
  description:
    'A password that an application signs in with (HTTP Basic). Shown to its account alone; ' +
    'the password itself never.',
})
export class ApplicationPassword {
  @Visible(() => Uuid, { name: 'uuid', description: 'Id of the application password (UUID).' })
  id!: string;

  @Visible({ description: 'Name of the application that uses it.' })
  name!: string;

  @Visible(() => Uuid, {
    nullable: true,
    description: 'How the application names itself (UUID); null when it does not.',
  })
  appId!: string | null;

  @Visible(() => DateTime, { description: 'When it was made, in UTC.' })
  createdAt!: Date;

  @Visible(() => DateTime, {
    nullable: true,
    description: 'When it last signed in, in UTC, to the hour; null when never.',
  })
  lastUsedAt!: Date | null;

  @Internal()
  @Visible(() => String, {
    nullable: true,
    description:
      '24 letters and digits in six groups, for HTTP Basic with the user name; spaces do not ' +
      'count.',
  })
  readonly password?: string;

  @Internal()
  @Visible(() => ClockTime, { description: 'When it was made, by the clock of UTC.' })
  get created(): string {
    return clockOf(this.createdAt);
  }

  @Internal()
  @Visible(() => ClockTime, {
    nullable: true,
    description: 'When it last signed in, by the clock of UTC; null when never.',
  })
  get lastUsed(): string | null {
    return this.lastUsedAt && clockOf(this.lastUsedAt);
  }

  @Internal()
  @Visible(() => String, {
    nullable: true,
    description: 'Always null: from where applications sign in is not kept.',
  })
  get lastAddress(): string | null {
    return null;
  }
}

const clockOf = (moment: Date) => moment.toISOString().slice(0, 19);

/** A page of application passwords. */
export const ApplicationPasswordConnection = connectionType(
  ApplicationPassword,
  'ApplicationPassword',
  'an application password',
);
