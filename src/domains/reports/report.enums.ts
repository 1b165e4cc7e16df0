import { type EnumValue, enumType } from '../../core/enum-type.js';

/** With what a report is compared. */
export const ReportComparison = enumType('ReportComparison', 'With what a report is compared.', {
  PREVIOUS_PERIOD: ['previous_period', 'As many months, or days, right before.'],
  PREVIOUS_YEAR: [
    'previous_year',
    'The same dates a year before; by week, 52 weeks before. A range with ' +
      '29 February that is not of whole months has no such dates.',
  ],
});
export type ReportComparison = EnumValue<typeof ReportComparison>;

/** The length of the spans that rows are of. */
export const ReportGrain = enumType(
  'ReportGrain',
  'The length of the spans that `date` of rows stands for.',
  {
    DAY: ['day', 'Days.'],
    WEEK: ['week', 'Weeks, from `weekStart` on.'],
    MONTH: ['month', 'Months of the calendar.'],
    QUARTER: ['quarter', 'Quarters of the calendar.'],
  },
);
export type ReportGrain = EnumValue<typeof ReportGrain>;

/** On which day weeks begin; the values are those of `weekday`. */
export const ReportWeekStart = enumType('ReportWeekStart', 'On which day weeks begin.', {
  MONDAY: [1, 'As ISO 8601 has it. These weeks have cells of their own.'],
  SATURDAY: [6, 'Such weeks are added up of days, and are null where one is hidden.'],
  SUNDAY: [7, 'Likewise.'],
});
export type ReportWeekStart = EnumValue<typeof ReportWeekStart>;

/** Why numbers are null. */
export const ReportWithheld = enumType('ReportWithheld', 'Why measures are null.', {
  FEW_ACCOUNTS: [
    'few_accounts',
    'Too few accounts are behind it, or one of them adds more than a third. Only accounts with a ' +
      'proven address that are older than a week count. The threshold is secret, 3 to 9; a text ' +
      'that people write themselves needs twenty. Behind each part of it where an earlier version ' +
      'made only these.',
  ],
  PARTLY_FEW_ACCOUNTS: [
    'partly_few_accounts',
    'Too few accounts are behind a part of its time, or behind some of the values of ' +
      'the filter, or none are. Ask by a longer time, for a range of whole weeks, months or ' +
      'quarters, or for other values.',
  ],
  UNEQUAL_SPANS: [
    'unequal_spans',
    'What is compared or averaged is not of equal parts: the weeks, months or quarters of the ' +
      'period before do not lie as those of the range, it has other days of the week, or a part of ' +
      'the range is not over yet. End the range yesterday.',
  ],
  ACCOUNTS_UNKNOWN: [
    'accounts_unknown',
    'Measures that count different accounts are null, and only these: who is in several parts ' +
      'of the time is not known, since some were made by an earlier version or before the ' +
      'secret key was replaced. Ask by month or by day.',
  ],
  BEFORE_RANGE: [
    'before_range',
    'The rows that a moving average is of begin before the range does, or the first of them does.',
  ],
  NOT_COUNTED: [
    'not_counted',
    'A month of the range was closed before this was counted. Medians and 90th percentiles are ' +
      'null, and only these, or all measures where there are no cells by a dimension that is ' +
      'asked for. Leave that out, or ask for a later range.',
  ],
  AFTER_AS_OF: [
    'after_as_of',
    'Nothing of its time is counted yet: `asOf` tells up to when facts are in the report.',
  ],
  NOT_KEPT: [
    'not_kept',
    'Its time begins more than five years ago, and numbers are kept for five years. Ask for a ' +
      'later range.',
  ],
  NO_FACTS: [
    'no_facts',
    'Medians, 90th percentiles and rates are null, and only these: there is nothing that they could ' +
      'be of, or so little that the noise hides it. Without a reason a rate is null where nothing ' +
      'happened.',
  ],
});
export type ReportWithheld = EnumValue<typeof ReportWithheld>;
