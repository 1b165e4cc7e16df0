import type { RestResponse } from '../message.js';
import type { Operation } from '../operation/operation.js';
import { check } from '../parameter/check.js';
import { buildQuery, type Parameters } from '../query.js';
import type { Plan } from './request-plan.js';

/**
 * Adds the totals of a list to the headers, and the links to the pages before and after
 * (docs/behaviour.md 4.3).
 */
export function addPaging(
  response: RestResponse,
  result: Record<string, unknown>,
  { request, endpoint, variables }: Plan,
  root: string,
): void {
  const total = result.totalCount as number;
  const size = Number(variables.per_page ?? result.pageSize) || total || 1;
  const current = Number(variables.page ?? 1);
  const last = Math.ceil(total / size);
  response.headers['X-WP-Total'] = total;
  response.headers['X-WP-TotalPages'] = last;
  const address = `${root}${request.path.replace(/\/$/, '')}`;
  const link = (page: number, rel: string) => {
    const query = buildQuery({ ...asRead(request.query, endpoint.operation), page });
    return `<${address}?${query}>; rel="${rel}"`;
  };
  const links = [
    ...(current > 1 && last > 0 ? [link(Math.min(current - 1, last), 'prev')] : []),
    ...(current < last ? [link(current + 1, 'next')] : []),
  ];
  if (links.length > 0) response.headers.Link = links.join(', ');
}

/** Elements of lists, all together, that are spelled one by one. */
const MOST_ELEMENTS = 50;

/**
 * Returns a query whose declared parameters are as the route reads them. Long lists stay as they were
 * sent: spelled one by one they would be beyond the parameters and headers that a request may have.
 */
function asRead(query: Parameters, { byName }: Operation): Parameters {
  const read: Parameters = {};
  for (const [name, value] of Object.entries(query)) {
    const parameter = byName.get(name);
    const checked = parameter && !parameter.undeclared && check(value, parameter.schema, name);
    if (checked && 'value' in checked) read[name] = checked.value;
  }
  const hasLists = elementsIn(read) <= MOST_ELEMENTS;
  return Object.fromEntries(
    Object.entries(query).map(([name, sent]) => [name, spelled(sent, read[name], hasLists)]),
  );
}

/** Returns how many elements all lists within a value have. */
function elementsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const within = Object.values(value).reduce((sum: number, part) => sum + elementsIn(part), 0);
  return within + (Array.isArray(value) ? value.length : 0);
}

/**
 * Returns a value that was sent, with `true`, and if wanted lists, in it as they were read. An empty
 * list and `false` stay: without them the link would be to another list.
 */
function spelled(sent: unknown, read: unknown, hasLists: boolean): unknown {
  if (read === true) return true;
  if (Array.isArray(read)) return hasLists && read.length > 0 ? read : sent;
  if (typeof read !== 'object' || read === null || typeof sent !== 'object') return sent;
  return Object.fromEntries(
    Object.entries(sent as Parameters).map(([name, part]) => [
      name,
      spelled(part, (read as Parameters)[name], hasLists),
    ]),
  );
}
