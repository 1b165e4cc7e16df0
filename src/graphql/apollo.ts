import type { Server } from 'node:http';
import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { ApolloServerPluginDrainHttpServer } from '@apollo/server/plugin/drainHttpServer';
import type { App } from '../app/app.js';
import type { RequestContext } from '../core/context.js';
import { jsonWithin } from '../platform/http/answer-size.js';
import { Admitted, executing } from './execution/admitted.js';
import { format } from './format.js';
import { guard, tooLarge } from './guard.js';
import { operationLog } from './operation-log.js';
import { responseHeaders } from './response-headers.js';

/** Starts the server that executes documents. It stops with `http`. */
export async function startApollo(app: App, http: Server): Promise<ApolloServer<RequestContext>> {
  const admitted = new Admitted();
  const apollo = new ApolloServer<RequestContext>({
    gateway: executing(app.schema, admitted),
    introspection: true,
    csrfPrevention: true,
    includeStacktraceInErrorResponses: false,
    // `guard` reads documents.
    documentStore: null,
    stringifyResult: bounded,
    stopOnTerminationSignals: false,
    persistedQueries: false,
    formatError: (formatted, error) => format(formatted, error, app),
    plugins: [
      ApolloServerPluginDrainHttpServer({ httpServer: http }),
      ApolloServerPluginLandingPageDisabled(),
      guard(app, admitted),
      responseHeaders(),
      operationLog(app),
    ],
  });
  await apollo.start();
  return apollo;
}

/**
 * Returns the JSON of an answer. Throws RESPONSE_TOO_LARGE where its escapes made it too large:
 * `guard` has refused what is too large without them.
 */
function bounded(answer: object): string {
  const text = jsonWithin(answer);
  if (text === undefined) throw tooLarge();
  return text;
}
