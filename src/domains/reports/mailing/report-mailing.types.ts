import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import { Rows } from '../../../core/cost.js';
import { globalId } from '../../../core/node.js';
import { payloadType } from '../../../core/payload.js';
import { DateTime } from '../../../core/scalars.js';

/** How often a report is mailed. */
export enum MailEvery {
  WEEK = 'week',
  MONTH = 'month',
}

registerEnumType(MailEvery, {
  name: 'MailEvery',
  description: 'How often a report is mailed.',
  valuesConfig: {
    WEEK: { description: 'Once a week.' },
    MONTH: { description: 'Once a month.' },
  },
});

@ObjectType({ description: 'An account that may get a report by mail, or does.' })
export class ReportRecipient {
  accountId!: number;

  @Access(anyone)
  @Field(() => ID, { name: 'accountId', description: 'Global id of the account.' })
  get account(): string {
    return globalId('Account', this.accountId);
  }

  @Access(anyone)
  @Field({ description: 'Its name.' })
  name!: string;

  @Access(anyone)
  @Field({
    description: 'Whether it wants no mails of this report, which its owner cannot change.',
  })
  isUnsubscribed!: boolean;
}

@ObjectType({ description: 'When a saved report is mailed to whom. Shown to who saved it.' })
export class ReportMailing {
  id!: number;
  reportId!: number;

  @Access(anyone)
  @Field(() => MailEvery, { description: 'How often.' })
  every!: MailEvery;

  @Access(anyone)
  @Field(() => Int, { description: '1 for Monday to 7 each week, or 1 to 31 each month.' })
  day!: number;

  @Access(anyone)
  @Field(() => Int, { description: 'The hour, by the clocks of who saved the report.' })
  hour!: number;

  @Access(anyone)
  @Field(() => DateTime, { description: 'When the next mail is due.' })
  dueAt!: Date;

  @Access(anyone)
  @Rows(50)
  @Field(() => [ReportRecipient], { description: 'Who gets it, by name.' })
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
