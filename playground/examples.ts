import type { Account } from './session.js';

/** A document to begin with. */
export interface Example {
  readonly name: string;
  /** Roles for which it is; all when there are none. */
  readonly roles?: readonly string[];
  readonly query: string;
  readonly variables?: object;
}

const READ_REPORTS = ['ANALYST', 'ADMINISTRATOR'];
const DAY = 86_400_000;

/** Returns the date so many days ago, in UTC, as YYYY-MM-DD. */
const daysAgo = (days: number): string =>
  new Date(Date.now() - days * DAY).toISOString().slice(0, 10);

/** The variables of reports: so many days up to today. */
const last = (days: number) => ({ from: daysAgo(days), to: daysAgo(0) });

const report = (name: string, field: string, rows: string): string => `# ${name}
query ${name.replace(/[^A-Za-z]+(\w?)/g, (_, letter: string) => letter.toUpperCase())}($from: LocalDate!, $to: LocalDate!) {
  ${field}(from: $from, to: $to) {
    rows {
      ${rows.split(' ').join('\n      ')}
    }
    asOf
    today
    suppressed
  }
}
`;

/** What may be asked about; those for everyone come first. */
export const EXAMPLES: readonly Example[] = [
  {
    name: 'Posts that everyone may read',
    query: `# Press Ctrl+Enter to run.
query Posts {
  posts(first: 5) {
    totalCount
    nodes {
      id
      publishedAt
      title
      author { name }
      terms { name taxonomy }
    }
  }
}
`,
  },
  {
    name: 'Adherence by month and language',
    roles: READ_REPORTS,
    query: report(
      'Adherence by month and language',
      'doseReport',
      'month language adherenceRate scheduled margin',
    ),
    variables: last(730),
  },
  {
    name: 'Doses by medicine type and outcome',
    roles: READ_REPORTS,
    query: report(
      'Doses by medicine type',
      'doseReport',
      'medicineType scheduleKind scheduled taken missed',
    ),
    variables: last(365),
  },
  {
    name: 'Doses by day',
    roles: READ_REPORTS,
    query: report('Doses by day', 'doseReport', 'day scheduled taken missed adherenceRate').replace(
      'to: $to',
      'to: $to, first: 1000',
    ),
    variables: last(365),
  },
  {
    name: 'Adherence by weekday and hour',
    roles: READ_REPORTS,
    query: report(
      'Adherence by weekday and hour',
      'doseReport',
      'weekday hour scheduled adherenceRate',
    ),
    variables: last(365),
  },
  {
    name: 'Accounts by month',
    roles: READ_REPORTS,
    query: report('Accounts by month', 'accountReport', 'month signUps active'),
    variables: last(365),
  },
  {
    name: 'My own adherence by month',
    roles: ['SUBSCRIBER', 'GUEST'],
    query: report('My adherence by month', 'doseReport', 'month scheduled taken adherenceRate'),
    variables: last(365),
  },
];

/** Returns the examples for who is signed in. */
export const examplesFor = (who: Account | undefined): readonly Example[] =>
  EXAMPLES.filter(({ roles }) => !roles || who?.roles.some((role) => roles.includes(role)));
