import { JSONObjectResolver } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import { Access, type RowRule, Visible } from '../../core/access.js';
import { Rows } from '../../core/cost.js';
import { Internal } from '../../core/marks.js';
import { DatabaseId, Node } from '../../core/node.js';
import { connectionType } from '../../core/paging.js';
import { Role } from '../../core/roles.js';
import { DateTime, Email, TimeZone, WebAddress } from '../../core/scalars.js';
import type { Viewer } from '../../core/viewer.js';

/** Access rule: the account itself and administrators. */
export const self: RowRule = (viewer: Viewer, account: Account) =>
  viewer.id === account.id || account.signingIn || viewer.can('manage_options')
    ? undefined
    : { reason: 'FORBIDDEN', message: 'Only the account itself and administrators see this.' };

@ObjectType({
  implements: Node,
  description:
    'Somebody who can sign in, as others know them. `Viewer` is what an account sees of itself. ' +
    'Everybody may know the authors of published content; others are known to those who care ' +
    'for them or are cared for by them, and to administrators.',
})
export class Account {
  constructor(
    row: Pick<
      Account,
      | 'id'
      | 'username'
      | 'email'
      | 'emailKey'
      | 'name'
      | 'slug'
      | 'url'
      | 'description'
      | 'languageId'
      | 'timeZone'
      | 'emailProvenAt'
      | 'createdAt'
      | 'suspendedAt'
      | 'remindersStopped'
      | 'version'
    > & { roles: readonly string[] },
    siteUrl: string,
    /** True when the account is the caller, who is just getting a session. */
    readonly signingIn = false,
  ) {
    Object.assign(this, row);
    this.link = `${siteUrl}/author/${row.slug}/`;
  }

  @DatabaseId()
  id!: number;

  @Access(self)
  @Field(() => Int, {
    nullable: true,
    description:
      'Counts the changes of its name, address, language, zone and roles. A change may be based on it.',
  })
  version!: number;

  @Visible({ description: 'Name as shown to others.' })
  name!: string;

  @Visible({ description: 'The name in addresses; unique.' })
  slug!: string;

  @Visible({ description: 'Address of the page that lists what this author published.' })
  link!: string;

  @Visible(() => WebAddress, {
    nullable: true,
    name: 'url',
    description: 'Homepage given by the account; null when none.',
  })
  get homepage(): string | null {
    return this.url || null;
  }

  @Internal()
  @Visible({ name: 'urlText', description: 'Homepage given by the account; empty when none.' })
  url!: string;

  @Visible({ description: 'A few words that the account says about itself; empty when none.' })
  description!: string;

  @Internal()
  @Visible(() => JSONObjectResolver, {
    description: 'Addresses of pictures by size: none, as no third party is told who is read.',
  })
  get avatarUrls(): object {
    return {};
  }

  @Internal()
  @Visible(() => JSONObjectResolver, { description: 'Meta fields: accounts have none.' })
  get meta(): object {
    return {};
  }

  @Access(self)
  @Field(() => String, {
    nullable: true,
    description: 'Name to sign in with; unique, case ignored.',
  })
  username!: string;

  @Access(self)
  @Field(() => Email, {
    nullable: true,
    description: 'E-mail address; unique, case ignored. Null when none was given.',
  })
  email!: string | null;

  @Access(self)
  @Field(() => DateTime, {
    nullable: true,
    description:
      'When the account showed, or an administrator vouched, that it receives mail at `email`, ' +
      'in UTC; null until then.',
  })
  emailProvenAt!: Date | null;

  /** The address as a name to sign in by; null when nobody signs in by it. */
  emailKey!: string | null;

  @Access(self)
  @Rows(8)
  @Field(() => [Role], { nullable: true, description: 'What the account may do.' })
  roles!: Role[];

  @Internal()
  @Access(self)
  @Field(() => Int, { nullable: true, description: 'Id of a row of `languages`; 1 is English.' })
  languageId!: number;

  @Access(self)
  @Field(() => TimeZone, {
    nullable: true,
    description: 'IANA name of the time zone; null until it is known.',
  })
  timeZone!: string | null;

  @Access(self)
  @Field(() => Boolean, {
    nullable: true,
    name: 'isGuest',
    description: 'Whether this is a guest who has not signed up yet.',
  })
  get guest(): boolean {
    return this.roles.includes(Role.GUEST);
  }

  @Access(self)
  @Field(() => DateTime, {
    nullable: true,
    description: 'When the account was made, in UTC.',
  })
  createdAt!: Date;

  @Access(self)
  @Field(() => DateTime, {
    nullable: true,
    description:
      'Since when the account is suspended, in UTC: nobody signs in to it, and none of its tokens ' +
      'is taken. Null: it is in use.',
  })
  suspendedAt!: Date | null;

  @Access(self)
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether its reminders do not ring, as it was suspended with `stopReminders`.',
  })
  remindersStopped!: boolean;
}

/** A page of accounts. */
export const AccountConnection = connectionType(Account, 'Account', 'an account');
