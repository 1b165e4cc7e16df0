import { Observed } from './observed.js';

/** What the page shows: the builder of reports, a board of them, or the editor of code. */
export type View = 'reports' | 'board' | 'code';

/** Where somebody is, as the address of the page says. */
export interface Place {
  readonly view: View;
  /** Id of the saved report that is opened. */
  readonly report?: string;
  /** What a board is named. */
  readonly name?: string;
  /** Ids of the saved reports of a board: each once, and `MOST_TILES` at most. */
  readonly board?: readonly string[];
}

const PATH = '/graphql';

/** Reports of a board. */
export const MOST_TILES = 12;

/** Returns the place that the parameters of an address name. */
export function placeOf(parameters: URLSearchParams): Place {
  const report = parameters.get('report');
  const name = parameters.get('name');
  if (parameters.has('board'))
    return {
      view: 'board',
      board: [...new Set((parameters.get('board') ?? '').split(',').filter(Boolean))].slice(
        0,
        MOST_TILES,
      ),
      ...(name && { name }),
    };
  const isCode = ['code', 'query'].some((key) => parameters.has(key));
  return { view: isCode ? 'code' : 'reports', ...(report && { report }) };
}

/** Returns the address of a place, from the path on. */
export function addressOf({ view, report, board = [], name }: Place): string {
  if (view === 'code') return `${PATH}?code`;
  if (view === 'board')
    return `${PATH}?board=${board.map(encodeURIComponent).join(',')}${
      name ? `&name=${encodeURIComponent(name)}` : ''
    }`;
  return report ? `${PATH}?report=${encodeURIComponent(report)}` : PATH;
}

/** What follows the hash was never sent to the service, and leaves the address. */
const asked = new URLSearchParams(location.hash ? location.hash.slice(1) : location.search);
if (location.hash && location.pathname === PATH) history.replaceState(null, '', `${PATH}?code`);

/** The document that the address of the page names, with its variables. */
export const linked = { query: asked.get('query'), variables: asked.get('variables') };

/** Where somebody is. */
export const place = new Observed<Place>(placeOf(asked));

/** Goes to a place: the address and the history of the browser follow. */
export function go(to: Place, isReplaced = false): void {
  if (isReplaced) history.replaceState(null, '', addressOf(to));
  else history.pushState(null, '', addressOf(to));
  place.set(to);
}

addEventListener('popstate', () => place.set(placeOf(new URLSearchParams(location.search))));
