import type { Json } from './json.js';

/** The body of every refusal. */
export const ERROR: Json = {
  type: 'object',
  description:
    'Why a request was refused. `code` is stable; `message` is for people and may change.',
  required: ['code', 'message', 'data'],
  properties: {
    code: { type: 'string' },
    message: { type: 'string' },
    data: {
      type: 'object',
      required: ['status'],
      additionalProperties: true,
      properties: {
        status: { type: 'integer', description: 'The status of the response.' },
        params: {
          description:
            'By parameter, what is wrong with it; or the names of those that are missing.',
          anyOf: [
            { type: 'object', additionalProperties: { type: 'string' } },
            { type: 'array', items: { type: 'string' } },
          ],
        },
        details: {
          description: 'By parameter, the code, the message and the data of its refusal.',
          anyOf: [
            {
              type: 'object',
              additionalProperties: { $ref: '#/components/schemas/ParameterRefusal' },
            },
            { type: 'array', maxItems: 0 },
          ],
        },
        retryAfter: { type: 'integer', description: 'Seconds after which to try again.' },
      },
    },
  },
};

/** Why one parameter was refused. */
export const PARAMETER_REFUSAL: Json = {
  type: 'object',
  required: ['code', 'message', 'data'],
  properties: { code: { type: 'string' }, message: { type: 'string' }, data: {} },
};

/** By status: what it means, and the code and the message of an example. */
const REFUSED: Readonly<Record<string, readonly [means: string, code: string, message: string]>> = {
  400: [
    'The request cannot be read, or parameters are missing or do not fit.',
    'rest_invalid_param',
    'Invalid parameter(s): date_from',
  ],
  401: [
    'The caller is not signed in, or the credentials are no longer valid.',
    'rest_forbidden',
    'Sorry, you are not allowed to do that.',
  ],
  403: ['The caller may not do that.', 'rest_forbidden', 'Sorry, you are not allowed to do that.'],
  404: [
    'There is no such row, or no such route.',
    'rest_no_route',
    'No route was found matching the URL and request method.',
  ],
  429: [
    'The quota is spent. Retry-After says when to try again.',
    'too_many_requests',
    'Too many requests.',
  ],
  default: [
    'Refused for another reason, or the service cannot answer now.',
    'service_unavailable',
    'The service cannot reach its database. Try again soon.',
  ],
};

const nameOf = (status: string) => (status === 'default' ? 'Refused' : `Refused${status}`);

/** The refusals as responses that operations refer to. */
export const REFUSALS: Json = Object.fromEntries(
  Object.entries(REFUSED).map(([status, [description, code, message]]) => {
    const example = { code, message, data: { status: Number(status) || 503 } };
    const schema = { $ref: '#/components/schemas/Error' };
    const headers = { 'Retry-After': { $ref: '#/components/headers/Retry-After' } };
    const content = { 'application/json': { schema, example } };
    return [nameOf(status), { description, ...(status === '429' && { headers }), content }];
  }),
);

/** The refusals of an operation: any status that is not named is of the default. */
export const refusals: Json = Object.fromEntries(
  Object.keys(REFUSED).map((status) => [
    status,
    { $ref: `#/components/responses/${nameOf(status)}` },
  ]),
);
