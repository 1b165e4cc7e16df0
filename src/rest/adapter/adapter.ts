import type { RequestContext } from '../../core/context.js';
import { inTurn } from '../../core/dear-work.js';
import { POINTS, pointsOfEmbedding } from '../../core/quota.js';
import { deprecationHeaders } from '../deprecation.js';
import { failureOf, NO_ROUTE } from '../errors.js';
import { longListFailure } from '../fields.js';
import {
  type Edition,
  type Failure,
  failureResponse,
  type RestRequest,
  type RestResponse,
} from '../message.js';
import { type Described, namespaceDocument } from '../openapi/document.js';
import type { Match, Router } from '../router.js';
import { surprise } from '../surprise.js';
import { answer } from './answering.js';
import { checkParameters, judged, variablesOf } from './checking.js';
import { FinishedItems } from './finished-items.js';
import type { Plan } from './request-plan.js';
import { namesSent, presenceRefusal, sender } from './sent.js';

/** Items of a page when nobody says how many. */
const USUAL_ROWS = 10;

/** Returns how many items a request may embed others in. */
function embeddingRows({ failure, request, endpoint: { operation }, variables }: Plan): number {
  if (failure || request.query._embed === undefined || operation.embeds.length === 0) return 0;
  return operation.isList ? Number(variables.per_page ?? USUAL_ROWS) : 1;
}

/** Turns requests of one edition into operations, and their results into responses. */
export class Adapter {
  readonly #finished = new FinishedItems();

  constructor(
    readonly edition: Edition,
    readonly router: Router,
    private readonly described: Described,
  ) {}

  /**
   * Finds the route and checks the parameters, by their types and by the domain. Changes nothing.
   * Returns a failure alone when no route matches. Every `rest_invalid_param` that depends only on
   * what was sent is found here.
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
      request.bodyFailure ??
      longListFailure(request.query) ??
      checked.failure ??
      (await judged(endpoint, checked, context));
    return { request, match, endpoint, variables, failure };
  }

  /**
   * Charges the quota for a plan, then runs it. Returns the response and its headers. A change that
   * was committed is never answered with an error: the response lacks what cannot be read or shown,
   * and the log says why. `alone`: nothing else runs in the context at the same time. Default true.
   */
  async run(
    plan: Plan,
    context: RequestContext,
    root: string,
    { alone = true } = {},
  ): Promise<RestResponse> {
    const { quota } = context;
    const spent =
      (await quota.charge(
        plan.failure ? POINTS.read : plan.endpoint.operation.points(plan.variables),
      )) ??
      (await quota.add(pointsOfEmbedding(embeddingRows(plan), plan.variables.context === 'edit')));
    if (spent) return failureResponse(failureOf(spent, context.viewer.id !== 0));
    const describing = (namespace: string) => (schemas: Record<string, object>) =>
      namespaceDocument(root, namespace, this.described, schemas);
    const place = { router: this.router, root, describing, alone, finished: this.#finished };
    const result = plan.failure
      ? failureResponse(plan.failure)
      : await inTurn(context, plan.endpoint.operation.isDear, () => answer(plan, context, place));
    const { render } = plan.endpoint.operation;
    const response =
      result.status >= 400 && render?.failure
        ? { ...result, ...render.failure(result, plan.request.query) }
        : result;
    // A rule that fails now costs the header, not the response: the change is made.
    const methods = await this.allowed(plan.match, plan.request, context, plan).catch(
      (error: Error) => {
        surprise(error, context);
        return [];
      },
    );
    if (methods.length > 0) response.headers.Allow = methods.join(', ');
    Object.assign(response.headers, deprecationHeaders(plan.endpoint.route.deprecated));
    return response;
  }

  /**
   * Returns the methods of a path that this caller may use in this request. `plan` spares a check.
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
}
