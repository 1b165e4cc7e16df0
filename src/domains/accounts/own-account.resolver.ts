import { Arg, Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { Rows } from '../../core/cost.js';
import { type Page, PageArgs } from '../../core/paging.js';
import { type AuditEvent, AuditEventConnection } from '../audit/audit.types.js';
import { listEvents } from '../audit/audit-list.service.js';
import { Language } from '../site/language.types.js';
import { languagesOfAccounts } from './account-language.service.js';
import { asOwner } from './own-account.service.js';
import { OwnAccount } from './own-account.types.js';

/** Fields of the viewer: its language, and what the audit holds about it. */
@Resolver(() => OwnAccount)
export class OwnAccountResolver {
  @Access(anyone)
  @FieldResolver(() => Language, {
    nullable: true,
    description: 'The language in which the account is written to.',
  })
  async language(
    @Ctx() context: RequestContext,
    @Root() { account }: OwnAccount,
  ): Promise<Language | undefined> {
    return context.loader(languagesOfAccounts).load(account.languageId);
  }

  @Access(anyone)
  @Rows(100)
  @FieldResolver(() => AuditEventConnection, {
    nullable: true,
    description:
      "What the audit holds about the viewer, newest first: who looked at the viewer's data, " +
      'and when. 100 events unless said otherwise. CURSOR_INVALID, PAGE_SIZES_BOTH.',
  })
  async auditEvents(
    @Ctx() context: RequestContext,
    @Root() viewer: OwnAccount,
    @Arg('own', () => Boolean, {
      nullable: true,
      description: 'Also what the viewer did, as signing in. Default false.',
    })
    own: boolean | null | undefined,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<Page<AuditEvent>> {
    const scope = { subjectId: viewer.id, byOthers: !own };
    return listEvents(asOwner(context, viewer), scope, page);
  }
}
