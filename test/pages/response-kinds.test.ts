// Each kind of response that the service sends: its type, and that browsers guess no other.
import { useService } from '../support/harness.js';

const service = useService();
const JSON_TYPE = /^application\/json; charset=utf-8$/i;
const HTML = /^text\/html; charset=utf-8$/i;
const GRAPHQL = { 'content-type': 'application/json' };
const asked = (query: string, accept = '*/*'): RequestInit => ({
  method: 'POST',
  headers: { ...GRAPHQL, accept },
  body: JSON.stringify({ query }),
});

/** Address or its maker, the request, status and type of the answer. */
type Row = readonly [
  path: string | (() => Promise<string>),
  init: RequestInit,
  status: number,
  type: RegExp | null,
];

async function calendar(): Promise<string> {
  const query =
    'mutation { createCalendarFeed(input: { titles: false }) { calendarFeed { url } } }';
  const headers = await service().session('subscriber');
  const { body } = await service().graphql(query, {}, { headers });
  return new URL(body.data.createCalendarFeed.calendarFeed.url).pathname;
}

async function playgroundFile(): Promise<string> {
  const { text } = await service().fetch('/graphql', { headers: { accept: 'text/html' } });
  return /\/graphql\/assets\/[^"]+\.js/.exec(text)?.[0] ?? '';
}

async function publicPage(): Promise<string> {
  return new URL((await service().posted({ status: 'publish' })).link).pathname;
}

const KINDS: Readonly<Record<string, Row>> = {
  REST: ['/api/v1/posts', {}, 200, JSON_TYPE],
  'REST, a refusal': ['/v3/api/v1/posts/999', {}, 404, JSON_TYPE],
  'REST, a preflight': ['/api/v1/posts', { method: 'OPTIONS' }, 200, JSON_TYPE],
  'REST, XML': ['/api/oembed/1.0/embed?format=xml&url=x', {}, 404, /^text\/xml; charset=utf-8$/i],
  'REST, OpenAPI': ['/api/openapi.json', {}, 200, JSON_TYPE],
  'reference of REST': ['/api/reference/', {}, 200, HTML],
  'calendar feed': [calendar, {}, 200, /^text\/calendar; charset=utf-8$/],
  'calendar feed, withdrawn': ['/calendar/none.ics', {}, 404, JSON_TYPE],
  GraphQL: ['/graphql', asked('{ site { title } }'), 200, JSON_TYPE],
  'GraphQL, of the specification': [
    '/graphql',
    asked('{ site { title } }', 'application/graphql-response+json'),
    200,
    /^application\/graphql-response\+json; charset=utf-8$/,
  ],
  'GraphQL, by GET': [
    '/graphql?query=%7Bsite%7Btitle%7D%7D',
    { headers: { ...GRAPHQL, accept: '*/*' } },
    200,
    JSON_TYPE,
  ],
  'GraphQL, no document': ['/graphql', asked('{'), 400, JSON_TYPE],
  'GraphQL, no JSON': ['/graphql', { ...asked(''), body: '{' }, 400, JSON_TYPE],
  'GraphQL, a preflight': ['/graphql', { method: 'OPTIONS' }, 204, null],
  'GraphQL, lines': [
    '/graphql',
    asked('{ site { title } }', 'application/x-ndjson'),
    200,
    /^application\/x-ndjson; charset=utf-8$/,
  ],
  'GraphQL, events': [
    '/graphql',
    asked('{ site { title } }', 'text/event-stream'),
    200,
    /^text\/event-stream; charset=utf-8$/,
  ],
  playground: ['/graphql', { headers: { accept: 'text/html' } }, 200, HTML],
  'playground, a script': [playgroundFile, {}, 200, /^text\/javascript; charset=utf-8$/i],
  'public root': ['/', {}, 200, HTML],
  'public page': [publicPage, {}, 200, HTML],
  'page for people': ['/admin/login', {}, 200, HTML],
  image: ['/demo/pillbox.svg', {}, 200, /^image\/svg\+xml; charset=utf-8$/],
  nothing: ['/none', {}, 404, JSON_TYPE],
  liveness: ['/healthz', {}, 200, JSON_TYPE],
  readiness: ['/readyz', {}, 200, JSON_TYPE],
  metrics: ['/metrics', {}, 200, /^text\/plain; version=[\d.]+; charset=utf-8$/],
};

it.each(Object.entries(KINDS))(
  '%s says its type, and that no other is to be guessed',
  async (_, [made, init, status, type]) => {
    const path = typeof made === 'string' ? made : await made();
    const answer = await service().fetch(path, init);
    const sent = answer.headers.get('content-type');
    expect([answer.status, answer.headers.get('x-content-type-options')]).toStrictEqual([
      status,
      'nosniff',
    ]);
    if (type) expect(sent).toMatch(type);
  },
);
