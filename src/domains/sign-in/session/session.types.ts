import { Int, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Internal } from '../../../core/marks.js';
import { Node, TextKey } from '../../../core/node.js';
import { connectionType } from '../../../core/paging.js';
import { DateTime } from '../../../core/scalars.js';
import { Account } from '../../accounts/account.types.js';
import { OwnAccount } from '../../accounts/own-account.types.js';

@TextKey()
@ObjectType({
  implements: Node,
  description: 'A client in which the account is signed in. Shown to the account alone.',
})
export class Session {
  constructor(
    row: { id: string; userAgent: string; createdAt: Date; usedAt: Date },
    currentId: string | undefined,
  ) {
    this.id = row.id;
    this.userAgent = row.userAgent;
    this.createdAt = row.createdAt;
    this.lastUsedAt = row.usedAt;
    this.isCurrent = row.id === currentId;
  }

  /** The UUID of the session. */
  id: string;

  @Visible(() => String, {
    description:
      'What the client that signed in called itself (User-Agent); empty when it did not say.',
  })
  userAgent: string;

  @Visible(() => DateTime, { description: 'When it signed in, in UTC.' })
  createdAt: Date;

  @Visible(() => DateTime, {
    description:
      'When it last refreshed its tokens, in UTC; a client in use does so every 15 minutes.',
  })
  lastUsedAt: Date;

  @Visible(() => Boolean, { description: 'Whether this is the session that asks.' })
  isCurrent: boolean;
}

/** A page of sessions. */
export const SessionConnection = connectionType(Session, 'Session', 'a session');

@ObjectType({
  description: 'A started session: what signing in, signing up and refreshing return.',
})
export class SessionPayload {
  @Visible({ description: 'Access token (JWT) for `Authorization: Bearer`. Good for 15 minutes.' })
  token!: string;

  @Visible({
    description:
      'Exchanged for the next pair of tokens. Ends when the session is not used for 90 days.',
  })
  refreshToken!: string;

  @Internal()
  @Visible({ description: 'Always "Bearer".' })
  tokenType!: string;

  @Visible(() => Int, { description: 'Seconds until `token` expires.' })
  expiresIn!: number;

  @Internal()
  @Visible(() => Account, { description: 'Who signed in.' })
  user!: Account;

  @Visible(() => OwnAccount, { description: 'Who signed in.' })
  get viewer(): OwnAccount {
    return new OwnAccount(this.user);
  }
}
