import {
  ApolloClient,
  ApolloLink,
  CombinedGraphQLErrors,
  HttpLink,
  InMemoryCache,
  type OperationVariables,
  type TypedDocumentNode,
} from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { relayStylePagination } from '@apollo/client/utilities';
import { OperationTypeNode } from 'graphql';
import { from, switchMap } from 'rxjs';
import { possibleTypes, typePolicies } from './generated/apollo/apollo-cache.js';
import type { Session } from './session.js';
import { Shown } from './shown.js';
import { openSocket } from './socket.js';

/** An Apollo Client of a session, as a dashboard sets it up. `close` ends its socket. */
export function apolloClient(session: Session): { client: ApolloClient; close: () => void } {
  const socket = openSocket(session);
  const http = ApolloLink.from([
    new ErrorLink(({ error, operation, forward }) => {
      if (codeOf(error) !== 'TOKEN_EXPIRED') return;
      return from(session.renew(operation.getContext().headers)).pipe(
        switchMap(() => forward(operation)),
      );
    }),
    new SetContextLink(() => ({ headers: session.headers })),
    new HttpLink({ uri: `${session.url}/graphql`, fetch: session.fetch }),
  ]);
  const client = new ApolloClient({
    cache: new InMemoryCache({
      possibleTypes,
      typePolicies: {
        ...typePolicies,
        Query: {
          fields: {
            caredForMembers: relayStylePagination(),
            posts: relayStylePagination(['filter', 'orderBy']),
          },
        },
        Viewer: { fields: { auditEvents: relayStylePagination(['own']) } },
      },
    }),
    link: ApolloLink.split(
      ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
      new GraphQLWsLink(socket),
      http,
    ),
  });
  return {
    client,
    close: () => {
      client.stop();
      void socket.dispose();
    },
  };
}

/** A screen that shows a query, and asks for more of it. `close` ends it. */
export function openScreen<Data, Variables extends OperationVariables>(
  client: ApolloClient,
  query: TypedDocumentNode<Data, Variables>,
  variables: NoInfer<Variables>,
) {
  const shown = new Shown<Data>();
  const screen = client.watchQuery<Data, Variables>({ query, variables } as never);
  const watching = screen.subscribe(({ data, dataState }) => {
    if (dataState === 'complete') shown.next(data);
  });
  return { shown, screen, close: () => watching.unsubscribe() };
}

/** The code of the first refusal of an operation; undefined for other errors. */
export function codeOf(error: unknown): unknown {
  return CombinedGraphQLErrors.is(error) ? error.errors[0]?.extensions?.code : undefined;
}

/** A mistake in the arguments of a field. */
export interface Problem {
  readonly path: readonly (string | number)[];
  readonly code: string;
  readonly message: string;
}

/** The mistakes of the first refused field, for a form to show beside its fields. */
export function problemsOf(error: unknown): readonly Problem[] {
  if (!CombinedGraphQLErrors.is(error)) return [];
  return (error.errors[0]?.extensions?.problems ?? []) as Problem[];
}
