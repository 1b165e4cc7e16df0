import { Arg, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { Access, anyone, capable, signedIn } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { Rows } from '../../core/cost.js';
import type { Page } from '../../core/paging.js';
import { Cursor, PageSize } from '../../core/scalars.js';
import { AuditFilter } from './audit.inputs.js';
import { type AuditEvent, AuditEventConnection } from './audit.types.js';
import { type AuditScope, auditReading, countEvents, listEvents } from './audit-list.service.js';

/** A page of events with its scope, which `totalCount` needs. */
type Listed = Page<AuditEvent> & { scope: AuditScope };

/** Root fields of the audit. */
@Resolver()
export class AuditResolver {
  @Access(capable('read_audit'))
  @Rows(100)
  @Query(() => AuditEventConnection, {
    description:
      'The audit, newest first. For administrators; reading it is an event itself. CURSOR_INVALID.',
  })
  async auditEvents(
    @Ctx() context: RequestContext,
    @Arg('filter', () => AuditFilter, {
      nullable: true,
      description: 'Which events. Default: all.',
    })
    filter?: AuditFilter | null,
    @Arg('first', () => PageSize, { nullable: true, description: 'How many at most. Default 100.' })
    first?: number | null,
    @Arg('after', () => Cursor, { nullable: true, description: 'Cursor of the row before.' })
    after?: string | null,
  ): Promise<Listed> {
    const scope = filter ?? {};
    await auditReading(context, scope);
    return { ...(await listEvents(context, scope, first ?? 100, after)), scope };
  }

  @Access(signedIn)
  @Rows(100)
  @Query(() => AuditEventConnection, {
    description:
      "What the audit holds about the viewer, newest first: who looked at the viewer's data, when, and with which right.",
  })
  async myAudit(
    @Ctx() context: RequestContext,
    @Arg('own', () => Boolean, {
      nullable: true,
      description: 'Also what the viewer did, as signing in. Default false.',
    })
    own?: boolean | null,
    @Arg('first', () => PageSize, { nullable: true, description: 'How many at most. Default 100.' })
    first?: number | null,
    @Arg('after', () => Cursor, {
      nullable: true,
      description: 'Cursor of the row before. CURSOR_INVALID.',
    })
    after?: string | null,
  ): Promise<Listed> {
    const scope = { subjectId: context.viewer.id, byOthers: !own };
    return { ...(await listEvents(context, scope, first ?? 100, after)), scope };
  }
}

/** Counts the events of a list. */
@Resolver(() => AuditEventConnection)
export class AuditCountResolver {
  @Access(anyone)
  @FieldResolver(() => Int, { description: 'How many events match.' })
  async totalCount(@Ctx() context: RequestContext, @Root() { scope }: Listed): Promise<number> {
    return countEvents(context, scope);
  }
}

/** The resolvers of this file, for the schema. */
export const AUDIT_RESOLVERS = [AuditResolver, AuditCountResolver] as const;
