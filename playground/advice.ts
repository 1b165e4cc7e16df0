import type { Answered } from './sending.js';

/** What somebody can do about a refusal, by its code. */
const ADVICE: Readonly<Record<string, string>> = {
  UNAUTHENTICATED: 'Sign in at the top right.',
  FORBIDDEN: 'Sign in as an analyst or administrator, or ask one for the numbers.',
  TOO_MANY_DIMENSIONS: 'Leave out a group or filter, or ask for whole months.',
  TOO_EXPENSIVE: 'Leave out a group, or ask for a shorter time.',
  RANGE_TOO_LONG: 'Choose a shorter time.',
  DATE_INVALID: 'Choose other days.',
  SERIES_INVALID:
    'Group by one of date, day, week, month and quarter, or leave out sum and average.',
  TOP_INVALID: 'Group by what it is of, or leave out the leading values.',
  TOO_MANY: 'Leave out a group, or choose fewer values.',
  DOCUMENT_TOO_LARGE: 'Leave out a group, or ask for fewer rows.',
  ORDER_INVALID: 'Order by something that is shown.',
  FILTER_INVALID: 'Choose other values.',
  REPORT_BUDGET_SPENT: 'Saved answers stay; ask again when the oldest questions are 30 days old.',
  TOO_MANY_REQUESTS: 'Wait a minute, then ask again.',
  GRAPHQL_VALIDATION_FAILED: 'What it asks for is not in the schema any more: choose it anew.',
};

/** Returns what went wrong and what to do about it: a sentence for each error. */
export const problemsOf = ({ errors = [] }: Answered): readonly string[] => [
  ...new Set(
    errors.map(({ message, extensions }) => {
      const advice = ADVICE[extensions?.code ?? ''];
      return advice ? `${message.replace(/\.?$/, '.')} ${advice}` : message;
    }),
  ),
];

/** Returns what to do when nothing was answered at all. */
export const failureText = (error: unknown): string =>
  error instanceof TypeError
    ? navigator.onLine
      ? 'The service cannot be reached. What is on the page stays. Ask again in a moment.'
      : 'You are offline. What is on the page stays. Ask again when the connection is back.'
    : (error as Error).message;
