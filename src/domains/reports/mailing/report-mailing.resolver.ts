import { Arg, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Access, anyone, bySession, capable } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { InputArg } from '../../../core/marks.js';
import { Mutation } from '../../../core/root-fields.js';
import { SearchText } from '../../../core/scalars.js';
import { SavedReport } from '../saved/saved-report.types.js';
import { DeleteReportMailingInput, SetReportMailingInput } from './report-mailing.inputs.js';
import {
  deleteReportMailing,
  mailingsOfReports,
  possibleRecipients,
  setReportMailing,
} from './report-mailing.service.js';
import {
  DeleteReportMailingPayload,
  ReportMailing,
  ReportRecipient,
  SetReportMailingPayload,
} from './report-mailing.types.js';

/** Saved reports by mail. */
@Resolver(() => SavedReport)
export class ReportMailingResolver {
  @Access(anyone)
  @FieldResolver(() => ReportMailing, {
    nullable: true,
    description: 'When it is mailed to whom; null when it is not, and to all but who saved it.',
  })
  async mailing(
    @Ctx() context: RequestContext,
    @Root() { id, isOwn }: SavedReport,
  ): Promise<ReportMailing | undefined> {
    return isOwn ? context.loader(mailingsOfReports).load(id) : undefined;
  }

  @Access(anyone)
  @Rows(200)
  @FieldResolver(() => [ReportRecipient], {
    nullable: true,
    description:
      'Accounts that may see it and have a proven address: the viewer, and others when it is shared. ' +
      'At most 200: first those who get it, then by name. null to all but who saved it.',
  })
  async possibleRecipients(
    @Ctx() context: RequestContext,
    @Root() report: SavedReport,
    @Arg('search', () => SearchText, {
      nullable: true,
      description: 'A part of the name; case and accents are ignored.',
    })
    search: string | null | undefined,
  ): Promise<ReportRecipient[] | undefined> {
    return report.isOwn ? possibleRecipients(context, report, search) : undefined;
  }

  @Access(bySession(capable('introspect')))
  @Mutation(() => SetReportMailingPayload, {
    description:
      'Has an own saved report mailed each week or month: a link, and no number. Each who gets it ' +
      'may end that by a link in the mail. Who may not see it any more is left out, and the ' +
      'viewer is told by mail. SAVED_REPORT_NOT_FOUND, FORBIDDEN for that of somebody else, ' +
      'DATE_INVALID, TOO_MANY, REPORT_RECIPIENT_INVALID, EMAIL_UNPROVEN.',
  })
  async setReportMailing(
    @Ctx() context: RequestContext,
    @InputArg(SetReportMailingInput) input: SetReportMailingInput,
  ): Promise<{ reportMailing: ReportMailing }> {
    return { reportMailing: await setReportMailing(context, input) };
  }

  @Access(capable('introspect'))
  @Mutation(() => DeleteReportMailingPayload, {
    description:
      'Ends the mails of an own saved report. SAVED_REPORT_NOT_FOUND, FORBIDDEN for that of ' +
      'somebody else, REPORT_MAILING_NOT_FOUND.',
  })
  async deleteReportMailing(
    @Ctx() context: RequestContext,
    @InputArg(DeleteReportMailingInput) { reportId }: DeleteReportMailingInput,
  ): Promise<{ reportMailing: ReportMailing }> {
    return { reportMailing: await deleteReportMailing(context, reportId) };
  }
}
