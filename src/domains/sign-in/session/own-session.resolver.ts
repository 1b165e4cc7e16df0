import { Args, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { Access, anyone, capable, signedIn } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { InputArg } from '../../../core/marks.js';
import { type Page, PageArgs } from '../../../core/paging.js';
import { payloadType } from '../../../core/payload.js';
import { Mutation } from '../../../core/root-fields.js';
import { asOwner } from '../../accounts/own-account.service.js';
import { OwnAccount } from '../../accounts/own-account.types.js';
import { listSessions } from './own-session.service.js';
import { EndSessionInput, EndSessionsOfInput } from './session.inputs.js';
import { endSession, endSessionsOf, signOut, signOutEverywhere } from './session.service.js';
import { Session, SessionConnection } from './session.types.js';

interface EndedSession {
  readonly session: Session;
}

const ENDED = { type: () => Session, description: 'The session, as it was.' };
const EndSessionPayload = payloadType<EndedSession>('EndSession', { session: ENDED });
const SignOutPayload = payloadType<EndedSession>('SignOut', { session: ENDED });

interface EndedSessions {
  readonly endedSessions: number;
}

const endedSessions = { type: () => Int, description: 'How many sessions ended.' };
const SignOutEverywherePayload = payloadType<EndedSessions>('SignOutEverywhere', { endedSessions });
const EndSessionsOfPayload = payloadType<EndedSessions>('EndSessionsOf', { endedSessions });

/** The viewer's sessions, and root fields that end them and those of others. */
@Resolver(() => OwnAccount)
export class OwnSessionResolver {
  @Access(anyone)
  @Rows(100)
  @FieldResolver(() => SessionConnection, {
    nullable: true,
    description:
      'Where the viewer is signed in, the last used first; 100 unless said otherwise. ' +
      'CURSOR_INVALID, PAGE_SIZES_BOTH.',
  })
  async sessions(
    @Ctx() context: RequestContext,
    @Root() viewer: OwnAccount,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<Page<Session>> {
    return listSessions(asOwner(context, viewer), page);
  }

  @Access(signedIn)
  @Mutation(() => EndSessionPayload, {
    description:
      'Ends one of the own sessions: its tokens are refused within a second. SESSION_NOT_FOUND.',
  })
  async endSession(
    @Ctx() context: RequestContext,
    @InputArg(EndSessionInput) input: EndSessionInput,
  ): Promise<EndedSession> {
    return { session: await endSession(context, input) };
  }

  @Access(signedIn)
  @Mutation(() => SignOutPayload, {
    description:
      'Ends the session that asks. SESSION_NOT_FOUND when the viewer signed in without one.',
  })
  async signOut(@Ctx() context: RequestContext): Promise<EndedSession> {
    return { session: await signOut(context) };
  }

  @Access(signedIn)
  @Mutation(() => SignOutEverywherePayload, {
    description: 'Ends all own sessions, the one that asks included. Application passwords stay.',
  })
  async signOutEverywhere(@Ctx() context: RequestContext): Promise<EndedSessions> {
    return { endedSessions: await signOutEverywhere(context) };
  }

  @Access(capable('manage_accounts'))
  @Mutation(() => EndSessionsOfPayload, {
    description:
      'Ends all sessions of an account: their tokens are refused within a second. Application ' +
      'passwords stay. For administrators; audited. USER_NOT_FOUND.',
  })
  async endSessionsOf(
    @Ctx() context: RequestContext,
    @InputArg(EndSessionsOfInput) input: EndSessionsOfInput,
  ): Promise<EndedSessions> {
    return { endedSessions: await endSessionsOf(context, input) };
  }
}
