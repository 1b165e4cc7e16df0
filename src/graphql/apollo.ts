import type { Server } from 'node:http';
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { ApolloServerPluginDrainHttpServer } from '@apollo/server/plugin/drainHttpServer';
import type { App } from '../app/app.js';
import type { RequestContext } from '../core/context.js';
import { jsonWithin } from '../platform/http/response-size.js';
import { tellCost } from './cost.js';
import { executing } from './executing.js';
import type { Admitted } from './execution/admitted.js';
import { format } from './format.js';
import { boundResponse, guard, tooLarge } from './guard.js';
import { takeForLines } from './line-stream.js';
import { logOperation } from './operation-log.js';
import type { PersistedDocuments } from './persisted-documents.js';
import { setResponseHeaders } from './response-headers.js';
import { setCacheControl } from './sharing.js';
import { speak } from './spoken/speaking.js';

/**
 * Starts the server that executes documents, and puts what it executes into `admitted`. It stops
 * with `http`.
 */
export async function startApollo(
  app: App,
  http: Server,
  persisted: PersistedDocuments,
  admitted: Admitted,
): Promise<ApolloServer<RequestContext>> {
  const apollo = new ApolloServer<RequestContext>({
    schema: app.schema,
    introspection: true,
    csrfPrevention: true,
    includeStacktraceInErrorResponses: false,
    // `guard` reads documents.
    documentStore: null,
    stringifyResult: bounded,
    stopOnTerminationSignals: false,
    persistedQueries: { cache: persisted.store },
    formatError: (formatted, error) => format(formatted, error, app),
    plugins: [
      ApolloServerPluginDrainHttpServer({ httpServer: http }),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      answering(app, admitted, persisted),
    ],
  });
  await apollo.start();
  return apollo;
}

/** Judges and executes requests: one plugin, since Apollo waits for each in turn. */
function answering(
  app: App,
  admitted: Admitted,
  persisted: PersistedDocuments,
): ApolloServerPlugin<RequestContext> {
  const guarding = guard(app, admitted, persisted);
  const execute = executing(app, admitted);
  return {
    async requestDidStart() {
      const started = performance.now();
      const { responseTo, ...judging } = guarding();
      return {
        ...judging,
        async responseForOperation({ contextValue, request: { http } }) {
          return responseTo(http?.headers.get('accept')) ?? execute(contextValue);
        },
        async willSendResponse(sending) {
          speak(sending);
          boundResponse(sending.response, sending.operation?.operation === 'mutation');
          setCacheControl(app.schema, admitted, sending);
          setResponseHeaders(sending);
          tellCost(sending);
          admitted.note(sending.contextValue, logOperation(app, sending, started));
        },
      };
    },
  };
}

/**
 * Returns the JSON of a response; nothing where lines are made of it. Throws RESPONSE_TOO_LARGE
 * where its escapes made it too large: `guard` has refused what is too large without them.
 */
function bounded(response: object): string {
  if (takeForLines(response)) return '';
  const text = jsonWithin(response);
  if (text === undefined) throw tooLarge();
  return text;
}
