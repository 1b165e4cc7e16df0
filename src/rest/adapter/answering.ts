import type { ExecutionResult } from 'graphql';
import type { RequestContext } from '../../core/context.js';
import { LARGEST_RESPONSE } from '../../platform/http/response-size.js';
import { Made } from '../dialect.js';
import { failureOf, failureOfError } from '../errors.js';
import { listOf } from '../fields.js';
import { addressesOf, type LinkView, link } from '../links/links.js';
import { failureResponse, type RestResponse } from '../message.js';
import type { Operation } from '../operation/operation.js';
import type { Router } from '../router.js';
import { surprise } from '../surprise.js';
import {
  type FinishedItem,
  type FinishedItems,
  type FinishedResponse,
  itemsOf,
  joinedItems,
  showsUsually,
} from './finished-items.js';
import { addPaging } from './page-links.js';
import type { Plan } from './request-plan.js';
import { presenceRefusal, sender } from './sent.js';
import { embedsOf, relsOf, shows } from './view.js';

/** Where a plan runs. */
export interface RunEnvironment {
  readonly router: Router;
  /** Address of the API. */
  readonly root: string;
  /** Describes the routes of a namespace, with schemas of what they are about. */
  readonly describing: (namespace: string) => (schemas: Record<string, object>) => Promise<object>;
  /** Whether nothing else runs in the context at the same time. */
  readonly alone: boolean;
  /** The bodies of items that were made before. */
  readonly finished: FinishedItems;
}

type Body = Record<string, unknown>;

/**
 * Executes the operation of a plan and returns its response, with the headers that belong to it.
 * Over 40 lines: its steps, in their order, share what the operation returned and what it changed.
 */
export async function answer(
  plan: Plan,
  context: RequestContext,
  place: RunEnvironment,
): Promise<RestResponse> {
  const { request, match, endpoint } = plan;
  const { operation, route } = endpoint;
  const signedIn = context.viewer.id !== 0;
  const refusal = presenceRefusal(operation.refused, sender(request, match));
  if (refusal) return failureResponse(failureOf(refusal, signedIn));
  const { fields, embeds, seen } = askedOf(plan);
  const made = new Made();
  const before = context.changed.length;
  const variables = { ...operation.selecting(fields), ...seen, ...plan.variables };
  if (route.kept && variables.password === undefined) context.mayLag();
  const known = showsUsually(plan) && (await place.finished.find(plan, context, variables));
  if (known)
    return joinedResponse(
      { status: 200, headers: {}, body: undefined, ...(route.kept && { isPublic: true }) },
      plan,
      known,
      place.root,
    );
  const result = await operation.execute(context, fields, variables, made);
  const body = operation.bodyIn(result);
  const error = decisive(result, body);
  const response: RestResponse = {
    status: route.status ?? 200,
    headers: operation.issuesTokens ? { 'Cache-Control': 'no-store' } : {},
    body,
    ...(route.kept && !result.errors && { isPublic: true }),
  };
  if (error || !body) {
    const known = error && failureOfError(error, operation, signedIn);
    const failed = known ?? surprise(error ?? nothingFrom(operation), context);
    const done =
      made.value ?? (place.alone && !known ? onlyOne(context.changed.slice(before)) : undefined);
    // A response without the tokens or the page is of no use to the caller.
    if (done === undefined || operation.issuesTokens || operation.render)
      return failureResponse(failed);
    locate(response, plan, body, done, place);
    if (!body) return outline(response, done);
  } else locate(response, plan, body, made.value, place);
  if (operation.render) {
    const described = place.describing(match.group.namespace);
    return { ...response, ...(await operation.render.answer(body, described, request.query)) };
  }
  const view: LinkView = {
    root: place.root,
    editing: seen.edit === true,
    rels: relsOf(fields, operation.isList || Array.isArray(body)),
    embedding: embeds.size > 0 && shows(fields, '_embedded'),
  };
  return shown(response, plan, body, view, context, place);
}

/**
 * Returns the error of a result that makes it a failure: one of an embed does not, beside a body.
 */
const decisive = ({ errors }: ExecutionResult, body: unknown) =>
  errors?.find(({ path }) => !body || !path?.some((key) => String(key).startsWith('_embed_')));

const nothingFrom = ({ name }: Operation) => new Error(`${name} answered nothing.`);

/** Returns which fields and embeds the caller asked for, and how they are seen. */
function askedOf({ request, endpoint: { operation }, variables }: Plan) {
  const fields = listOf(request.query._fields);
  const embeds = embedsOf(request.query._embed, operation.embeds);
  return { fields, embeds, seen: operation.viewing(variables.context, embeds) };
}

/** Returns the row that changed, when only one did. */
const onlyOne = ([id, another]: readonly unknown[]) =>
  id !== undefined && another === undefined ? { id } : undefined;

/** Returns the row in what a mutation returned: of a payload with one object, that object. */
function rowOf(made: object): { id?: unknown; deleted?: unknown } {
  if ('id' in made || 'deleted' in made) return made;
  const objects = new Set(
    Object.values(made).filter((value) => value && typeof value === 'object'),
  );
  const [only = made, another] = objects;
  return another ? made : (only as object);
}

/** Fills the response to a change that was made, but could not be read: with its id alone. */
function outline(response: RestResponse, made: unknown): RestResponse {
  const { id, deleted } = rowOf(made as object);
  response.body = { ...(typeof id === 'number' && { id }), ...(deleted === true && { deleted }) };
  return response;
}

/**
 * Makes the response. Where that fails after a change, the response lacks what could not be made.
 */
function shown(
  response: RestResponse,
  plan: Plan,
  body: Body,
  view: LinkView,
  context: RequestContext,
  place: RunEnvironment,
): RestResponse {
  try {
    return linked(response, plan, body, view, place);
  } catch (error) {
    if (plan.endpoint.operation.isQuery) throw error;
    surprise(error as Error, context);
    const fields = Object.entries(body).filter(([name]) => !name.startsWith('_'));
    return { ...response, body: Object.fromEntries(fields) };
  }
}

/** Adds links to the body, and the headers that say where it is. */
function linked(
  response: RestResponse,
  plan: Plan,
  body: Body,
  view: LinkView,
  place: RunEnvironment,
): RestResponse {
  const { operation } = plan.endpoint;
  const { root } = place;
  if (showsUsually(plan)) return finished(response, plan, body, view, place);
  if (operation.isList || Array.isArray(body)) {
    const items = (operation.isList ? body.nodes : body) as Body[] | undefined;
    if (operation.hasLinks) for (const item of items ?? []) link(item, view);
    response.body = items;
    if (operation.hasTotal) addPaging(response, body, plan, root);
    return response;
  }
  const addresses = addressesOf(body, root);
  if (operation.isQuery) addPage(response, addresses?.page);
  link(body, view);
  return response;
}

/** Adds links to the items, makes their bodies, and keeps these. */
function finished(
  response: RestResponse,
  plan: Plan,
  body: Body,
  view: LinkView,
  { finished, root }: RunEnvironment,
): RestResponse {
  const { operation } = plan.endpoint;
  const items = itemsOf(operation, body);
  const stamps = items.map(({ _stamp: stamp }) => stamp);
  const made: FinishedItem[] = [];
  let length = 0;
  for (const item of items) {
    const page = addressesOf(item, root)?.page ?? '';
    link(item, view);
    if (length > LARGEST_RESPONSE) continue; // it is refused
    const bytes = Buffer.from(JSON.stringify(item));
    length += bytes.length;
    made.push({ page, bytes });
  }
  if (length > LARGEST_RESPONSE) return { ...response, body: items };
  finished.keep(plan, stamps, made);
  return joinedResponse(response, plan, { body, items: made }, root);
}

/** Returns a response with the bodies of its items, and the headers that say where it is. */
function joinedResponse(
  response: RestResponse,
  plan: Plan,
  { body, items }: FinishedResponse,
  root: string,
): RestResponse {
  const { operation } = plan.endpoint;
  const joined = { ...response, body: undefined, bytes: joinedItems(operation, items) };
  if (operation.isList) addPaging(joined, body, plan, root);
  else addPage(joined, items[0]?.page);
  return joined;
}

/** Adds the address of the page of an item to the headers. */
function addPage(response: RestResponse, page: string | undefined): void {
  if (page !== undefined) response.headers.Link = `<${page}>; rel="alternate"; type=text/html`;
}

/** Adds where what was made can be read, if it can, whatever fields of it are shown. */
function locate(
  response: RestResponse,
  { match, endpoint }: Plan,
  body: Body | null | undefined,
  made: unknown,
  { router, root }: RunEnvironment,
): void {
  if (response.status !== 201) return;
  const base = endpoint.route.makes ?? match.group.path;
  const item = router.groups.find(({ path }) => path === `${base}/{id}`);
  const readable = item?.endpoints.some(({ methods }) => methods.includes('GET'));
  const id = readable ? (body?.id ?? rowOf(made ?? {}).id) : undefined;
  const self = addressesOf(body, root)?.self ?? (id ? `${root}${base}/${id}` : undefined);
  if (self) response.headers.Location = self;
}
