import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { AuditEvent } from '../audit/audit.types.js';
import { accountsById } from './account.service.js';
import { Account } from './account.types.js';

/** Resolves the accounts of an audit event from its ids. */
@Resolver(() => AuditEvent)
export class AuditPersonResolver {
  @Access(anyone)
  @FieldResolver(() => Account, {
    nullable: true,
    description: 'Who did it; null for the service, the anonymous and accounts that are erased.',
  })
  async actor(
    @Ctx() context: RequestContext,
    @Root() { actorNumber }: AuditEvent,
  ): Promise<Account | undefined> {
    return actorNumber === null ? undefined : context.loader(accountsById).load(actorNumber);
  }

  @Access(anyone)
  @FieldResolver(() => Account, {
    nullable: true,
    description: 'Whom it is about; null for nobody and for accounts that are erased.',
  })
  async subject(
    @Ctx() context: RequestContext,
    @Root() { subjectNumber }: AuditEvent,
  ): Promise<Account | undefined> {
    return subjectNumber === null ? undefined : context.loader(accountsById).load(subjectNumber);
  }
}
