import { registerEnumType } from 'type-graphql';

/** With what a report is compared. */
export enum ReportComparison {
  PREVIOUS_PERIOD = 'previous_period',
  PREVIOUS_YEAR = 'previous_year',
}

registerEnumType(ReportComparison, {
  name: 'ReportComparison',
  description: 'With what a report is compared.',
  valuesConfig: {
    PREVIOUS_PERIOD: { description: 'As many months, or days, right before.' },
    PREVIOUS_YEAR: {
      description:
        'The same dates a year before; by week, 52 weeks before. A range with ' +
        '29 February that is not of whole months has no such dates.',
    },
  },
});

/** The length of the spans that rows are of. */
export enum ReportGrain {
  DAY = 'day',
  WEEK = 'week',
  MONTH = 'month',
  QUARTER = 'quarter',
}

registerEnumType(ReportGrain, {
  name: 'ReportGrain',
  description: 'The length of the spans that `date` of rows stands for.',
  valuesConfig: {
    DAY: { description: 'Days.' },
    WEEK: { description: 'Weeks, from `weekStart` on.' },
    MONTH: { description: 'Months of the calendar.' },
    QUARTER: { description: 'Quarters of the calendar.' },
  },
});

/** On which day weeks begin; the values are those of `weekday`. */
export enum ReportWeekStart {
  MONDAY = 1,
  SATURDAY = 6,
  SUNDAY = 7,
}

registerEnumType(ReportWeekStart, {
  name: 'ReportWeekStart',
  description: 'On which day weeks begin.',
  valuesConfig: {
    MONDAY: { description: 'As ISO 8601 has it. These weeks have cells of their own.' },
    SATURDAY: { description: 'Such weeks are added up of days, and are null where one is hidden.' },
    SUNDAY: { description: 'Likewise.' },
  },
});

/** Why numbers are null. */
export enum ReportWithheld {
  FEW_ACCOUNTS = 'few_accounts',
  PARTLY_FEW_ACCOUNTS = 'partly_few_accounts',
  UNEQUAL_SPANS = 'unequal_spans',
  ACCOUNTS_UNKNOWN = 'accounts_unknown',
  BEFORE_RANGE = 'before_range',
  NOT_COUNTED = 'not_counted',
  NO_FACTS = 'no_facts',
}

registerEnumType(ReportWithheld, {
  name: 'ReportWithheld',
  description: 'Why measures are null.',
  valuesConfig: {
    FEW_ACCOUNTS: {
      description:
        'Too few accounts are behind it, or one of them adds more than a third. Only accounts with a ' +
        'proven address that are older than a week count. The threshold is secret, 3 to 9; a text ' +
        'that people write themselves needs twenty. Behind each part of it where an earlier version ' +
        'made only these.',
    },
    PARTLY_FEW_ACCOUNTS: {
      description:
        'Too few accounts are behind a part of its time, or behind some of the values of ' +
        'the filter, or none are. Ask by a longer time, for a range of whole weeks, months or ' +
        'quarters, or for other values.',
    },
    UNEQUAL_SPANS: {
      description:
        'The period before is not of equal parts: its weeks, months or quarters do not lie as ' +
        'those of the range, or the range is not over yet.',
    },
    ACCOUNTS_UNKNOWN: {
      description:
        'Measures that count different accounts are null, and only these: who is in several parts ' +
        'of the time is not known, since some were made by an earlier version or before the ' +
        'secret key was replaced. Ask by month or by day.',
    },
    NOT_COUNTED: {
      description:
        'Medians and 90th percentiles are null, and only these: a month of the range was closed ' +
        'before what they are made of was counted.',
    },
    NO_FACTS: {
      description:
        'Medians and 90th percentiles are null, and only these: there is nothing that they could be ' +
        'of, or so little that the noise hides it.',
    },
    BEFORE_RANGE: {
      description: 'The rows that a moving average is of begin before the range does.',
    },
  },
});
