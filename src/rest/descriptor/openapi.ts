import type { Schema } from '../parameter/json-schema.js';
import { print } from './printing.js';

/** One operation of a path. */
interface DescribedOperation {
  readonly method: string;
  /** Name of the operation document. */
  readonly name: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly schema: Schema;
    readonly required: boolean;
  }[];
}

/** The routes of a namespace. */
export interface DescribedApi {
  readonly address: string;
  readonly paths: readonly {
    readonly path: string;
    readonly variables: readonly string[];
    readonly operations: readonly DescribedOperation[];
  }[];
}

const OBJECT = { type: 'object', additionalProperties: true };
const ERROR = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: {
    code: { type: 'string' },
    message: { type: 'string' },
    data: { type: 'object', properties: { status: { type: 'integer' } } },
  },
};
const VARIABLES: Readonly<Record<string, object>> = {
  id: { type: 'integer', minimum: 0 },
  slug: { type: 'string', pattern: '^[\\w_-]+$' },
  pod: { type: 'string', pattern: '^[\\w_-]+$' },
};

/** Returns the routes of a namespace as a document of OpenAPI 3.1, with schemas of items. */
export function openApi({ address, paths }: DescribedApi, schemas: Record<string, object>): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Content models',
      description:
        'Definitions of models, their groups and fields. `components` has what items hold.',
      version: '1.0.0',
    },
    servers: [{ url: address }],
    paths: Object.fromEntries(
      paths
        .filter(({ path }) => path !== '' && path !== '/doc')
        .map(({ path, variables, operations }) => [path, pathItem(variables, operations)]),
    ),
    components: {
      schemas: { Error: ERROR, ...schemas },
      securitySchemes: { applicationPassword: { type: 'http', scheme: 'basic' } },
    },
    security: [{ applicationPassword: [] }],
  };
}

function pathItem(variables: readonly string[], operations: readonly DescribedOperation[]): object {
  const item: Record<string, object> = {};
  for (const operation of operations)
    item[operation.method.toLowerCase()] = described(variables, operation);
  return item;
}

function described(
  variables: readonly string[],
  { method, name, parameters }: DescribedOperation,
): object {
  const inPath = variables.map((variable) => ({
    name: variable,
    in: 'path',
    required: true,
    schema: VARIABLES[variable] ?? { type: 'string' },
  }));
  const others = parameters.filter((parameter) => !variables.includes(parameter.name));
  const isRead = method === 'GET' || method === 'DELETE';
  return {
    operationId: method === 'POST' || isRead ? name : `${name}By${method}`,
    summary: wordsOf(name),
    parameters: [...inPath, ...(isRead ? others.map(inQuery) : [])],
    ...(!isRead && { requestBody: bodyOf(others) }),
    responses: {
      200: { description: 'Done.', content: { 'application/json': { schema: OBJECT } } },
      default: {
        description: 'Refused.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

/** `ListPodFields` is `List pod fields`. */
function wordsOf(name: string): string {
  const words = name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.replace(/ [ab]$/i, '');
}

const inQuery = ({ name, schema, required }: DescribedOperation['parameters'][number]) => {
  const { description, ...rest } = print(schema) as { description?: string };
  return {
    name,
    in: 'query',
    required,
    ...(description && { description }),
    ...('type' in rest && rest.type === 'array' && { style: 'form', explode: false }),
    schema: rest,
  };
};

function bodyOf(parameters: DescribedOperation['parameters']): object {
  const properties = Object.fromEntries(
    parameters.map(({ name, schema }) => [name, print(schema)]),
  );
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  const schema = { type: 'object', properties, ...(required.length > 0 && { required }) };
  const content = { schema };
  return {
    required: required.length > 0,
    content: { 'application/json': content, 'application/x-www-form-urlencoded': content },
  };
}
