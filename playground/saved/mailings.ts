import { dataOf } from '../sending.js';

/** An account that may get a report by mail, or does. */
export interface Recipient {
  readonly accountId: string;
  readonly name: string;
  /** Whether it wants no mails of the report. */
  readonly isUnsubscribed: boolean;
}

/** When a report is mailed: 1 for Monday to 7 each week or 1 to 31 each month, at an hour. */
export interface MailTimes {
  readonly every: 'WEEK' | 'MONTH';
  readonly day: number;
  readonly hour: number;
}

/** When a report is mailed to whom. */
export interface Mailing extends MailTimes {
  /** Instant of the next mail, in ISO 8601. */
  readonly dueAt: string;
  readonly recipients: readonly Recipient[];
}

/** The mails of a report, if there are any, and who may get it. */
export interface Mailings {
  readonly mailing: Mailing | null;
  readonly possible: readonly Recipient[];
}

const RECIPIENT = 'accountId name isUnsubscribed';

/** Accounts that are offered at once. */
export const MOST_OFFERED = 200;

/** Reads the mails of an own report. `search` is a part of the names of who may get it. */
export async function readMailing(reportId: string, search?: string): Promise<Mailings> {
  const { report } = await dataOf({
    query: `query Mailing($id: ID!, $search: String) { report: savedReport(id: $id) {
      mailing { every day hour dueAt recipients { ${RECIPIENT} } }
      possible: possibleRecipients(search: $search) { ${RECIPIENT} } } }`,
    variables: { id: reportId, search },
  });
  const { mailing, possible } = report as Mailings;
  return { mailing, possible: possible ?? [] };
}

/** Sets the mails of an own report. Throws what the service says. */
export async function setMailing(
  input: MailTimes & { readonly reportId: string; readonly recipientIds: readonly string[] },
): Promise<void> {
  await dataOf({
    query: `mutation SetMailing($input: SetReportMailingInput!) {
      setReportMailing(input: $input) { reportMailing { every } } }`,
    variables: { input },
  });
}

/** Ends the mails of an own report. Throws what the service says. */
export async function endMailing(reportId: string): Promise<void> {
  await dataOf({
    query: `mutation EndMailing($input: DeleteReportMailingInput!) {
      deleteReportMailing(input: $input) { reportMailing { every } } }`,
    variables: { input: { reportId } },
  });
}
