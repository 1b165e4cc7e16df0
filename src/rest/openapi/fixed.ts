import { BATCH_PARAMETERS } from '../batch-parameters.js';
import { refusals } from './errors.js';
import { exampleOf } from './example.js';
import type { Json } from './json.js';
import { propertiesOf } from './sent.js';

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const TEXT: Json = { type: 'string' };
const STRINGS: Json = { type: 'array', items: TEXT };

/** Schemas of what the table of routes answers by itself. */
export const TABLE_SCHEMAS: Readonly<Record<string, Json>> = {
  Endpoint: {
    type: 'object',
    required: ['methods', 'args'],
    properties: {
      methods: STRINGS,
      allow_batch: { type: 'object', properties: { v1: { type: 'boolean' } } },
      args: {
        description: 'The parameters by name, as JSON schema.',
        type: 'object',
        additionalProperties: true,
      },
    },
  },
  RouteDescription: {
    type: 'object',
    description: 'A route, as the root, the indexes and OPTIONS describe it.',
    required: ['namespace', 'methods', 'endpoints'],
    properties: {
      namespace: TEXT,
      methods: STRINGS,
      endpoints: { type: 'array', items: ref('Endpoint') },
      schema: { type: 'object', additionalProperties: true },
      _links: ref('Links'),
    },
  },
  NamespaceIndex: {
    type: 'object',
    required: ['namespace', 'routes', '_links'],
    properties: {
      namespace: TEXT,
      routes: { type: 'object', additionalProperties: ref('RouteDescription') },
      _links: ref('Links'),
    },
  },
  SiteDescription: {
    type: 'object',
    required: ['name', 'url', 'home', 'namespaces', 'authentication', 'routes'],
    properties: {
      ...Object.fromEntries(
        [
          'name',
          'description',
          'url',
          'home',
          'gmt_offset',
          'timezone_string',
          'show_on_front',
        ].map((name) => [name, TEXT]),
      ),
      page_for_posts: { type: 'integer' },
      page_on_front: { type: 'integer' },
      site_logo: { type: 'integer' },
      site_icon: { type: 'integer' },
      site_icon_url: TEXT,
      namespaces: STRINGS,
      authentication: { type: 'object', additionalProperties: true },
      routes: { type: 'object', additionalProperties: ref('RouteDescription') },
      _links: ref('Links'),
    },
  },
  BatchedAnswer: {
    type: 'object',
    required: ['body', 'status', 'headers'],
    properties: {
      body: { description: 'As the route answers it.' },
      status: { type: 'integer' },
      headers: { type: 'object', additionalProperties: { type: ['string', 'integer'] } },
    },
  },
  BatchAnswer: {
    type: 'object',
    required: ['responses'],
    properties: {
      failed: { type: 'string', enum: ['validation'] },
      responses: {
        type: 'array',
        description: 'One for each request; null for those that would have run.',
        items: { anyOf: [ref('BatchedAnswer'), { type: 'null' }] },
      },
    },
  },
};

const CONTEXT: Json = { name: 'context', in: 'query', schema: { type: 'string', default: 'view' } };
const OPEN: readonly Json[] = [{}, { applicationPassword: [] }, { accessToken: [] }];

function reading(operationId: string, summary: string, schema: Json): Json {
  return {
    operationId,
    summary,
    tags: ['table'],
    security: OPEN,
    parameters: [CONTEXT, { $ref: '#/components/parameters/Fields' }],
    responses: {
      200: { description: summary, content: { 'application/json': { schema } } },
      304: { description: 'The caller has it already, by If-None-Match.' },
      ...refusals,
    },
  };
}

/** Returns the paths of the root, of the indexes and of the batch. `taken`: paths with routes. */
export function fixedPaths(
  namespaces: readonly string[],
  taken: ReadonlySet<string>,
): Record<string, Json> {
  const free = namespaces.filter((namespace) => !taken.has(`/${namespace}`));
  const index = (namespace: string) => {
    const name = namespace
      .split(/\W/)
      .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
      .join('');
    return reading(`Index${name}`, `The routes of ${namespace}`, ref('NamespaceIndex'));
  };
  return {
    '/': { get: reading('DescribeSite', 'The site and all routes', ref('SiteDescription')) },
    ...Object.fromEntries(free.map((namespace) => [`/${namespace}`, { get: index(namespace) }])),
    '/openapi.json': { get: DOCUMENT },
    '/batch/v1': { post: BATCH },
  };
}

const DOCUMENT: Json = {
  operationId: 'DescribeEdition',
  summary: 'This document',
  tags: ['table'],
  security: [],
  responses: {
    200: {
      description: 'A document of OpenAPI 3.1.',
      content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
    },
    304: { description: 'The caller has it already, by If-None-Match.' },
    ...refusals,
  },
};

const BATCH_SCHEMA = { type: 'object', ...propertiesOf(BATCH_PARAMETERS) };
const BATCH: Json = {
  operationId: 'Batch',
  summary: 'Runs up to 25 requests in order',
  tags: ['table'],
  security: OPEN,
  parameters: [{ $ref: '#/components/parameters/Fields' }],
  requestBody: {
    required: true,
    content: { 'application/json': { schema: BATCH_SCHEMA, example: exampleOf(BATCH_SCHEMA, {}) } },
  },
  responses: {
    207: {
      description: 'What each request was answered.',
      content: { 'application/json': { schema: ref('BatchAnswer') } },
    },
    ...refusals,
  },
};
