import { Arg, Args, Ctx, Query, Resolver } from 'type-graphql';
import { Access, capable, signedIn } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { Rows } from '../../core/cost.js';
import { type Page, PageArgs } from '../../core/paging.js';
import { AuditFilter } from './audit.inputs.js';
import { type AuditEvent, AuditEventConnection } from './audit.types.js';
import { auditReading, listEvents } from './audit-list.service.js';

/** Root fields of the audit. */
@Resolver()
export class AuditResolver {
  @Access(capable('read_audit'))
  @Rows(100)
  @Query(() => AuditEventConnection, {
    nullable: true,
    description:
      'The audit, newest first; 100 events unless said otherwise. For administrators; reading it ' +
      'is an event itself. CURSOR_INVALID, PAGE_SIZES_BOTH.',
  })
  async auditEvents(
    @Ctx() context: RequestContext,
    @Arg('filter', () => AuditFilter, {
      nullable: true,
      description: 'Which events. Default: all.',
    })
    filter: AuditFilter | null | undefined,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<Page<AuditEvent>> {
    const scope = filter ?? {};
    await auditReading(context, scope);
    return listEvents(context, scope, page);
  }

  @Access(signedIn)
  @Rows(100)
  @Query(() => AuditEventConnection, {
    nullable: true,
    description:
      "What the audit holds about the viewer, newest first: who looked at the viewer's data, when, " +
      'and with which right. 100 events unless said otherwise. CURSOR_INVALID, PAGE_SIZES_BOTH.',
  })
  async myAudit(
    @Ctx() context: RequestContext,
    @Arg('own', () => Boolean, {
      nullable: true,
      description: 'Also what the viewer did, as signing in. Default false.',
    })
    own: boolean | null | undefined,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<Page<AuditEvent>> {
    return listEvents(context, { subjectId: context.viewer.id, byOthers: !own }, page);
  }
}
