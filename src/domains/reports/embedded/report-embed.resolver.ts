import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import { Access, anyone, bySession, capable } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { type Filter, FilterBy } from '../../../core/filtering.js';
import { InputArg } from '../../../core/marks.js';
import { type Order, OrderBy } from '../../../core/ordering.js';
import { type Page, PageArgs } from '../../../core/paging.js';
import { Mutation, Query } from '../../../core/root-fields.js';
import { visibleReports } from '../saved/saved-report.service.js';
import { SavedReport } from '../saved/saved-report.types.js';
import { CreateReportEmbedInput, RevokeReportEmbedInput } from './report-embed.inputs.js';
import { createReportEmbed, reportEmbedList, revokeReportEmbed } from './report-embed.service.js';
import {
  type CreatedEmbed,
  CreateReportEmbedPayload,
  ReportEmbed,
  ReportEmbedConnection,
  RevokeReportEmbedPayload,
} from './report-embed.types.js';

/** Saved reports in frames: for those who may read reports, since everybody sees them there. */
@Resolver(() => ReportEmbed)
export class ReportEmbedResolver {
  @Access(capable('introspect'))
  @Rows(100)
  @Query(() => ReportEmbedConnection, {
    description:
      'The embedded reports that the viewer made, and those of own reports; for administrators ' +
      'all. Those that ended are listed for 30 days. The newest first; 100 unless said otherwise. ' +
      'CURSOR_INVALID, PAGE_SIZES_BOTH.',
  })
  async reportEmbeds(
    @Ctx() context: RequestContext,
    @Args(() => PageArgs) page: PageArgs,
    @OrderBy(reportEmbedList) order: Order | null | undefined,
    @FilterBy(reportEmbedList) filter: Filter | null | undefined,
  ): Promise<Page<ReportEmbed>> {
    return reportEmbedList.page(context, page, order, filter);
  }

  @Access(anyone)
  @FieldResolver(() => SavedReport, {
    nullable: true,
    description: 'The saved report; null when it was deleted, or the viewer does not see it.',
  })
  async report(
    @Ctx() context: RequestContext,
    @Root() { reportId }: ReportEmbed,
  ): Promise<SavedReport | undefined> {
    return reportId === null ? undefined : context.loader(visibleReports).load(reportId);
  }

  @Access(bySession(capable('read_reports')))
  @Mutation(() => CreateReportEmbedPayload, {
    description:
      'Shows a saved report in frames of some origins to whoever has the address, as analysts see ' +
      'it: for who saved it, and for administrators who see it. At most 20 of an account at a ' +
      'time. Its numbers are at most 6 hours old, and each answer counts among the questions of ' +
      'who made it. Changes of an own report are shown; that of somebody else stays as it was ' +
      'embedded. SAVED_REPORT_NOT_FOUND, FORBIDDEN, REPORT_NOT_EMBEDDABLE, TOO_MANY, ' +
      'DATE_INVALID, REPORT_EMBEDS_FULL, EMAIL_UNPROVEN.',
  })
  async createReportEmbed(
    @Ctx() context: RequestContext,
    @Info() { schema }: GraphQLResolveInfo,
    @InputArg(CreateReportEmbedInput) input: CreateReportEmbedInput,
  ): Promise<CreatedEmbed> {
    return createReportEmbed(context, schema, input);
  }

  @Access(capable('introspect'))
  @Mutation(() => RevokeReportEmbedPayload, {
    description:
      'Ends an embedded report at once, on all processes: for who made it, for who saved the ' +
      'report, and for administrators. Again changes nothing. REPORT_EMBED_NOT_FOUND.',
  })
  async revokeReportEmbed(
    @Ctx() context: RequestContext,
    @InputArg(RevokeReportEmbedInput) { id }: RevokeReportEmbedInput,
  ): Promise<{ reportEmbed: ReportEmbed }> {
    return { reportEmbed: await revokeReportEmbed(context, id) };
  }
}
