import type { RestRequest, RestResponse } from '../message.js';
import type { Variables } from '../operation/compiling.js';
import { buildQuery } from '../query.js';

/** Adds the totals of a list to the headers, and the links to the pages before and after. */
export function addPaging(
  response: RestResponse,
  result: Record<string, unknown>,
  { query, path }: RestRequest,
  variables: Variables,
  root: string,
): void {
  const total = result.totalCount as number;
  const size = Number(variables.per_page ?? result.pageSize) || total || 1;
  const current = Number(variables.page ?? 1);
  const last = Math.ceil(total / size);
  response.headers['X-WP-Total'] = total;
  response.headers['X-WP-TotalPages'] = last;
  const address = (number: number) =>
    `<${root}${path.replace(/\/$/, '')}?${buildQuery({ ...query, page: number })}>`;
  const links = [
    ...(current > 1 && last > 0 ? [`${address(Math.min(current - 1, last))}; rel="prev"`] : []),
    ...(current < last ? [`${address(current + 1)}; rel="next"`] : []),
  ];
  if (links.length > 0) response.headers.Link = links.join(', ');
}
