// Reads what somebody pasted: an address of the REST interface, or a curl line.

/** A request as it was pasted. */
export interface Pasted {
  readonly method: string;
  /** Edition B is below /v3/api, edition A below /api. */
  readonly edition: 'A' | 'B';
  /** Below the API's root. */
  readonly path: string;
  /** The parameters of query and body by their names. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A route with its documents, as the service lists it. */
export interface Route {
  readonly methods: readonly string[];
  readonly path: string;
  readonly operation: string;
  readonly description: string;
  readonly document: string;
  readonly query?: string;
  readonly variables: readonly {
    readonly name: string;
    readonly type: string;
    readonly isRequired: boolean;
    readonly isList: boolean;
    readonly values?: Readonly<Record<string, string>>;
  }[];
  readonly leftOut: readonly string[];
  readonly fixed: Readonly<Record<string, unknown>>;
  readonly without?: string;
}

/** What answers a pasted request. */
export interface Found {
  readonly route: Route;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Parameters for which the operation has no variable. */
  readonly unused: readonly string[];
  /** Variables that need a value, and got none. */
  readonly missing: readonly string[];
}

/**
 * Reads an address (`/api/v1/posts?page=2`, with or without host and method) or a curl line. Throws
 * what is wrong with it, for people.
 */
export function readPasted(text: string): Pasted {
  const words = wordsOf(text.trim().replace(/\\\r?\n/g, ' '));
  return words[0] === 'curl' ? readCurl(words.slice(1)) : readAddress(words);
}

/** Splits a line as a shell does: quotes hold words together. */
export function wordsOf(line: string): readonly string[] {
  const parts = line.match(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g) ?? [];
  return parts.map((part) =>
    part.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g, (_, single, double, escaped) =>
      single !== undefined
        ? single
        : double !== undefined
          ? double.replace(/\\(["\\$`])/g, '$1')
          : escaped,
    ),
  );
}

function readAddress(words: readonly string[]): Pasted {
  const [first = '', second] = words;
  const isMethod = /^(get|post|put|patch|delete|head)$/i.test(first) && second !== undefined;
  return pasted(isMethod ? first.toUpperCase() : 'GET', isMethod ? (second ?? '') : first, {});
}

const DATA = [
  '-d',
  '--data',
  '--data-raw',
  '--data-binary',
  '--data-ascii',
  '--data-urlencode',
  '--json',
  '-F',
  '--form',
];
/** Options of curl that take a value and say nothing about the operation. */
const OTHERS = [
  '-H',
  '--header',
  '-u',
  '--user',
  '-o',
  '--output',
  '-A',
  '-b',
  '-e',
  '-m',
  '--max-time',
  '-w',
];

function readCurl(words: readonly string[]): Pasted {
  let method: string | undefined;
  let address: string | undefined;
  let isGet = false;
  const data: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (word === '-X' || word === '--request') method = words[++i];
    else if (/^-X./.test(word)) method = word.slice(2);
    else if (word === '--url') address = words[++i];
    else if (word === '-G' || word === '--get') isGet = true;
    else if (DATA.includes(word)) data.push(words[++i] ?? '');
    else if (OTHERS.includes(word)) i++;
    else if (!word.startsWith('-')) address = word;
  }
  const sent = data.length > 0 && !isGet ? 'POST' : 'GET';
  return pasted((method ?? sent).toUpperCase(), address ?? '', bodyOf(data));
}

function bodyOf(data: readonly string[]): Record<string, unknown> {
  const [first = ''] = data;
  if (first.trimStart().startsWith('{'))
    try {
      return JSON.parse(data.join('')) as Record<string, unknown>;
    } catch {
      throw new Error('The body is no JSON.');
    }
  return fromQuery(new URLSearchParams(data.join('&')));
}

function pasted(method: string, address: string, body: Record<string, unknown>): Pasted {
  let url: URL;
  try {
    url = new URL(address, 'http://service');
  } catch {
    throw new Error('This is neither an address nor a curl line.');
  }
  const match = /^(?:.*?)(\/v3)?\/api(\/.*|$)/.exec(url.pathname);
  if (!match) throw new Error('The address is not below /api or /v3/api.');
  return {
    method: method === 'HEAD' ? 'GET' : method,
    edition: match[1] ? 'B' : 'A',
    path: decodeURIComponent(match[2] || '/').replace(/(.)\/$/, '$1'),
    parameters: { ...fromQuery(url.searchParams), ...body },
  };
}

/** Parameters as REST reads them: `name[]` and `name[0]` are lists. */
function fromQuery(query: URLSearchParams): Record<string, unknown> {
  const parameters: Record<string, unknown> = {};
  for (const [key, value] of query) {
    const name = key.replace(/\[\d*\]$/, '');
    const known = parameters[name];
    if (name === key) parameters[name] = value;
    else parameters[name] = [...(Array.isArray(known) ? known : []), value];
  }
  return parameters;
}

/** Finds the route that answers a request, and fills in its variables. */
export function findRoute(routes: readonly Route[], { method, path, parameters }: Pasted): Found {
  const near = routes.flatMap((route) => {
    const match = patternOf(route.path).exec(path);
    return match ? [{ route, inPath: match.groups ?? {} }] : [];
  });
  const found = near.find(({ route }) => route.methods.includes(method));
  if (!found && near.length > 0)
    throw new Error(
      `This address has no ${method}, but ${near.flatMap(({ route }) => route.methods).join(', ')}.`,
    );
  if (!found) throw new Error('No route has this address.');
  return filled(found.route, { ...parameters, ...found.inPath });
}

const patternOf = (path: string) =>
  new RegExp(
    `^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, (_, name) => `(?<${name}>${name === 'id' || name === 'parent' ? '\\d+' : '[^/]+'})`)}$`,
    'i',
  );

/** What every route takes besides its own parameters. */
const GENERAL = /^_(fields|embed|envelope|locale|method|jsonp)$/;

function filled(route: Route, parameters: Readonly<Record<string, unknown>>): Found {
  const variables: Record<string, unknown> = { ...route.fixed };
  for (const variable of route.variables) {
    const value = parameters[variable.name];
    if (value !== undefined) variables[variable.name] = sentValue(value, variable);
  }
  const names = new Set(route.variables.map(({ name }) => name));
  return {
    route,
    variables,
    unused: Object.keys(parameters).filter((name) => !names.has(name) && !GENERAL.test(name)),
    missing: route.variables
      .filter(({ name, isRequired }) => isRequired && !(name in variables))
      .map(({ name }) => name),
  };
}

function sentValue(value: unknown, variable: Route['variables'][number]): unknown {
  if (variable.isList) {
    const list = Array.isArray(value) ? value : String(value).split(',');
    return list.map((item) => scalarOf(item, variable));
  }
  return scalarOf(value, variable);
}

function scalarOf(value: unknown, { type, values }: Route['variables'][number]): unknown {
  if (typeof value === 'object' && value !== null) return value;
  const text = String(value);
  if (values) return values[text] ?? text;
  const name = type.replace(/[![\]]/g, '');
  if (name === 'Int' || name === 'Float') return Number.isNaN(Number(text)) ? text : Number(text);
  if (name === 'Boolean') return text === 'true' || text === '1';
  return text;
}
