import type { RequestContext } from '../core/context.js';
import { pointsOfAsking } from '../core/quota.js';
import { LARGEST_RESPONSE, lengthOf } from '../platform/http/response-size.js';
import type { Adapter } from './adapter/adapter.js';
import type { Plan } from './adapter/request-plan.js';
import { BATCH_PARAMETERS } from './batch-parameters.js';
import { withCredential } from './credential.js';
import { Beyond, failureOf, invalidParameters } from './errors.js';
import {
  type Failure,
  failure,
  failureResponse,
  type RestRequest,
  type RestResponse,
} from './message.js';
import { check } from './parameter/check.js';
import { type Parameters, parseQuery } from './query.js';
import type { Endpoint } from './router.js';
import { surprise } from './surprise.js';

interface SubRequest {
  readonly method?: string;
  readonly path: string;
  readonly body?: Parameters;
}

const NOT_ALLOWED = failure(
  400,
  'rest_batch_not_allowed',
  'The requested route does not support batch requests.',
);
const NOT_RUN = failure(
  413,
  'rest_response_too_large',
  'The responses of this batch have 16 MiB already: this request was not run. Send it in another ' +
    'batch.',
);
const NO_PATH = failure(400, 'parse_path_failed', 'Could not parse the path.');

/**
 * Runs up to 25 requests in order, in one context, so that later ones see the effects of earlier
 * ones. With `require-all-validate` nothing runs when one of them names no route of a batch or has
 * parameters that do not fit. Returns 207 when the envelope is valid. Once the responses have 16
 * MiB together, the rest is not run and gets 413.
 */
export async function batch(
  adapter: Adapter,
  request: RestRequest,
  context: RequestContext,
  root: string,
): Promise<RestResponse> {
  const envelope = readEnvelope(request);
  if ('code' in envelope) return failureResponse(envelope);
  const plans: (Plan | Failure)[] = [];
  for (const sub of envelope.requests) plans.push(await planOf(adapter, request, sub, context));
  const failures = plans.map((plan) => ('code' in plan ? plan : plan.failure));
  if (envelope.validation === 'require-all-validate' && failures.some(Boolean)) {
    const responses = failures.map((failed) =>
      failed ? enveloped(failureResponse(failed)) : null,
    );
    return { status: 207, headers: {}, body: { failed: 'validation', responses } };
  }
  const responses: object[] = [];
  let size = 0;
  const { idempotency } = context.input;
  for (const group of idempotency ? plans.map((plan) => [plan]) : grouped(plans)) {
    const alone = group.length === 1;
    // Each change has its place, whether those before it have begun or not.
    if (idempotency) idempotency.field = changesIn(envelope.requests, responses.length) - 1;
    const run = async (plan: Plan | Failure) =>
      enveloped(await respond(adapter, plan, context, root, alone));
    const results =
      size < LARGEST_RESPONSE
        ? await Promise.all(group.map(run))
        : group.map(() => enveloped(failureResponse(NOT_RUN)));
    size += lengthOf(results, LARGEST_RESPONSE);
    responses.push(...results);
  }
  return { status: 207, headers: {}, body: { responses } };
}

/** Returns how many of the first requests are changes, by their methods. */
const changesIn = (requests: readonly SubRequest[], first: number): number =>
  requests.slice(0, first).filter(({ method = 'POST' }) => method !== 'GET').length;

/**
 * Groups neighbours that may run at once, so that they share statements. Any other request waits
 * for the ones before it.
 */
function grouped(plans: readonly (Plan | Failure)[]): (Plan | Failure)[][] {
  const groups: (Plan | Failure)[][] = [];
  let last: Endpoint | undefined;
  for (const plan of plans) {
    const endpoint =
      !('code' in plan) && !plan.failure && plan.endpoint.operation.isTogether
        ? plan.endpoint
        : undefined;
    if (endpoint && endpoint === last) groups.at(-1)?.push(plan);
    else groups.push([plan]);
    last = endpoint;
  }
  return groups;
}

/** Runs one request. A surprise fails this request alone. */
async function respond(
  adapter: Adapter,
  plan: Plan | Failure,
  context: RequestContext,
  root: string,
  alone: boolean,
): Promise<RestResponse> {
  if ('code' in plan) {
    const response = failureResponse(plan);
    if (plan === NOT_ALLOWED) response.headers.Allow = 'POST'; // a batch within a batch
    return response;
  }
  return withCredential(context, plan.endpoint, () =>
    adapter.run(plan, context, root, { alone }),
  ).catch((error: Error) => failureResponse(surprise(error, context)));
}

/** Returns a response inside a body. */
export const enveloped = ({ body, status, headers }: RestResponse) => ({
  body: body ?? null,
  status,
  headers,
});

function readEnvelope({
  json,
  form,
  query,
  bodyFailure,
}: RestRequest): { validation?: string; requests: SubRequest[] } | Failure {
  if (bodyFailure) return bodyFailure;
  const sent = { ...query, ...form, ...json };
  const values: Record<string, unknown> = {};
  const validationErrors: Record<string, { code?: string; message: string; data: unknown }> = {};
  for (const [name, schema] of Object.entries(BATCH_PARAMETERS)) {
    const value = sent[name];
    if (value === undefined || value === null) {
      if (!schema.required) continue;
      return failure(400, 'rest_missing_callback_param', `Missing parameter(s): ${name}`, {
        params: [name],
      });
    }
    const checked = check(value, schema, name);
    if ('validationError' in checked) validationErrors[name] = checked.validationError;
    else if ('value' in checked) values[name] = checked.value;
  }
  if (Object.keys(validationErrors).length > 0) return invalidParameters(validationErrors);
  return values as unknown as { validation?: string; requests: SubRequest[] };
}

/** Most characters of a sub-request's address without its query: as of a request line. */
const LONGEST_PATH = 16_384;

/**
 * Cuts the address of a sub-request (RFC 3986, appendix B); its path and query count. Undefined for
 * one that names a host which is none, or that is too long. It looks at each character at most some
 * times: an expression that looked for users took a time that grew with the square of the length.
 */
function addressOf(text: string): { path: string; query: string } | undefined {
  const [whole = ''] = text.split('#', 1);
  const [before = '', ...queries] = whole.split('?');
  const query = queries.join('?');
  if (before.length > LONGEST_PATH) return undefined;
  const slashes = before.indexOf('//');
  const scheme = before.slice(0, Math.max(slashes, 0));
  if (slashes < 0 || !isScheme(scheme)) return { path: withoutScheme(before), query };
  const rest = before.slice(slashes + 2);
  const end = rest.indexOf('/');
  const host = end < 0 ? rest : rest.slice(0, end);
  return isHost(host) ? { path: end < 0 ? '' : rest.slice(end), query } : undefined;
}

const isScheme = (text: string) => text === '' || /^[a-z][a-z\d+.-]*:$/i.test(text);

/** Without "http:", which may stand before a path without a host. */
function withoutScheme(text: string): string {
  const colon = text.indexOf(':');
  return colon > 0 && isScheme(text.slice(0, colon + 1)) ? text.slice(colon + 1) : text;
}

/** Returns whether a text is a host, perhaps with users before and a port behind it. */
function isHost(text: string): boolean {
  const named = text.slice(text.lastIndexOf('@') + 1);
  const bracket = named.startsWith('[') ? named.indexOf(']') + 1 : 0;
  if (named.startsWith('[') && bracket === 0) return false;
  const colon = named.indexOf(':', bracket);
  const host = colon < 0 ? named : named.slice(0, colon);
  const port = colon < 0 ? '' : named.slice(colon + 1);
  const isName = bracket > 0 ? host.length === bracket : host !== '' && !/[[\]]/.test(host);
  return isName && /^\d{0,5}$/.test(port) && Number(port) <= 65_535;
}

async function planOf(
  adapter: Adapter,
  outer: RestRequest,
  { method = 'POST', path, body }: SubRequest,
  context: RequestContext,
): Promise<Plan | Failure> {
  const cut = addressOf(path);
  if (!cut) return NO_PATH;
  const { path: address, query } = cut;
  if (/^\/batch\/v1$/i.test(address)) return NOT_ALLOWED;
  const spent = await context.quota.add(pointsOfAsking(query.length));
  if (spent) return failureOf(spent, context.viewer.id !== 0);
  const beyond = new Beyond();
  const parsed = parseQuery(query, beyond.take);
  const request = {
    edition: outer.edition,
    method,
    path: address,
    query: parsed,
    json: body,
    bodyFailure: beyond.failure,
  };
  const plan = await adapter
    .plan(request, context)
    .catch((error: Error) => surprise(error, context));
  return 'code' in plan || plan.endpoint.route.batch ? plan : { ...plan, failure: NOT_ALLOWED };
}
