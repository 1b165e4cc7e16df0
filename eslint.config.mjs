// Judges schema/schema.graphql by what clients of GraphQL expect of a schema: the rules that
// @graphql-eslint recommends, and those of Relay. `npm test -- eslint` runs it alone.
import { readFileSync } from 'node:fs';
import graphql from '@graphql-eslint/eslint-plugin';
import { buildSchema, isObjectType } from 'graphql';

const SCHEMA = 'schema/schema.graphql';

/**
 * Types without an identity, by the reason; none of them is ever fetched again alone. Every other
 * type has an `id`.
 */
const VALUES = {
  'two of them with equal fields are the same': [
    'BulkError',
    'DayCounts',
    'DayTime',
    'DayTimes',
    'DirectionPart',
    'SentField',
    'FrequencyChoice',
    'DoseAmount',
    'DoseCounts',
    'Embed',
    'DoseLimits',
    'MedicinePack',
    'MedicinePause',
    'FeedChange',
    'FoundMember',
    'FrequencyDoubt',
    'Schedule',
    'HealthcareServicePlace',
    'ImportProblem',
    'MediaSize',
    'MediaSource',
    'MedicineCounts',
    'ModelBooleanValue',
    'ModelChoice',
    'ModelChoiceValue',
    'ModelDateTimeValue',
    'ModelDateValue',
    'ModelDifference',
    'ModelFieldChange',
    'ModelItemField',
    'ModelNumberValue',
    'ModelOption',
    'ModelPickValue',
    'ModelSecretValue',
    'ModelTextValue',
    'ModelTimeValue',
    'ModelValueChange',
    'OpeningHours',
    'PageInfo',
    'PlannedAmount',
    'PollSubmission',
    'QuoteOfTheDay',
    'RequestHeader',
    'ThirdParty',
    'UsualTimes',
    'VideoCaption',
  ],
  'they are computed for a member and a span of days': ['Adherence', 'Calendar', 'CalendarDay'],
  'there is one of an account, and its root reads it': ['CareSettings', 'NotificationPreference'],
  'there is one of the service, and its root reads it': ['ConnectedMailbox', 'Diagnostics', 'Site'],
  'there is one of a medicine, and its reminder reads it': ['MedicineStock'],
  'they are answered once, when they are made': ['CalendarFeed', 'DataExport'],
};

const types = buildSchema(readFileSync(new URL(SCHEMA, import.meta.url), 'utf8')).getTypeMap();
const valueTypes = Object.values(VALUES).flat();
const gone = valueTypes.filter((name) => !isObjectType(types[name]));
if (gone.length > 0) throw new Error(`VALUES names types that ${SCHEMA} has not: ${gone}`);

export default [
  {
    files: [SCHEMA],
    languageOptions: {
      parser: graphql.parser,
      parserOptions: { graphQLConfig: { schema: SCHEMA } },
    },
    linterOptions: { noInlineConfig: true },
    plugins: { '@graphql-eslint': graphql },
    rules: {
      ...graphql.configs['flat/schema-recommended'].rules,
      ...graphql.configs['flat/schema-relay'].rules,
      // Connections, edges, payloads and reports are parts of answers; they have no identity either.
      '@graphql-eslint/strict-id-in-types': [
        'error',
        {
          exceptions: {
            types: valueTypes,
            suffixes: [
              'Connection',
              'Edge',
              'Payload',
              'Result', // of one row of many
              'Rights', // of the viewer
              'Report',
              'ReportCumulative',
              'ReportInterval',
              'ReportMailing', // of one saved report, by whose id it is changed
              'ReportMovingAverage',
              'ReportRecipient',
              'ReportRow',
              'ReportTotal',
            ],
          },
        },
      ],
      // It knows no exception, and `ErrorCode` is one: it types the codes of errors, which no field
      // answers. test/app/served-schema.test.ts holds the rule for every other type.
      '@graphql-eslint/no-unreachable-types': 'off',
      // A list that cannot grow is a list, and a connection has `nodes` beside `edges`. All else
      // that the rule holds of edges stays on.
      '@graphql-eslint/relay-edge-types': ['error', { listTypeCanWrapOnlyEdgeType: false }],
    },
  },
];
