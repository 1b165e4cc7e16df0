import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, RequestHandler } from 'express';
import { GraphQLError } from 'graphql';
import type { App } from '../app/app.js';
import { incomingOf } from '../app/incoming.js';
import { capable } from '../core/access.js';
import type { RequestContext } from '../core/context.js';
import { DomainError, refuse } from '../core/errors.js';
import { keyOf } from '../core/node.js';
import { tablesOf } from '../domains/reports/saved/result-table.js';
import { savedReportOf } from '../domains/reports/saved/saved-report.service.js';
import type { RunReport } from '../domains/reports/saved/saved-report.types.js';
import { CORS_ALWAYS, corsFor } from '../platform/http/cors.js';
import { NO_SNIFFING } from '../platform/http/no-sniffing.js';
import { arrive } from './arrival.js';
import { format } from './format.js';
import { sendErrors } from './refusing.js';
import { cutTables, FORMATS, fileName, type ReportResult } from './report-file-formats.js';
import { reportRunner } from './report-run.js';

/** Cells of a file. With 20,000 fields of a response there are more only where rows hold lists. */
const MOST_CELLS = 100_000;
/** A file costs one point more for each such number of cells: XLSX takes 5 ms for them. */
const CELLS_PER_POINT = 1_000;

/**
 * Serves GET /graphql/reports/ID.FORMAT: runs the saved report with the rights of the caller, by
 * the Authorization header, and gives the response as a file. It is an address and no field, since
 * files are no JSON; it is GraphQL's, since a report is a document, and costs what the document
 * costs, and a point for every 1,000 cells. Refusals are those of GraphQL, with statuses. `csv` is
 * one table: the first, or `?table=doseReport.total`; `?bom=1` begins it with a byte order mark.
 * `xlsx` has a sheet for each table, and one that explains why numbers are hidden. `json` is the
 * data. Hidden numbers are empty, and the column `withheld` says why. A report that has more rows than
 * it asks for says so in the name of the file, in the header `Report-Is-Cut: true`, in XLSX on the last sheet, and
 * in JSON by `isCut`. TOO_EXPENSIVE beyond 100,000 cells.
 */
export function reportFile(app: App, baseUrl: string): RequestHandler {
  const { config } = app.deps;
  const run = reportRunner(app);
  return async (request, response, next) => {
    const headers = {
      ...CORS_ALWAYS,
      ...corsFor(request.headers.origin, config.CORS_ORIGINS),
      ...NO_SNIFFING,
      Vary: 'Origin, Authorization',
      'Cache-Control': 'private, no-store',
    };
    if (request.method === 'OPTIONS') return void response.writeHead(204, headers).end();
    const { id, format: name } = request.params as { id: string; format: string };
    const as = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
    if (!as || request.method !== 'GET') return next();
    const made = app.createContext(incomingOf(request, baseUrl, config));
    const { refused, headers: quota } = await arrive(made);
    const all = { ...headers, ...quota };
    if (refused)
      return sendErrors(
        request,
        response,
        refused.status,
        all,
        [refused.error],
        refused.extensions,
      );
    try {
      const result = await resultOf(app, run, await made, id, request);
      const parts = await as.parts(result);
      const disposition = `attachment; filename="report.${name}"; filename*=UTF-8''${fileName(result, name)}`;
      await send(response, parts, {
        ...all,
        'Content-Type': as.type,
        'Content-Disposition': disposition,
        'Access-Control-Expose-Headers': 'Content-Disposition, Report-Is-Cut',
        ...(cutTables(result.tables).length > 0 && { 'Report-Is-Cut': 'true' }),
      });
    } catch (error) {
      fail(app, request, response, all, error);
    }
  };
}

async function resultOf(
  { deps, schema }: App,
  run: RunReport,
  context: RequestContext,
  id: string,
  { query }: Request,
): Promise<ReportResult> {
  const { refusal } = context.input;
  if (refusal) throw new DomainError(refusal);
  const refused = await capable('introspect')(context, {} as never);
  if (refused) throw new DomainError(refused);
  const key = keyOf(id, ['SavedReport'], 'number');
  if (typeof key !== 'number') throw new DomainError(key as Exclude<typeof key, string | number>);
  const report = await savedReportOf(context, key);
  const data = await run(context, report);
  const tables = tablesOf(data);
  const cells = tables.reduce((sum, { rows, columns }) => sum + rows.length * columns.length, 0);
  if (cells > MOST_CELLS)
    throw refuse('TOO_EXPENSIVE', 'The file would have more than 100,000 cells. Ask for less.');
  const spent = await context.quota.add(cells / CELLS_PER_POINT);
  if (spent) throw new DomainError(spent);
  return { report, data, tables, at: new Date(deps.clock()).toISOString(), schema, query };
}

/** Sends a file in parts. A reader that is slow is waited for, and one that goes away ends it. */
async function send(
  response: ServerResponse,
  parts: Iterable<string | Buffer>,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const iterator = parts[Symbol.iterator]();
  const first = iterator.next(); // what is refused is so before the headers are sent
  response.writeHead(200, headers);
  const rest = { [Symbol.iterator]: () => iterator };
  const all = function* () {
    if (!first.done) yield first.value;
    yield* rest;
  };
  await pipeline(Readable.from(all()), response).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

const STATUSES: Readonly<Record<string, number>> = {
  UNAUTHENTICATED: 401,
  TOKEN_INVALID: 401,
  TOKEN_EXPIRED: 401,
  FORBIDDEN: 403,
  SAVED_REPORT_NOT_FOUND: 404,
  TOO_MANY_REQUESTS: 429,
  REPORT_BUDGET_SPENT: 429,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
};

function fail(
  app: App,
  request: IncomingMessage,
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  error: unknown,
): void {
  const shown = format(
    error instanceof GraphQLError ? error.toJSON() : { message: '' },
    error,
    app,
  );
  if (response.headersSent) return void response.destroy();
  const { code, retryAfter } = shown.extensions ?? {};
  const all = {
    ...headers,
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
  };
  sendErrors(request, response, STATUSES[String(code)] ?? 400, all, [shown]);
}
