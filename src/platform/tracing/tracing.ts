// The places that traces are made of call these functions. While traces are off each is one comparison.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Trust } from '../http/address.js';
import type { SentMessage, Spans } from './spans.js';

let spans: Spans | undefined;

/** Makes spans from now on; undefined makes none any more. */
export function useSpans(next: Spans | undefined): void {
  spans = next;
}

/** Returns whether spans are made. */
export const isTracing = (): boolean => spans !== undefined;

/** Returns whether what runs now is in a trace that is recorded. */
export const isRecording = (): boolean => spans?.isRecording === true;

/**
 * Handles a request in a span, which ends with its response. The trace of the caller goes on where
 * the connection is that of a trusted proxy.
 */
export function inRequest(
  request: IncomingMessage,
  response: ServerResponse,
  trust: Trust,
  handle: () => void,
): void {
  if (spans) spans.request(request, response, trust, handle);
  else handle();
}

/** Names the span of the request that is being handled by its route. */
export function nameRequest(route: string): void {
  spans?.nameRequest(route);
}

/** Runs an operation of the graph in a span: `query`, `mutation` or `subscription`, and its name. */
export const inOperation = <T>(
  kind: string,
  name: string | undefined,
  run: () => Promise<T>,
): Promise<T> => (spans ? spans.operation(kind, name, run) : run());

/** Resolves a field, such as `Query.posts`, in a span if it sends a statement. */
export const inResolver = <T>(field: string, resolve: () => T): T =>
  spans ? spans.resolver(field, resolve) : resolve();

/** Sends a statement in a span, which tells what it does with which table, and nothing else of it. */
export const inStatement = <T>(text: string, send: () => Promise<T>): Promise<T> =>
  spans ? spans.statement(text, send) : send();

/** Runs a background job in a trace of its own if it sends a statement. */
export const inJob = <T>(name: string, run: () => Promise<T>): Promise<T> =>
  spans ? spans.job(name, run) : run();

/** Calls a provider, such as `expo`, in a span. */
export const inCall = <T>(provider: string, call: () => Promise<T>): Promise<T> =>
  spans ? spans.call(provider, call) : call();

/**
 * Begins the trace of a message at the instant it was due, and links it with what queues it. The id
 * of the trace is the UUID of the message, so that whoever delivers it goes on with the same trace.
 */
export function noteQueued(messageId: string, kind: string, dueAt: Date): void {
  spans?.queued(messageId, kind, dueAt);
}

/** Adds the delivery of a message, with the call of its provider, to the trace of the message. */
export function noteSent(message: SentMessage): void {
  spans?.sent(message);
}
