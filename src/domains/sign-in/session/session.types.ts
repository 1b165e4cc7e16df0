import { Field, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import { DateTime } from '../../../core/scalars.js';
import { Account } from '../../accounts/account.types.js';

@ObjectType({
  description: 'A device on which the account is signed in. Shown to the account alone.',
})
export class Session {
  constructor(
    row: { id: string; userAgent: string; createdAt: Date; usedAt: Date },
    currentId: string | undefined,
  ) {
    this.id = row.id;
    this.device = row.userAgent;
    this.createdAt = row.createdAt;
    this.lastUsedAt = row.usedAt;
    this.current = row.id === currentId;
  }

  @Access(anyone)
  @Field(() => String, { description: 'Id of the session (UUID).' })
  id: string;

  @Access(anyone)
  @Field(() => String, {
    description:
      'What the client that signed in called itself (User-Agent); empty when it did not say.',
  })
  device: string;

  @Access(anyone)
  @Field(() => DateTime, { description: 'When it signed in, in UTC.' })
  createdAt: Date;

  @Access(anyone)
  @Field(() => DateTime, {
    description:
      'When it last refreshed its tokens, in UTC; a client in use does so every 15 minutes.',
  })
  lastUsedAt: Date;

  @Access(anyone)
  @Field(() => Boolean, { description: 'Whether this is the session that asks.' })
  current: boolean;
}

@ObjectType({
  description: 'A started session: what signing in, signing up and refreshing answer.',
})
export class SessionAnswer {
  @Access(anyone)
  @Field({ description: 'Access token (JWT) for `Authorization: Bearer`. Good for 15 minutes.' })
  token!: string;

  @Access(anyone)
  @Field({
    description:
      'Exchanged for the next pair of tokens. Ends when the session is not used for 90 days.',
  })
  refreshToken!: string;

  @Access(anyone)
  @Field({ description: 'Always "Bearer".' })
  tokenType!: string;

  @Access(anyone)
  @Field(() => Int, { description: 'Seconds until `token` expires.' })
  expiresIn!: number;

  @Access(anyone)
  @Field(() => Account, { description: 'Who signed in.' })
  user!: Account;
}
