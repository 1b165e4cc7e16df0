import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { RequestHandler } from 'express';

const EXAMPLE = `# Posts that everyone may read. Press Ctrl+Enter to run.
query Posts {
  posts(first: 5) {
    totalCount
    nodes {
      id
      date
      title { rendered }
      author { name }
      terms { name taxonomy }
    }
  }
}
`;
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; worker-src blob:; style-src 'unsafe-inline'; img-src data:; font-src data: blob:; connect-src 'self'; frame-ancestors 'none'";

let page: Promise<Buffer> | undefined;

/** Nine megabytes of HTML, made and compressed once, when somebody first asks; those who take no gzip cost their own. */
async function render(): Promise<Buffer> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  return promisify(gzip)(renderGraphiQL({ title: 'Care: GraphQL', endpoint: '/graphql', defaultQuery: EXAMPLE }));
}

/** GraphiQL, whole in one page: nothing of it comes from another host. Passes on what is not a browser's visit. */
export const playground: RequestHandler = async (request, response, next) => {
  if (request.method !== 'GET' || 'query' in request.query || request.accepts(['application/json', 'html']) !== 'html')
    return next();
  page ??= render();
  const compressed = await page;
  const takesGzip = request.acceptsEncodings('gzip') === 'gzip';
  response
    .set({
      'Content-Type': 'text/html; charset=UTF-8',
      ...(takesGzip && { 'Content-Encoding': 'gzip' }),
      'Content-Security-Policy': POLICY,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-cache',
      Vary: 'Accept, Accept-Encoding',
    })
    .end(takesGzip ? compressed : await promisify(gunzip)(compressed));
};
