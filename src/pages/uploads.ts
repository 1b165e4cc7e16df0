import type { Request, RequestHandler, Response } from 'express';
import type { App } from '../app/app.js';
import { DomainError } from '../core/errors.js';
import type { Reason } from '../core/reasons.js';
import {
  expectedUpload,
  receiveUpload,
  sizeWrong,
} from '../domains/files/upload/upload-arrival.service.js';
import { bePatient } from '../platform/http/connections.js';
import { CORS_ALWAYS, corsFor } from '../platform/http/cors.js';

/** Milliseconds in which a refused caller may go on sending, so that it can read why. */
const LINGER = 2_000;

const STATUS: Partial<Record<Reason, number>> = {
  UPLOAD_NOT_FOUND: 404,
  UPLOAD_SIZE_WRONG: 400,
  UPLOAD_CHANGED: 409,
};

/** Allows pages of the dashboard, at another origin, to send files. */
export const uploadOptions =
  ({ deps }: App): RequestHandler =>
  (request, response) => {
    setCors(deps.config.CORS_ORIGINS, request, response);
    response.status(204).end();
  };

/**
 * Takes the file of an upload at its signed address, `PUT /uploads/KEY`. Answers 200 without a body
 * when all of it is stored, also when it came before; 404 for an address that is none or has expired,
 * 400 for another number of bytes than was announced, 409 for another file than came before, as JSON
 * in the form of GraphQL's errors. A file may arrive until its address expires.
 */
export function takeUpload({ deps }: App): RequestHandler {
  return async (request, response) => {
    setCors(deps.config.CORS_ORIGINS, request, response);
    response.set('Cache-Control', 'no-store');
    try {
      const query = new URL(request.originalUrl, 'http://localhost').searchParams;
      const upload = await expectedUpload(deps, String(request.params.key), query);
      const announced = request.headers['content-length'];
      if (announced !== undefined && Number(announced) !== upload.bytes)
        throw sizeWrong(upload.bytes);
      bePatient(request);
      const end = setTimeout(() => request.destroy(), upload.expiresAt - deps.clock()).unref();
      await receiveUpload(deps, upload, request).finally(() => clearTimeout(end));
      response.status(200).end();
    } catch (error) {
      if (request.socket.destroyed) return;
      if (!(error instanceof DomainError)) throw error;
      refuse(request, response, error);
    }
  };
}

function refuse(request: Request, response: Response, { refusal }: DomainError): void {
  const { reason, message } = refusal;
  const status = STATUS[reason] ?? 500;
  if (!request.complete) {
    response.set('Connection', 'close');
    request.resume();
    setTimeout(() => request.destroy(), LINGER).unref();
  }
  response.status(status).json({ errors: [{ message, extensions: { code: reason } }] });
}

function setCors(origins: readonly string[], request: Request, response: Response): void {
  response.set({ ...CORS_ALWAYS, ...corsFor(request.headers.origin, origins), Vary: 'Origin' });
}
