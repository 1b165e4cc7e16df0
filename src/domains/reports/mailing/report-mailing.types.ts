import { ID, Int, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { Rows } from '../../../core/cost.js';
import { type EnumValue, enumType } from '../../../core/enum-type.js';
import { globalId } from '../../../core/node.js';
import { payloadType } from '../../../core/payload.js';
import { DateTime } from '../../../core/scalars.js';

/** How often a report is mailed. */
export const MailEvery = enumType('MailEvery', 'How often a report is mailed.', {
  WEEK: ['week', 'Once a week.'],
  MONTH: ['month', 'Once a month.'],
});
export type MailEvery = EnumValue<typeof MailEvery>;

@ObjectType({ description: 'An account that may get a report by mail, or does.' })
export class ReportRecipient {
  accountId!: number;

  @Visible(() => ID, { name: 'accountId', description: 'Global id of the account.' })
  get account(): string {
    return globalId('Account', this.accountId);
  }

  @Visible({ description: 'Its name.' })
  name!: string;

  @Visible({
    description: 'Whether it wants no mails of this report, which its owner cannot change.',
  })
  isUnsubscribed!: boolean;
}

@ObjectType({ description: 'When a saved report is mailed to whom. Shown to who saved it.' })
export class ReportMailing {
  id!: number;
  reportId!: number;

  @Visible(() => MailEvery, { description: 'How often.' })
  every!: MailEvery;

  @Visible(() => Int, { description: '1 for Monday to 7 each week, or 1 to 31 each month.' })
  day!: number;

  @Visible(() => Int, { description: 'The hour, by the clocks of who saved the report.' })
  hour!: number;

  @Visible(() => DateTime, { description: 'When the next mail is due.' })
  dueAt!: Date;

  @Rows(50)
  @Visible(() => [ReportRecipient], { description: 'Who gets it, by name.' })
  recipients!: ReportRecipient[];
}

const PART = { type: () => ReportMailing };

/** The payload of `setReportMailing`. */
export const SetReportMailingPayload = payloadType<{ reportMailing: ReportMailing }>(
  'SetReportMailing',
  { reportMailing: { ...PART, description: 'When it is mailed to whom, as it is now.' } },
);

/** The payload of `deleteReportMailing`. */
export const DeleteReportMailingPayload = payloadType<{ reportMailing: ReportMailing }>(
  'DeleteReportMailing',
  { reportMailing: { ...PART, description: 'When it was mailed to whom.' } },
);
