// Judges schema/schema.graphql by what clients of GraphQL expect of a schema: the rules that
// @graphql-eslint recommends, and those of Relay. `npm test -- eslint` runs it alone.
import { readFileSync } from 'node:fs';
import graphql from '@graphql-eslint/eslint-plugin';
import { buildSchema, isObjectType } from 'graphql';

const SCHEMA = 'schema/schema.graphql';

/**
 * Types without an identity: two of them with equal fields are the same, and none is ever fetched
 * again alone. Every other type has an `id`.
 */
const VALUES = [
  'Adherence',
  'Calendar',
  'CalendarDay',
  'CareSettings',
  'DataExport',
  'DayCounts',
  'Diagnostics',
  'DoseCounts',
  'FeedChange',
  'HealthcareServicePlace',
  'ImportProblem',
  'ItemContent',
  'ItemExcerpt',
  'ItemGuid',
  'ItemMeta',
  'ItemRights',
  'ItemTitle',
  'MediaDetails',
  'MediaSize',
  'MediaText',
  'MedicineCounts',
  'MemberHome',
  'NotificationPreference',
  'OpeningHours',
  'PageInfo',
  'QuoteOfTheDay',
  'RevisionMeta',
  'RevisionText',
  'StepStatus',
  'ThirdParty',
  'UsualTimes',
  'VideoCaption',
];

const types = buildSchema(readFileSync(new URL(SCHEMA, import.meta.url), 'utf8')).getTypeMap();
const gone = VALUES.filter((name) => !isObjectType(types[name]));
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
      // Connections, edges and payloads are parts of answers; they have no identity either.
      '@graphql-eslint/strict-id-in-types': [
        'error',
        { exceptions: { types: VALUES, suffixes: ['Connection', 'Edge', 'Payload'] } },
      ],
      // A list that cannot grow is a list, and a connection has `nodes` beside `edges`. All else
      // that the rule holds of edges stays on.
      '@graphql-eslint/relay-edge-types': ['error', { listTypeCanWrapOnlyEdgeType: false }],
    },
  },
];
