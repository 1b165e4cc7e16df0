import { type FragmentDefinitionNode, Kind, print, visit } from 'graphql';
import type { RequestContext } from '../../core/context.js';
import { Viewer } from '../../core/viewer.js';
import type { Operation } from '../operation/operation.js';
import type { Endpoint } from '../router.js';
import { answerSchema, type Describing } from './answered.js';
import { refusals } from './errors.js';
import { exampleOf } from './example.js';
import { anyOf, type Json } from './json.js';
import {
  globalParameters,
  inQuery,
  pathParameters,
  requestBody,
  sentParameters,
} from './parameters.js';
import type { DescribedPath } from './paths.js';

/** Returns one operation of a path. `tag` groups it with others. */
export async function describedOperation(
  describing: Describing,
  path: DescribedPath,
  method: string,
  endpoints: readonly Endpoint[],
  tag: string,
): Promise<Json> {
  const [{ operation }] = endpoints as readonly [Endpoint];
  const sent = sentParameters(path, endpoints);
  const inAddress = method === 'GET' || method === 'DELETE';
  const open = operation.parameters.some(({ others }) => others);
  const parameters = [
    ...pathParameters(path),
    ...(inAddress ? inQuery(sent) : []),
    ...globalParameters(operation.isQuery, method, operation.embeds.length > 0),
  ];
  return {
    operationId: operationId(endpoints, method),
    summary: wordsOf(operation.name),
    ...descriptionOf(endpoints),
    tags: [tag],
    security: await securityOf(operation),
    parameters,
    ...(!inAddress && (sent.length > 0 || open) && { requestBody: requestBody(sent, open) }),
    responses: responses(describing, method, endpoints),
    'x-graphql-operation': graphqlText(operation),
  };
}

/** Returns what an operation does, and what to use instead of a deprecated one. */
function descriptionOf([endpoint]: readonly Endpoint[]): Json {
  const { operation, route } = endpoint as Endpoint;
  const { deprecated } = route;
  const sunset = deprecated?.sunset ? ` It ends on ${deprecated.sunset}.` : '';
  const leaving = deprecated
    ? [`Deprecated since ${deprecated.since}.${sunset} ${deprecated.instead}`]
    : [];
  const description = [...leaving, operation.description].filter(Boolean).join('\n\n');
  return { ...(description && { description }), ...(deprecated && { deprecated: true }) };
}

function responses(describing: Describing, method: string, endpoints: readonly Endpoint[]): Json {
  const [{ operation, route }] = endpoints as readonly [Endpoint];
  const status = route.status ?? 200;
  const headers = {
    ...(operation.hasTotal && ref('headers', ['X-WP-Total', 'X-WP-TotalPages', 'Link'])),
    ...(status === 201 && ref('headers', ['Location'])),
    ...(route.deprecated && LEAVING),
    ...ref('headers', ['GraphQL-Operation', 'RateLimit']),
  };
  const types = operation.render?.types ?? [JSON_TYPE];
  const content = types.map((type) => [
    type,
    type === JSON_TYPE ? jsonContent(describing, endpoints) : { schema: { type: 'string' } },
  ]);
  return {
    [status]: { description: 'Done.', headers, content: Object.fromEntries(content) },
    ...(method === 'GET' && {
      304: { description: 'The caller has it already, by If-None-Match.' },
    }),
    ...refusals,
  };
}

const JSON_TYPE = 'application/json';

function jsonContent(describing: Describing, endpoints: readonly Endpoint[]): Json {
  const bodies = endpoints.map(({ operation }) => bodySchema(describing, operation));
  const different = new Map(bodies.map((body) => [JSON.stringify(body), body]));
  const schema = anyOf([...different.values()]);
  return { schema, example: exampleOf(schema, describing.components.schemas) };
}

function bodySchema(describing: Describing, operation: Operation): Json {
  const body = operation.render?.schema ?? answerSchema(describing, operation);
  return operation.isList && body.type !== 'array' ? { type: 'array', items: body } : body;
}

/** The headers of a deprecated route. */
const LEAVING: Json = {
  Deprecation: {
    description: 'Since when the route is deprecated (RFC 9745).',
    schema: { type: 'string' },
  },
  Sunset: {
    description: 'When the route may be gone (RFC 8594).',
    schema: { type: 'string' },
  },
};

const ref = (kind: string, names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/${kind}/${name}` }]));

/** Credentials that an operation takes; none beside them where the anonymous are refused. */
async function securityOf(operation: Operation): Promise<readonly Json[]> {
  if (operation.issuesTokens) return [];
  const signedIn = [{ applicationPassword: [] }, { accessToken: [] }];
  return (await refusesAnonymous(operation)) ? signedIn : [{}, ...signedIn];
}

/** Returns whether the rule refuses the anonymous for lack of an account, whatever they send. */
async function refusesAnonymous({ access }: Operation): Promise<boolean> {
  try {
    const context = { viewer: new Viewer(0, []) } as unknown as RequestContext;
    return (await access(context, {} as never)) !== undefined;
  } catch {
    return false; // a rule that looks at rows
  }
}

/**
 * Returns the name of the operation, with what the route fixes and, after POST, with the method.
 */
function operationId([endpoint]: readonly Endpoint[], method: string): string {
  const { operation, route, methods } = endpoint as Endpoint;
  const fixed = Object.values(route.fixed ?? {}).map((value) =>
    String(value).replace(/_?\b(\w)|_(\w)/g, (_, a = '', b = '') => (a + b).toUpperCase()),
  );
  const of = fixed.length > 0 ? `Of${fixed.join('')}` : '';
  const name = operation.name + of;
  return methods[0] === method ? name : `${name}By${method}`;
}

/** `ListPodFields` is `List pod fields`. */
function wordsOf(name: string): string {
  const words = name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.replace(/ [ab]$/i, '');
}

/** Returns the document of an operation, with the fragments that it uses. */
export function graphqlText({ definition, fragments }: Operation): string {
  const used = new Map<string, FragmentDefinitionNode>();
  const collect = (node: FragmentDefinitionNode | Operation['definition']) =>
    visit(node, {
      [Kind.FRAGMENT_SPREAD]({ name }) {
        const fragment = fragments.get(name.value);
        if (!fragment || used.has(name.value)) return;
        used.set(name.value, fragment);
        collect(fragment);
      },
    });
  collect(definition);
  return [definition, ...used.values()].map(print).join('\n\n');
}
