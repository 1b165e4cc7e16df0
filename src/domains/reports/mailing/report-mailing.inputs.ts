import { Field, InputType, Int } from 'type-graphql';
import { IdField, IdsField } from '../../../core/marks.js';
import { MailEvery } from './report-mailing.types.js';

/** Accounts that a report is mailed to. */
export const MOST_RECIPIENTS = 50;

@InputType({ description: 'When a saved report is mailed to whom, instead of before.' })
export class SetReportMailingInput {
  @IdField('SavedReport', { description: 'The report, an own one.' })
  reportId!: number;

  @Field(() => MailEvery, { description: 'How often.' })
  every!: MailEvery;

  @Field(() => Int, {
    description:
      '1 for Monday to 7 each week; 1 to 31 each month, the last day of shorter months. ' +
      'DATE_INVALID.',
  })
  day!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'The hour, 0 to 23, by the clocks of the viewer. Default 7. DATE_INVALID.',
  })
  hour?: number | null;

  @IdsField('Account', {
    description:
      `1 to ${MOST_RECIPIENTS} accounts that may see the report and have a proven address: see ` +
      '`SavedReport.possibleRecipients`. TOO_MANY, REPORT_RECIPIENT_INVALID.',
  })
  recipientIds!: number[];
}

@InputType({ description: 'A saved report that is not mailed from now on.' })
export class DeleteReportMailingInput {
  @IdField('SavedReport', { description: 'The report, an own one.' })
  reportId!: number;
}
