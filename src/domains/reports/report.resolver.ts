import type { GraphQLResolveInfo } from 'graphql';
import { Args, type ClassType, Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import { Access, anyone, capable, signedIn } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { Rows } from '../../core/cost.js';
import { Dear } from '../../core/dear-work.js';
import { Internal } from '../../core/marks.js';
import { Query } from '../../core/root-fields.js';
import { selectionOf } from '../../core/selection.js';
import { SUBJECTS } from './catalogue/catalogue.js';
import { doseSubject } from './catalogue/dose.subject.js';
import type { Subject } from './catalogue/subject.js';
import { judgeReport } from './question.js';
import { type ReportArgs, reportArgs } from './report.inputs.js';
import { report } from './report.service.js';
import { type ReportResult, reportType } from './report.types.js';
import { ReportChart, ReportStatistics } from './report-rest.types.js';
import { chartOf, statisticsOf } from './rest-report.service.js';

const ERRORS =
  'The dimensions that are selected in `rows` are those by which it is grouped. FORBIDDEN, ' +
  'DATE_INVALID, RANGE_TOO_LONG, TOO_MANY_DIMENSIONS, TOO_MANY, ORDER_INVALID, FILTER_INVALID, ' +
  'TOO_EXPENSIVE beyond some 50,000 cells, or where different people of very many are counted, ' +
  'REPORT_BUDGET_SPENT after 3,000 ' +
  'questions about all members in 30 days.';
const OWN =
  'Whoever may not read reports is answered about the own doses, exactly, in at most 366 days. ';

/** Makes the resolver of a subject's root field. */
function resolverOf(subject: Subject, Report: ClassType): ClassType {
  const Arguments = reportArgs(subject);
  const own = subject === doseSubject;
  @Resolver()
  class ReportResolver {
    @Access(own ? signedIn : capable('read_reports'))
    @Rows(1_000)
    @Dear()
    @judgeReport(subject)
    @Query(() => Report, {
      name: `${subject.name}Report`,
      description: `${subject.description} ${own ? OWN : ''}${ERRORS}`,
    })
    async report(
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
      @Args(() => Arguments) args: ReportArgs,
    ): Promise<ReportResult> {
      return report(context, subject, args, selectionOf(info));
    }
  }
  return ReportResolver;
}

const DoseReport = reportType(doseSubject);

/** The bodies of the two reports of the REST editions. */
@Resolver(() => DoseReport)
class RestReportResolver {
  @Internal()
  @Access(anyone)
  @FieldResolver(() => ReportChart, { description: 'What /v1/report/chart answers.' })
  async chart(@Ctx() context: RequestContext, @Root() result: ReportResult): Promise<ReportChart> {
    return chartOf(context, result);
  }

  @Internal()
  @Access(anyone)
  @FieldResolver(() => ReportStatistics, { description: 'What /v1/report/statistics answers.' })
  async statistics(
    @Ctx() context: RequestContext,
    @Root() result: ReportResult,
  ): Promise<ReportStatistics> {
    return statisticsOf(context, result);
  }
}

/** The resolvers of all subjects. */
export const REPORT_RESOLVERS = [
  RestReportResolver,
  ...SUBJECTS.map((subject) =>
    resolverOf(subject, subject === doseSubject ? DoseReport : reportType(subject)),
  ),
] as const;
