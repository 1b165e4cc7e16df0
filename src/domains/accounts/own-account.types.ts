import { ObjectType } from 'type-graphql';
import { Visible } from '../../core/access.js';
import { Rows } from '../../core/cost.js';
import { DatabaseId, Node, Version } from '../../core/node.js';
import { Role } from '../../core/roles.js';
import { DateTime, Email, TimeZone } from '../../core/scalars.js';
import { Account } from './account.types.js';

/**
 * What an account sees of itself: the type Viewer of the schema. Make one only for the viewer's own
 * account, or for one that is just getting a session.
 */
@ObjectType('Viewer', {
  implements: Node,
  description:
    'Who is asking: what an account sees of itself alone. It is a node beside its `account`, ' +
    'with a global id of its own.',
})
export class OwnAccount {
  constructor(account: Account) {
    this.account = account;
  }

  @DatabaseId()
  get id(): number {
    return this.account.id;
  }

  @Visible(() => Account, { description: 'The account, as others may know it.' })
  readonly account: Account;

  @Version()
  get version(): number {
    return this.account.version;
  }

  @Visible({ description: 'Name to sign in with; unique, case ignored.' })
  get username(): string {
    return this.account.username;
  }

  @Visible({ description: 'Name as shown to others.' })
  get name(): string {
    return this.account.name;
  }

  @Visible(() => Email, {
    nullable: true,
    description: 'E-mail address; unique, case ignored. Null when none was given.',
  })
  get email(): string | null {
    return this.account.email;
  }

  @Visible(() => DateTime, {
    nullable: true,
    description:
      'When the account showed, or an administrator vouched, that it receives mail at `email`, ' +
      'in UTC; null until then.',
  })
  get emailProvenAt(): Date | null {
    return this.account.emailProvenAt;
  }

  @Visible(() => TimeZone, {
    nullable: true,
    description: 'IANA name of the time zone; null until it is known.',
  })
  get timeZone(): string | null {
    return this.account.timeZone;
  }

  @Rows(8)
  @Visible(() => [Role], { description: 'What the account may do.' })
  get roles(): readonly Role[] {
    return this.account.roles;
  }

  @Visible(() => Boolean, { description: 'Whether this is a guest who has not signed up yet.' })
  get isGuest(): boolean {
    return this.account.guest;
  }

  @Visible(() => DateTime, { description: 'When the account was made, in UTC.' })
  get createdAt(): Date {
    return this.account.createdAt;
  }
}
