import { registerEnumType } from 'type-graphql';

/** With what a report is compared. */
export enum ReportComparison {
  PREVIOUS_PERIOD = 'previous_period',
}

registerEnumType(ReportComparison, {
  name: 'ReportComparison',
  description: 'With what a report is compared.',
  valuesConfig: {
    PREVIOUS_PERIOD: { description: 'As many months, or days, right before.' },
  },
});
