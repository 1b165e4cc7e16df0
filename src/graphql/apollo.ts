import type { Server } from 'node:http';
import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { ApolloServerPluginDrainHttpServer } from '@apollo/server/plugin/drainHttpServer';
import type { App } from '../app/app.js';
import type { RequestContext } from '../core/context.js';
import { jsonWithin } from '../platform/http/answer-size.js';
import { Admitted, executing } from './execution/admitted.js';
import { format } from './format.js';
import { guard, tooLarge } from './guard.js';
import { takeForLines } from './line-stream.js';
import { operationLog } from './operation-log.js';
import type { PersistedDocuments } from './persisted-documents.js';
import { responseHeaders } from './response-headers.js';
import { sharing } from './sharing.js';

/** Starts the server that executes documents. It stops with `http`. */
export async function startApollo(
  app: App,
  http: Server,
  persisted: PersistedDocuments,
): Promise<ApolloServer<RequestContext>> {
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
    persistedQueries: { cache: persisted.store },
    formatError: (formatted, error) => format(formatted, error, app),
    plugins: [
      ApolloServerPluginDrainHttpServer({ httpServer: http }),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      guard(app, admitted, persisted),
      sharing(app.schema, admitted),
      responseHeaders(),
      operationLog(app),
    ],
  });
  await apollo.start();
  return apollo;
}

/**
 * Returns the JSON of an answer; nothing where lines are made of it. Throws RESPONSE_TOO_LARGE where its escapes made it too large:
 * `guard` has refused what is too large without them.
 */
function bounded(answer: object): string {
  if (takeForLines(answer)) return '';
  const text = jsonWithin(answer);
  if (text === undefined) throw tooLarge();
  return text;
}
