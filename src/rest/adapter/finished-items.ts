import type { RequestContext } from '../../core/context.js';
import { Generations } from '../../platform/generations.js';
import type { Item } from '../links/hidden.js';
import type { Variables } from '../operation/compiling.js';
import type { Operation } from '../operation/operation.js';
import type { Plan } from './request-plan.js';

/** Bytes of all bodies of a process and an edition together, with what they are found by. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Bytes of one body. */
const LARGEST = 64 * 1024;
/** Bytes that an entry takes beside its key and its body. */
const ENTRY_BYTES = 200;
/** Characters of all requests whose items are known. */
const MOST_REQUESTS = 512 * 1024;

const [OPEN, COMMA, CLOSE] = ['[', ',', ']'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
];

/** The body of one item. */
export interface FinishedItem {
  /** Its JSON in UTF-8. */
  readonly bytes: Buffer;
  /** Address of its page. */
  readonly page: string;
}

/** What a response shows whose items are known. */
export interface FinishedResponse {
  /** The body but for its items. */
  readonly body: Item;
  readonly items: readonly FinishedItem[];
}

/**
 * Bodies of items of content as finished bytes, by the stamps of their rows (`Item.stamp`). A request that
 * was answered before reads the stamps of its items, and joins the bytes of those that are known. So no
 * body is older than its row. A request is not looked up the first time, and runs in full where an item is
 * not known.
 */
export class FinishedItems {
  readonly #items = new Generations<FinishedItem>(
    MOST_BYTES,
    (key, { bytes }) => key.length + bytes.length + ENTRY_BYTES,
  );
  readonly #requests = new Generations<true>(MOST_REQUESTS, (key) => key.length);

  /** Returns the items of a request; undefined where it is new, or an item is not known. */
  async find(
    plan: Plan,
    context: RequestContext,
    variables: Variables,
  ): Promise<FinishedResponse | undefined> {
    const { operation } = plan.endpoint;
    if (!this.#requests.get(keyOf(plan))) return undefined;
    const result = await operation.stamps(context, variables);
    const body = operation.bodyIn(result);
    if (result.errors || !body) return undefined;
    const items: FinishedItem[] = [];
    for (const { _stamp: stamp } of itemsOf(operation, body)) {
      const item = typeof stamp === 'string' && this.#items.get(`${operation.name} ${stamp}`);
      if (!item) return undefined;
      items.push(item);
    }
    return { body, items };
  }

  /** Keeps the items of a request that ran in full, with their stamps. */
  keep(plan: Plan, stamps: readonly unknown[], items: readonly FinishedItem[]): void {
    const { operation } = plan.endpoint;
    let isKnown = true;
    for (const [i, item] of items.entries()) {
      const isKept = typeof stamps[i] === 'string' && item.bytes.length <= LARGEST;
      if (isKept) this.#items.set(`${operation.name} ${stamps[i]}`, item);
      else isKnown = false;
    }
    if (isKnown) this.#requests.set(keyOf(plan), true);
  }
}

const keyOf = ({ endpoint: { operation }, variables }: Plan) =>
  `${operation.name} ${JSON.stringify(variables)}`;

/** Returns the items of a body: those of a list, or the body itself. */
export const itemsOf = ({ isList }: Operation, body: Item): readonly Item[] =>
  isList ? (body.nodes as Item[]) : [body];

/**
 * Returns whether items are shown as they always are: in the context `view`, without a password, with
 * excerpts of the usual length, and with nothing of what parameters that begin with `_` change.
 */
export function showsUsually({ request, endpoint, variables }: Plan): boolean {
  const { context = 'view', password, excerpt_length: words } = variables;
  return (
    endpoint.operation.hasStamps &&
    context === 'view' &&
    password === undefined &&
    words === undefined &&
    !Object.keys(request.query).some((name) => name.startsWith('_'))
  );
}

/** Returns the JSON of the items of a response, in one piece. */
export function joinedItems({ isList }: Operation, items: readonly FinishedItem[]): Buffer {
  if (!isList) return items[0]?.bytes ?? Buffer.alloc(0);
  const parts = items.flatMap(({ bytes }, i) => (i === 0 ? [bytes] : [COMMA, bytes]));
  return Buffer.concat([OPEN, ...parts, CLOSE]);
}
