import type { RequestContext } from '../../core/context.js';
import type { ResponseLabels } from '../../platform/http/counted-response.js';
import type { ExecutionRequest } from './executor.js';

const PLACE = Symbol('asked');
interface CarriedPlace {
  asked?: ExecutionRequest;
  labels?: ResponseLabels;
}
type Carrying = RequestContext & { [PLACE]?: CarriedPlace };

/**
 * The operations that may be executed, by the context of their request, which carries them: a
 * WeakMap would keep each request until a full collection of garbage. Apollo copies the context, so
 * original and copy share a place.
 */
export class Admitted {
  /** Gives a context its place. */
  receive(context: RequestContext): RequestContext {
    (context as Carrying)[PLACE] = {};
    return context;
  }

  get(context: RequestContext): ExecutionRequest | undefined {
    return (context as Carrying)[PLACE]?.asked;
  }

  /** Admits an operation. The context must have been received. */
  set(context: RequestContext, asked: ExecutionRequest): void {
    ((context as Carrying)[PLACE] as CarriedPlace).asked = asked;
  }

  /** Notes what the metrics call the response. */
  note(context: RequestContext, labels: ResponseLabels): void {
    const place = (context as Carrying)[PLACE];
    if (place) place.labels = labels;
  }

  noted(context: RequestContext): ResponseLabels | undefined {
    return (context as Carrying)[PLACE]?.labels;
  }
}
