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
import { sendErrors } from './refusing.js';

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

const badRequest = (message: string) => ({ message, extensions: { code: 'BAD_REQUEST' } });

/** Answers a body that is too large or is no JSON, in the form of all other errors. */
function refuseBody(
  error: { status?: number; type?: string },
  request: Request,
  response: Response,
  next: NextFunction,
): void {
  const { status } = error;
  if (!status || status >= 500) {
    next(error);
    return;
  }
  const message = MESSAGES[status] ?? 'The request body is not valid JSON.';
  sendErrors(request, response, status, [
    error instanceof GraphQLError ? error.toJSON() : badRequest(message),
  ]);
}

/** Answers 415 to a POST of another type than JSON. What names no type has no body for us. */
const refuseType: RequestHandler = (request, response, next) => {
  const { method, headers } = request;
  if (method !== 'POST' || !headers['content-type'] || request.is('application/json') !== false)
    return next();
  sendErrors(request, response, 415, [badRequest(MESSAGES[415] ?? '')]);
};

/** Reads JSON bodies. Others are answered here: 400, 413 or 415, with the code BAD_REQUEST. */
export const REQUEST_BODY: readonly RequestHandler[] = [
  refuseType,
  alsoHalfClosed(express.json({ limit: LARGEST_BODY, verify: refuseMany })),
  refuseBody as unknown as RequestHandler,
];
