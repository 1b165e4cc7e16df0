import type { Request, Response } from 'express';
import type { GraphQLFormattedError } from 'graphql';

/** The media types of answers. The first is for who takes any. */
const TYPES = ['application/json', 'application/graphql-response+json'];

/**
 * Answers a request that does not come as far as Apollo Server, in the media type that it accepts
 * (GraphQL over HTTP, "Body"): clients rely on the errors of a 4xx or 5xx only when the type says
 * that they are GraphQL's.
 */
export function sendErrors(
  request: Request,
  response: Response,
  status: number,
  errors: readonly GraphQLFormattedError[],
): void {
  const type = request.accepts(TYPES) || 'application/json';
  response.status(status).type(`${type}; charset=utf-8`).send(JSON.stringify({ errors }));
}
