import {
  Environment,
  type GraphQLResponse,
  getSingularSelector,
  Network,
  Observable,
  type ReaderFragment,
  RecordSource,
  type RequestParameters,
  ROOT_ID,
  Store,
  type Variables,
} from 'relay-runtime';
import type { Session } from './session.js';
import { Shown } from './shown.js';
import { openSocket } from './socket.js';

/** A reference to an object of the store, as a parent's data has it of a fragment. */
interface KeyType {
  readonly ' $data'?: unknown;
}
type KeyTypeData<Key extends KeyType> = NonNullable<Key[' $data']>;

/** What the service refused as a whole, by its stable code. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly code: unknown,
  ) {
    super(message);
  }
}

/** An environment of Relay for a session, as a dashboard sets it up. `close` ends its socket. */
export function relayEnvironment(session: Session): {
  environment: Environment;
  close: () => void;
} {
  const socket = openSocket(session);
  const execute = async (request: RequestParameters, variables: Variables) => {
    const sent = session.headers;
    const answer = await post(session, request, variables);
    if (codeOf(answer) !== 'TOKEN_EXPIRED') return known(answer);
    await session.renew(sent);
    return known(await post(session, request, variables));
  };
  const subscribe = ({ text }: RequestParameters, variables: Variables) =>
    Observable.create<GraphQLResponse>((sink) =>
      socket.subscribe<Record<string, unknown>>(
        { query: text ?? '', variables },
        {
          next: (answer) => sink.next(answer as GraphQLResponse),
          error: (error) => sink.error(error instanceof Error ? error : new Error(String(error))),
          complete: () => sink.complete(),
        },
      ),
    );
  const environment = new Environment({
    network: Network.create(execute, subscribe),
    store: new Store(new RecordSource()),
    // What a payload shows of `query` is the root of the store.
    getDataID: ({ id }, typeName) => (typeName === 'Query' ? ROOT_ID : id),
  });
  return { environment, close: () => void socket.dispose() };
}

async function post(
  { url, fetch, headers }: Session,
  { text, name }: RequestParameters,
  variables: Variables,
): Promise<GraphQLResponse> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query: text, operationName: name, variables }),
  });
  return (await response.json()) as GraphQLResponse;
}

/** Throws when there is no data. A field that was refused is null, beside the data of others. */
function known(answer: GraphQLResponse): GraphQLResponse {
  const { data, errors } = answer as { data?: unknown; errors?: { message: string }[] };
  if (!data) throw new Refusal(errors?.[0]?.message ?? 'There is no data.', codeOf(answer));
  return answer;
}

/** The code of the first refusal in an answer, or in what Relay hands on of its errors. */
export function codeOf(answer: object): unknown {
  const { errors } = answer as { errors?: { extensions?: { code?: string } }[] };
  return errors?.[0]?.extensions?.code;
}

/** What a fragment shows of an object of the store: each state, the present one first. */
export function watchFragment<Key extends KeyType>(
  environment: Environment,
  fragment: ReaderFragment,
  key: Key,
): { shown: Shown<KeyTypeData<Key>>; close: () => void } {
  const selector = getSingularSelector(fragment, key);
  if (!selector) throw new Error(`The store has no such object: ${JSON.stringify(key)}`);
  const shown = new Shown<KeyTypeData<Key>>();
  const show = ({ data }: { readonly data: unknown }) => shown.next(data as KeyTypeData<Key>);
  const snapshot = environment.lookup(selector);
  show(snapshot);
  const watching = environment.subscribe(snapshot, show);
  return { shown, close: () => watching.dispose() };
}
