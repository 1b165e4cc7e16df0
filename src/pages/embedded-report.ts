import type { RequestHandler, Response } from 'express';
import type { App } from '../app/app.js';
import { incomingOf } from '../app/incoming.js';
import {
  type EmbedEnd,
  embedOf,
  type ShownEmbed,
} from '../domains/reports/embedded/shown-embed.service.js';
import { type ResultTable, reasonsIn } from '../domains/reports/saved/result-table.js';
import type { RunReport } from '../domains/reports/saved/saved-report.types.js';
import { beside } from '../platform/pictures/points.js';
import { isHiding } from '../platform/pictures/series.js';
import { type Cell, type Table, tableFrom } from '../platform/pictures/table.js';
import { html, type Markup, sendPage } from './html.js';
import { pictureOf } from './report-picture.js';

/** Rows of the table. The picture has all, or there is none. */
const MOST_LISTED = 200;

/** Status and sentence for each end: what is over is told as such, and nothing of the report. */
const ENDS: Readonly<Record<EmbedEnd, readonly [status: number, sentence: string]>> = {
  unknown: [404, 'There is no report at this address.'],
  revoked: [410, 'This report was revoked: it is not shown here any more.'],
  expired: [410, 'The time for which this report was shown here is over.'],
  deleted: [410, 'This report was deleted.'],
  changed: [
    410,
    'This report was changed since it was put here. It is shown again once it is embedded anew.',
  ],
  unshared: [410, 'This report is not shared any more.'],
  outdated: [
    409,
    'This report cannot be shown: it asks for what is not there any more, for more than ' +
      'everybody may see, or for too much. Whoever made it must change it.',
  ],
  spent: [
    503,
    'This report is not shown today: too many questions were asked. Come back tomorrow.',
  ],
  failed: [503, 'This report cannot be shown just now. Reload it later.'],
  crowded: [429, 'Too many people look at this report just now. Reload it in a minute.'],
};

/**
 * Serves a saved report at its secret address, for the frames of the origins that it names: a table
 * and a picture, without a script, a form or a link. Each request pays a point of the quota of its
 * address. A page that is not shown says why; one for an address that nobody was given, and whose
 * origins are not known, may not be framed.
 */
export function embeddedReport(app: App, baseUrl: string, run: RunReport): RequestHandler {
  return async (request, response) => {
    const incoming = incomingOf(request, baseUrl, app.deps.config);
    const context = await app.createContext({ ...incoming, authorization: undefined });
    const spent = await context.quota.arrive();
    if (spent) return sendEnd(response, [], 'crowded');
    const result = await embedOf(context, String(request.params.secret), run);
    if ('end' in result) return sendEnd(response, result.origins, result.end);
    const { shown, origins } = result;
    sendPage(response, { title: shown.name, body: bodyOf(app, shown), framedBy: origins });
  };
}

function sendEnd(response: Response, framedBy: readonly string[], end: EmbedEnd): void {
  const [status, sentence] = ENDS[end];
  if (status === 429) response.set('Retry-After', '60');
  const body = html`<h1>Report</h1><p>${sentence}</p>`;
  sendPage(response, { status, title: 'Report', body, framedBy });
}

function bodyOf({ schema }: App, shown: ShownEmbed): Markup {
  const { name, at, asOf = at, table: result, rows } = shown;
  if (!result) return html`<h1>${name}</h1><p>There is nothing to show.</p>`;
  const table = tableOf(shown, result);
  const isWhole = table.rows.length === rows;
  const picture = isWhole && pictureOf(table, shown);
  const reasons = reasonsIn(schema, [result]);
  const listed = table.rows.slice(0, MOST_LISTED);
  const meanings = reasons.map(
    ([reason, meaning]) => html`<dt>${spoken(reason)}</dt><dd>${meaning}</dd>`,
  );
  return html`<h1>${name}</h1>
${picture}
${rowsOf({ ...table, rows: listed })}
${(listed.length < rows || shown.isCut) && html`<p>${moreText(listed.length, shown)}</p>`}
${meanings.length > 0 && html`<dl>${meanings}</dl>`}
<footer>As of ${asOf.slice(0, 16).replace('T', ' ')} UTC</footer>`;
}

/** Says how many rows there are, where these are not all. */
const moreText = (listed: number, { rows, isCut }: ShownEmbed) =>
  isCut
    ? `The first ${listed} rows: the report has more than ${rows}.`
    : `The first ${listed} of ${rows} rows.`;

/** Returns a result as a table whose columns are what the catalogue says, or else look like. */
function tableOf(shown: ShownEmbed, { name, columns, rows, isSingle }: ResultTable): Table {
  const { keys, sums, period, open, grain, isCut } = shown;
  const records = rows.map((row) =>
    Object.fromEntries(columns.map((column, i) => [column, row[i] ?? null])),
  );
  const span = { ...period, open, grain, ...(isCut && { isCut }) };
  const known = {
    isKey: (column: string) => keys.includes(column) || undefined,
    addsUp: (column: string) => sums.includes(column),
  };
  return tableFrom({ name, rows: records, isSingle, span }, known);
}

function rowsOf({ columns, rows }: Table): Markup {
  const shown = columns.filter(({ name }) => !REASON.test(name));
  const head = shown.map(({ name }) => html`<th scope="col">${name}</th>`);
  const cells = shown.map(({ name, isKey }) => {
    const of = name.replace(/interval\.\w+(\.(low|high))?$/, 'interval');
    return { name, reason: isKey ? '' : beside(of, 'withheld') };
  });
  const body = rows.map(
    (row) => html`<tr>${cells.map(({ name, reason }) => cellOf(row[name], row[reason]))}</tr>
`,
  );
  if (rows.length === 0) return html`<p>There is no row in this time.</p>`;
  return html`<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
}

/** Columns that say why others are null. */
const REASON = /(^|\.)withheld$/;

function cellOf(value: Cell | undefined, withheld: Cell | undefined): Markup {
  if (value === null || value === undefined)
    return typeof withheld === 'string'
      ? html`<td class="hidden">${spoken(withheld)}</td>`
      : html`<td></td>`;
  if (typeof value === 'number') return html`<td class="number">${spokenNumber(value)}</td>`;
  return html`<td>${String(value)}</td>`;
}

/** Says a reason in small letters: "hidden: few accounts", "missing: after as of". */
const spoken = (reason: string) =>
  `${isHiding(reason) ? 'hidden' : 'missing'}: ${reason.toLowerCase().replaceAll('_', ' ')}`;

const spokenNumber = (value: number) =>
  value.toLocaleString('en', { maximumFractionDigits: 4, useGrouping: false });
