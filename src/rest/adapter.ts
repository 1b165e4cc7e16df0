import type { RequestContext } from '../core/context.js';
import type { Refusal } from '../core/errors.js';
import { POINTS } from '../core/quota.js';
import { isUnavailable } from '../platform/database/database.js';
import { check } from './check.js';
import { Made } from './dialect.js';
import { type Detail, failureOf, failureOfError, invalidParameters, NO_ROUTE } from './errors.js';
import { listOf } from './fields.js';
import { addressesOf, type LinkView, link } from './links.js';
import {
  type Edition,
  type Failure,
  failure,
  failureResponse,
  type RestRequest,
  type RestResponse,
} from './message.js';
import type { Variables } from './operations.js';
import type { Parameter } from './parameters.js';
import { buildQuery, type Parameters } from './query.js';
import type { Endpoint, Match, Router } from './router.js';

/**
 * A request that has found its route: everything about it that can be said without touching a row.
 */
export interface Plan {
  readonly request: RestRequest;
  readonly match: Match;
  readonly endpoint: Endpoint;
  readonly variables: Variables;
  /** Why it will not run. */
  readonly failure?: Failure | undefined;
}

/** Projects requests of one edition onto operations. */
export class Adapter {
  constructor(
    readonly edition: Edition,
    readonly router: Router,
  ) {}

  /**
   * Finds the route and judges the parameters, by their types and by the domain, all at once; a
   * failure without a plan when no route matches. Changes nothing: whatever answers
   * `rest_invalid_param` for what was sent alone is found here.
   */
  async plan(request: RestRequest, context: RequestContext): Promise<Plan | Failure> {
    const match = this.router.match(request.path);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const endpoint = match?.group.endpoints.find(({ methods }) => methods.includes(method));
    if (!match || !endpoint || (request.method === 'HEAD' && !endpoint.operation.isQuery))
      return NO_ROUTE;
    const checked = checkParameters(endpoint, sender(request, match), context.viewer);
    const { variables } = checked;
    const failure =
      request.bodyFailure ?? checked.failure ?? (await judged(endpoint, checked, context));
    return { request, match, endpoint, variables, failure };
  }

  /**
   * Runs a plan, once it is paid for: the answer, and the headers that belong to it. A change that
   * was committed is never answered with an error: of what cannot be read or shown any more the
   * answer lacks, and the log says why. `alone`: nothing else runs in the context.
   */
  async run(
    plan: Plan,
    context: RequestContext,
    root: string,
    { alone = true } = {},
  ): Promise<RestResponse> {
    const spent = await context.quota.charge(
      plan.failure ? POINTS.read : plan.endpoint.operation.points(plan.variables),
    );
    if (spent) return failureResponse(failureOf(spent, context.viewer.id !== 0));
    const response = plan.failure
      ? failureResponse(plan.failure)
      : await this.#answer(plan, context, root, alone);
    // What was done is done: a rule that fails now costs the header, not the answer.
    const methods = await this.allowed(plan.match, plan.request, context, plan).catch(
      (error: Error) => {
        surprise(error, context);
        return [];
      },
    );
    if (methods.length > 0) response.headers.Allow = methods.join(', ');
    return response;
  }

  /**
   * The methods of a path that this caller may use in this request; `plan`, when there is one,
   * spares a check.
   */
  async allowed(
    match: Match,
    request: RestRequest,
    context: RequestContext,
    plan?: Plan,
  ): Promise<string[]> {
    const sent = sender(request, match);
    const names = namesSent(request, match);
    const methods: string[] = [];
    for (const endpoint of match.group.endpoints) {
      const { operation } = endpoint;
      const variables =
        endpoint === plan?.endpoint
          ? plan.variables
          : variablesOf(endpoint, names, sent, context.viewer);
      const asked = operation.access(context, operation.rootArguments(variables) as never);
      const refusal =
        presenceRefusal(operation.refused, sent) ??
        (asked instanceof Promise ? await asked : asked);
      if (!refusal) methods.push(...endpoint.methods);
    }
    return methods;
  }

  async #answer(
    plan: Plan,
    context: RequestContext,
    root: string,
    alone: boolean,
  ): Promise<RestResponse> {
    const { request, match, endpoint, variables } = plan;
    const { operation, route } = endpoint;
    const signedIn = context.viewer.id !== 0;
    const refusal = presenceRefusal(operation.refused, sender(request, match));
    if (refusal) return failureResponse(failureOf(refusal, signedIn));
    const head = request.method === 'HEAD';
    const fields = head ? [] : listOf(request.query._fields);
    const embeds = head ? NOTHING : embedsOf(request.query._embed, operation.embeds);
    const seen = operation.viewing(variables.context, embeds);
    const made = new Made();
    const before = context.changed.length;
    const result = await operation.execute(
      context,
      fields,
      { ...operation.selecting(fields), ...seen, ...variables },
      made,
    );
    const answered = Object.values(result.data ?? {})[0] as
      | Record<string, unknown>
      | null
      | undefined;
    const error = result.errors?.find(
      ({ path }) => !answered || !path?.some((key) => String(key).startsWith('_embed_')),
    );
    const headers: RestResponse['headers'] = operation.issuesTokens
      ? { 'Cache-Control': 'no-store' }
      : {};
    const response: RestResponse = { status: route.status ?? 200, headers, body: answered };
    if (error || !answered) {
      const cause = error ?? new Error(`${operation.name} answered nothing.`);
      const known = error && failureOfError(error, operation, signedIn);
      const [id, another] = alone && !known ? context.changed.slice(before) : [];
      const done = made.value ?? (id !== undefined && another === undefined ? { id } : undefined);
      // What the caller must have to go on, tokens and pages, is not left out of an answer.
      if (done === undefined || operation.issuesTokens || operation.render)
        return failureResponse(known ?? surprise(cause, context));
      if (!known) surprise(cause, context);
      if (!answered) return this.#outline(response, match, done, root);
    }
    const view = {
      root,
      editing: seen.edit === true,
      rels: relsOf(fields, operation.isList || Array.isArray(answered)),
      embedding: embeds.size > 0 && shows(fields, '_embedded'),
    };
    try {
      return this.#shown(response, plan, answered, view);
    } catch (error) {
      if (operation.isQuery) throw error;
      surprise(error as Error, context);
      const shown = Object.entries(answered).filter(([name]) => !name.startsWith('_'));
      return { ...response, body: Object.fromEntries(shown) };
    }
  }

  /** What is left to say of a change that was made, when the rest of it could not be read. */
  #outline(response: RestResponse, match: Match, made: unknown, root: string): RestResponse {
    const { id, deleted } = made as { id?: unknown; deleted?: unknown };
    response.body = { ...(typeof id === 'number' && { id }), ...(deleted === true && { deleted }) };
    const self = this.#itemAddress(match, { id }, root);
    if (self && response.status === 201) response.headers.Location = self;
    return response;
  }

  /**
   * Makes the body of what an operation answered, with its links, and the headers that say where it
   * is.
   */
  #shown(
    response: RestResponse,
    plan: Plan,
    answered: Record<string, unknown>,
    view: LinkView,
  ): RestResponse {
    const { request, match, endpoint, variables } = plan;
    const { operation } = endpoint;
    const { root } = view;
    const isList = operation.isList || Array.isArray(answered);
    if (operation.render) return { ...response, ...operation.render(answered) };
    if (isList) {
      const items = (operation.isList ? answered.nodes : answered) as
        | Record<string, unknown>[]
        | undefined;
      for (const item of items ?? []) link(item, view);
      response.body = items;
      if (operation.hasTotal) page(response, answered, request, variables, root);
      return response;
    }
    const addresses = addressesOf(answered, root);
    const self = addresses?.self ?? this.#itemAddress(match, answered, root);
    if (self && response.status === 201) response.headers.Location = self;
    if (addresses && operation.isQuery)
      response.headers.Link = `<${addresses.page}>; rel="alternate"; type=text/html`;
    link(answered, view);
    return response;
  }

  /** Where what a collection made can be read, if it has such a route. */
  #itemAddress(
    { group }: Match,
    { id }: Record<string, unknown>,
    root: string,
  ): string | undefined {
    const path = `${group.path}/{id}`;
    const item = this.router.groups.find((other) => other.path === path);
    const readable = item?.endpoints.some(({ methods }) => methods.includes('GET'));
    return readable && id ? `${root}${group.path}/${id}` : undefined;
  }
}

type Sender = (name: string) => unknown;

/**
 * Reads what was sent for a parameter: the path wins over the JSON body, that over a form, that
 * over the query.
 */
function sender({ json, form, query }: RestRequest, { path }: Match): Sender {
  return (name) => path[name] ?? own(json, name) ?? own(form, name) ?? own(query, name);
}

function own(parameters: Parameters | undefined, name: string): unknown {
  const value = parameters?.[name];
  return value === null && parameters ? NULL : value;
}

/** JSON null, sent: it hides what stands behind it, and is absent to most parameters. */
const NULL = Symbol('null');

interface CheckedParameters {
  variables: Variables;
  /** What is wrong with each parameter of the stage that is judged, by name. */
  misfits: Readonly<Record<string, Detail>>;
  /** Parameters that are missing, or misfits of the first stage: there is no more to be said. */
  failure?: Failure | undefined;
}

function checkParameters(
  { operation, route }: Endpoint,
  sent: Sender,
  viewer: RequestContext['viewer'],
): CheckedParameters {
  const variables: Variables = {};
  const missing: string[] = [];
  const firstStage: Record<string, Detail> = {};
  const misfits: Record<string, Detail> = {};
  for (const parameter of operation.parameters) {
    const { name } = parameter;
    const value = valueSent(parameter, sent);
    if (value === undefined) {
      if (parameter.required && !(route.fixed && name in route.fixed)) missing.push(name);
      if (parameter.preset !== undefined) variables[name] = parameter.preset;
      continue;
    }
    const judged = judge(parameter, value, viewer);
    if ('misfit' in judged) (judged.first ? firstStage : misfits)[name] = judged.misfit;
    else if ('value' in judged) variables[name] = judged.value;
  }
  Object.assign(variables, route.fixed);
  if (missing.length > 0) {
    const message = `Missing parameter(s): ${missing.join(', ')}`;
    return {
      variables,
      misfits,
      failure: failure(400, 'rest_missing_callback_param', message, { params: missing }),
    };
  }
  if (Object.keys(firstStage).length > 0)
    return { variables, misfits, failure: invalidParameters(firstStage) };
  return { variables, misfits };
}

/**
 * What the domain says of the parameters that fit their types, beside what does not: all of it, in
 * the order of the parameters.
 */
async function judged(
  { operation }: Endpoint,
  { variables, misfits }: CheckedParameters,
  context: RequestContext,
): Promise<Failure | undefined> {
  const found: Record<string, Detail> = {};
  for (const refusal of (await operation.judge?.(
    context,
    operation.rootArguments(variables) as never,
  )) ?? []) {
    const { param, ...rest } = operation.inParameters(refusal);
    if (param) found[param] ??= refusedParameter(rest, context.viewer.id !== 0);
  }
  const wrong = { ...found, ...misfits };
  const names = operation.parameters
    .map(({ name }) => name)
    .filter((name) => Object.hasOwn(wrong, name));
  if (names.length === 0) return undefined;
  return invalidParameters(Object.fromEntries(names.map((name) => [name, wrong[name] as Detail])));
}

/**
 * What comes of a value that was sent for a parameter: the variable's, or what is wrong with it, in
 * the first stage or the second.
 */
type Judgement = { value: unknown } | { misfit: Detail; first: boolean } | Record<string, never>;

function judge(parameter: Parameter, value: unknown, viewer: RequestContext['viewer']): Judgement {
  const { name, schema, first, convert, fault } = parameter;
  if (parameter.refusal) return {};
  const refusal = parameter.permit?.(viewer, wordsOf(value));
  if (refusal) return { misfit: refusedParameter(refusal, viewer.id !== 0), first: false };
  const checked = check(value, schema, name);
  if ('misfit' in checked) return { misfit: checked.misfit, first };
  if (!('value' in checked)) return {};
  const converted = convert ? convert(checked.value) : checked.value;
  const misfit = converted === null ? undefined : fault?.(converted);
  return misfit ? { misfit, first } : { value: converted };
}

const namesSent = ({ json, form, query }: RestRequest, { path }: Match): Set<string> =>
  new Set(
    [path, json, form, query].flatMap((parameters) => (parameters ? Object.keys(parameters) : [])),
  );

/**
 * The variables of an endpoint that is not run, for its access rule: as of `checkParameters`, from
 * what was sent alone.
 */
function variablesOf(
  { operation, route }: Endpoint,
  names: ReadonlySet<string>,
  sent: Sender,
  viewer: RequestContext['viewer'],
): Variables {
  const variables = { ...operation.presets };
  for (const name of names) {
    const parameter = operation.byName.get(name);
    const value = parameter && valueSent(parameter, sent);
    if (value === undefined) continue;
    delete variables[name];
    const judged = judge(parameter as Parameter, value, viewer);
    if ('value' in judged) variables[name] = judged.value;
  }
  return Object.assign(variables, route.fixed);
}

/**
 * The value of a parameter, or undefined when it is as good as absent: JSON null is, but for lists
 * (empty) and where it resets, and an empty text where it says nothing.
 */
function valueSent({ name, schema, nullable, blank }: Parameter, sent: Sender): unknown {
  const value = sent(name);
  if (value === '' && blank) return undefined;
  if (value !== NULL) return value;
  if (nullable) return null;
  return schema.type === 'array' ? [] : undefined;
}

function wordsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? value.split(/[\s,]+/).filter(Boolean) : [value];
}

function refusedParameter(refusal: Refusal, signedIn: boolean): Detail {
  const details = failureOf({ ...refusal, param: 'it' }, signedIn)?.data?.details as
    | Record<string, Detail>
    | undefined;
  return details?.it ?? { message: refusal.message, data: null };
}

/** The refusal of a parameter that must not be there. */
function presenceRefusal(parameters: readonly Parameter[], sent: Sender): Refusal | undefined {
  const present = parameters.find(({ name, refusal }) => refusal && isGiven(sent(name)));
  const value = present && sent(present.name);
  const zero =
    typeof value !== 'object' && Number(value) === 0 ? present?.refusal?.zero : undefined;
  return zero ? { reason: zero, message: 'Invalid post ID.' } : present?.refusal;
}

const isGiven = (value: unknown) => value !== undefined && value !== NULL && value !== '';

/** Totals and the addresses of the pages beside this one. */
function page(
  response: RestResponse,
  answered: Record<string, unknown>,
  { query, path }: RestRequest,
  variables: Variables,
  root: string,
): void {
  const total = answered.totalCount as number;
  const size = Number(variables.per_page ?? answered.pageSize) || total || 1;
  const current = Number(variables.page ?? 1);
  const last = Math.ceil(total / size);
  response.headers['X-WP-Total'] = total;
  response.headers['X-WP-TotalPages'] = last;
  const address = (number: number) =>
    `<${root}${path.replace(/\/$/, '')}?${buildQuery({ ...query, page: number })}>`;
  const links = [
    ...(current > 1 && last > 0 ? [`${address(Math.min(current - 1, last))}; rel="prev"`] : []),
    ...(current < last ? [`${address(current + 1)}; rel="next"`] : []),
  ];
  if (links.length > 0) response.headers.Link = links.join(', ');
}

const NOTHING: ReadonlySet<string> = new Set();

/** Which relations `_embed` asks for, as the variables spell them. */
function embedsOf(value: unknown, known: readonly string[]): ReadonlySet<string> {
  if (value === undefined || known.length === 0) return NOTHING;
  const words = listOf(value);
  if (!words || words.some((word) => word === '1' || word === 'true'))
    return new Set(known.map((name) => name.slice('embed_'.length)));
  return new Set(words.map((word) => word.replace(/\W/g, '_')));
}

const shows = (fields: readonly string[] | undefined, name: string) =>
  !fields || fields.some((field) => field === name || field.startsWith(`${name}.`));

/**
 * Which relations of `_links` are shown: in a list those that are named, on a single item all as
 * soon as any is, or `_embedded`.
 */
function relsOf(
  fields: readonly string[] | undefined,
  isList: boolean,
): ReadonlySet<string> | undefined | null {
  if (!fields || fields.includes('_links')) return undefined;
  if (!isList && fields.some((field) => /^_(?:links|embedded)(?:\.|$)/.test(field)))
    return undefined;
  const rels = fields
    .filter((field) => field.startsWith('_links.'))
    .map((field) => field.split('.')[1] as string);
  return rels.length > 0 ? new Set(rels) : null;
}

type Traced = {
  readonly deps: Pick<RequestContext['deps'], 'log'>;
  readonly input: Pick<RequestContext['input'], 'requestId'>;
};

/**
 * An error that nobody planned: logged with its cause and the request's id, answered without it.
 */
export function surprise(error: Error, { deps, input }: Traced): Failure {
  const cause = ('originalError' in error && error.originalError) || error;
  if (isUnavailable(cause)) return UNAVAILABLE;
  deps.log.error({ err: cause, request: input.requestId }, 'request failed');
  return failure(
    500,
    'internal_error',
    'Something went wrong on our side. The error has been recorded.',
  );
}

const UNAVAILABLE = failure(
  503,
  'service_unavailable',
  'The service cannot reach its database. Try again soon.',
);
