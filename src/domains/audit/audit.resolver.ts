import { Arg, Args, Ctx, Resolver } from 'type-graphql';
import { Access, capable } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { Rows } from '../../core/cost.js';
import { type Order, OrderBy } from '../../core/ordering.js';
import { type Page, PageArgs } from '../../core/paging.js';
import { Query } from '../../core/root-fields.js';
import { AuditFilter } from './audit.inputs.js';
import { type AuditEvent, AuditEventConnection } from './audit.types.js';
import { AUDIT_ORDERS, auditReading, listEvents } from './audit-list.service.js';

/** Root fields of the audit. */
@Resolver()
export class AuditResolver {
  @Access(capable('read_audit'))
  @Rows(100)
  @Query(() => AuditEventConnection, {
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
    @OrderBy(AUDIT_ORDERS) order: Order | null | undefined,
  ): Promise<Page<AuditEvent>> {
    const scope = filter ?? {};
    await auditReading(context, scope);
    return listEvents(context, scope, page, order);
  }
}
