import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RequestHandler } from 'express';

const EXAMPLE = `# Posts that everyone may read.
# Press Ctrl+Enter to run.
#
# To sign in, run this with your own name:
#   mutation {
#     login(input: {
#       username: "…", password: "…"
#     }) { token }
#   }
# and write the token into "Headers", below:
#   { "Authorization": "Bearer …" }
# It is good for 15 minutes. "Basic …" with an
# application password is good for longer.
#
# The schema is shown to clinicians, analysts
# and administrators: sign in, then press the
# two arrows at the left to fetch it.
# What you write stays in this tab; headers
# end when it is reloaded.
query Posts {
  posts(first: 5) {
    totalCount
    nodes {
      id
      publishedAt
      title
      author { name }
      terms { name taxonomy }
    }
  }
}
`;
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; worker-src blob:; style-src 'unsafe-inline'; img-src data:; font-src data: blob:; connect-src 'self'; frame-ancestors 'none'";

const OPTIONS = { title: 'Care: GraphQL', endpoint: '/graphql', defaultQuery: EXAMPLE };
/**
 * Options that JSON cannot express. With the defaults, GraphiQL would write the query into the URL
 * and keep headers. `undefined` lets the user decide in GraphiQL's settings whether to keep
 * headers; the default is off. The storage belongs to the tab and ends with it.
 */
const SCRIPT = '{ onEditQuery() {}, shouldPersistHeaders: undefined, storage: sessionStorage }';

interface Page {
  readonly plain: Buffer;
  readonly compressed: Buffer;
  readonly tag: string;
}

let page: Promise<Page> | undefined;

/** Makes the page: nine megabytes of HTML, made and compressed once, at the first request. */
async function render(): Promise<Page> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const [before, after, ...more] = renderGraphiQL(OPTIONS).split(JSON.stringify(OPTIONS));
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error('The playground takes its options otherwise.');
  const plain = Buffer.from(
    `${before}Object.assign(${JSON.stringify(OPTIONS)}, ${SCRIPT})${after}`,
  );
  const tag = `W/"${createHash('sha256').update(plain).digest('base64url')}"`;
  return { plain, compressed: await promisify(gzip)(plain), tag };
}

/**
 * Serves GraphiQL as one page that loads nothing from another host. It never writes the query into
 * the URL. It keeps headers only if the user chooses so, while the tab is open. Passes requests
 * that do not come from a browser's visit to the next handler.
 */
export const playground: RequestHandler = async (request, response, next) => {
  if (request.method !== 'GET' || request.accepts(['application/json', 'html']) !== 'html')
    return next();
  page ??= render();
  const { plain, compressed, tag } = await page;
  const takesGzip = request.acceptsEncodings('gzip') === 'gzip';
  response.set({
    'Content-Type': 'text/html; charset=UTF-8',
    'Content-Security-Policy': POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-cache',
    ETag: tag,
    Vary: 'Accept, Accept-Encoding',
  });
  if (request.fresh) return void response.status(304).end();
  if (takesGzip) response.set('Content-Encoding', 'gzip');
  response.end(takesGzip ? compressed : plain);
};
