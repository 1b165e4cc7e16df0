import type { IncomingMessage } from 'node:http';
import express, {
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { GraphQLError } from 'graphql';
import { holdsTooMuch } from '../platform/http/json-values.js';
import { alsoHalfClosed } from '../platform/http/raw-body.js';
import { tooManyVariables } from './document-variables.js';

const LARGEST_BODY = '2mb';

/** Refuses a body before it is parsed: one with more values than its variables may have. */
function refuseMany(
  _request: IncomingMessage,
  _response: unknown,
  bytes: Buffer,
  charset: string,
): void {
  if (charset !== 'utf-8')
    throw Object.assign(new Error('The charset of a request body must be UTF-8.'), { status: 415 });
  if (holdsTooMuch(bytes)) throw Object.assign(tooManyVariables(), { status: 400 });
}

const MESSAGES: Readonly<Record<number, string>> = {
  413: 'The request body may have 2 MiB at most.',
  415: 'The request body must be JSON in UTF-8.',
};

/** Answers a body that is too large or is no JSON, in the form of all other errors. */
function refuseBody(
  error: { status?: number; type?: string },
  _request: Request,
  response: Response,
  next: NextFunction,
): void {
  if (!error.status || error.status >= 500) {
    next(error);
    return;
  }
  if (error instanceof GraphQLError) {
    response.status(error.status).json({ errors: [error] });
    return;
  }
  const message = MESSAGES[error.status] ?? 'The request body is not valid JSON.';
  response
    .status(error.status)
    .json({ errors: [{ message, extensions: { code: 'BAD_REQUEST' } }] });
}

/** Reads JSON bodies. Others are answered here: 400, 413 or 415, with the code BAD_REQUEST. */
export const REQUEST_BODY: readonly RequestHandler[] = [
  alsoHalfClosed(express.json({ limit: LARGEST_BODY, verify: refuseMany })),
  refuseBody as unknown as RequestHandler,
];
