import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import { Access, anyone, capable } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { type Filter, FilterBy } from '../../../core/filtering.js';
import { IdArg, InputArg } from '../../../core/marks.js';
import { type Order, OrderBy } from '../../../core/ordering.js';
import { type Page, PageArgs } from '../../../core/paging.js';
import { Mutation, Query } from '../../../core/root-fields.js';
import { problemOf } from './saved-document.js';
import {
  CreateSavedReportInput,
  DeleteSavedReportInput,
  UpdateSavedReportInput,
} from './saved-report.inputs.js';
import {
  addressOf,
  createSavedReport,
  deleteSavedReport,
  savedReportList,
  savedReportOf,
  updateSavedReport,
} from './saved-report.service.js';
import {
  CreateSavedReportPayload,
  DeleteSavedReportPayload,
  SavedReport,
  SavedReportConnection,
  UpdateSavedReportPayload,
} from './saved-report.types.js';

/** Saved reports: for those who may read the schema, and so write a document. */
@Resolver(() => SavedReport)
export class SavedReportResolver {
  @Access(capable('introspect'))
  @Query(() => SavedReport, {
    description:
      'A saved report: an own one, or one that is shared. For clinicians, analysts and ' +
      'administrators. SAVED_REPORT_NOT_FOUND, with a sentence for people, also for one of ' +
      'somebody else that is not shared.',
  })
  async savedReport(
    @Ctx() context: RequestContext,
    @IdArg('id', 'SavedReport', { description: 'Which report.' }) id: number,
  ): Promise<SavedReport> {
    return savedReportOf(context, id);
  }

  @Access(anyone)
  @FieldResolver(() => String, {
    description:
      'Its address: it opens the report in the playground, for whoever may see it. The files ' +
      'of its answer are at /graphql/reports/ID.csv, .xlsx and .json.',
  })
  url(@Ctx() { siteUrl }: RequestContext, @Root() { id }: SavedReport): string {
    return addressOf(siteUrl, id);
  }

  @Access(anyone)
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Why it cannot be run any more, as a sentence: it asks for fields that are gone. null for ' +
      'one that can.',
  })
  problem(@Info() { schema }: GraphQLResolveInfo, @Root() { query }: SavedReport): string | null {
    return problemOf(schema, query);
  }

  @Access(capable('introspect'))
  @Rows(100)
  @Query(() => SavedReportConnection, {
    description:
      'The own saved reports and those that others share, newest first; 100 unless said ' +
      'otherwise. For clinicians, analysts and administrators. CURSOR_INVALID, PAGE_SIZES_BOTH.',
  })
  async savedReports(
    @Ctx() context: RequestContext,
    @Args(() => PageArgs) page: PageArgs,
    @OrderBy(savedReportList) order: Order | null | undefined,
    @FilterBy(savedReportList) filter: Filter | null | undefined,
  ): Promise<Page<SavedReport>> {
    return savedReportList.page(context, page, order, filter);
  }

  @Access(capable('introspect'))
  @Mutation(() => CreateSavedReportPayload, {
    description:
      'Saves a report, at most 100 of an account. For clinicians, analysts and administrators. ' +
      'REPORT_DOCUMENT_INVALID, SAVED_REPORTS_FULL.',
  })
  async createSavedReport(
    @Ctx() context: RequestContext,
    @Info() { schema }: GraphQLResolveInfo,
    @InputArg(CreateSavedReportInput) input: CreateSavedReportInput,
  ): Promise<{ savedReport: SavedReport }> {
    return { savedReport: await createSavedReport(context, schema, input) };
  }

  @Access(capable('introspect'))
  @Mutation(() => UpdateSavedReportPayload, {
    description:
      'Changes an own saved report. SAVED_REPORT_NOT_FOUND, FORBIDDEN for that of somebody else, ' +
      'CONFLICT, REPORT_DOCUMENT_INVALID.',
  })
  async updateSavedReport(
    @Ctx() context: RequestContext,
    @Info() { schema }: GraphQLResolveInfo,
    @InputArg(UpdateSavedReportInput) input: UpdateSavedReportInput,
  ): Promise<{ savedReport: SavedReport }> {
    return { savedReport: await updateSavedReport(context, schema, input) };
  }

  @Access(capable('introspect'))
  @Mutation(() => DeleteSavedReportPayload, {
    description:
      'Deletes an own saved report for good. SAVED_REPORT_NOT_FOUND, FORBIDDEN for that of ' +
      'somebody else.',
  })
  async deleteSavedReport(
    @Ctx() context: RequestContext,
    @InputArg(DeleteSavedReportInput) { id }: DeleteSavedReportInput,
  ): Promise<{ savedReport: SavedReport }> {
    return { savedReport: await deleteSavedReport(context, id) };
  }
}
