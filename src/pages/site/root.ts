import { escapeHtml } from '../../platform/http/html-escape.js';
import type { Visited } from './visited.js';

/** Serves the page at a site's root. REST clients find the API by its Link header (discovery). */
export async function siteRoot({ site, response }: Visited): Promise<boolean> {
  const name = escapeHtml(site.title);
  const root = `${site.url}/api/`;
  response
    .set({
      'Content-Type': 'text/html; charset=UTF-8',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      Link: `<${root}>; rel="https://api.w.org/"`,
    })
    .send(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${name}</title>
<link rel="https://api.w.org/" href="${escapeHtml(root)}">
<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 4rem auto; padding: 0 1rem; color: #222 }</style>
<h1>${name}</h1>
<p>A care-management service. Programs find it here:</p>
<ul>
<li>REST: <a href="${escapeHtml(root)}">${escapeHtml(root)}</a></li>
<li>GraphQL: <a href="/graphql">/graphql</a></li>
</ul>
</html>
`);
  return true;
}
