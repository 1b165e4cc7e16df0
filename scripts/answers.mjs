// node scripts/answers.mjs --service URL --accounts accounts.json FILE.ndjson.gz…: asks a service what a
// running original was asked, and compares status, headers and bodies. The service holds what was
// imported from that original. Ends with `N passed, N failed`; --verbose prints each difference.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';

const { values: options, positionals: files } = parseArgs({
  options: {
    service: { type: 'string' },
    accounts: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
  allowPositionals: true,
});
const service = options.service.replace(/\/$/, '');
const accounts = JSON.parse(readFileSync(options.accounts, 'utf8'));
/** Keys that a theme or a plugin decides, as the runner of the transcripts leaves them out. */
const IGNORED = new Set([
  'avatar_urls',
  'class_list',
  'guid',
  'permalink_template',
  'generated_slug',
  'yoast_head',
  'jetpack_featured_media_url',
  'wp_pattern_sync_status',
  'preview_link',
]);
const LINKS =
  /^(self|collection|author|up|version-history|predecessor-version|wp:(term|featuredmedia|action-.*))$/;

const tokens = new Map();
/** Returns the Authorization of a role; undefined for the anonymous. */
async function authorization(role) {
  if (!role) return undefined;
  if (!tokens.has(role)) tokens.set(role, await signIn(role));
  return `Bearer ${tokens.get(role)}`;
}

async function signIn(role) {
  const { username, password } = accounts.find((one) => one.role === role && one.password);
  const query = 'mutation($input: LoginInput!) { login(input: $input) { token } }';
  const response = await fetch(`${service}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { input: { username, password } } }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(`${username}: ${errors[0].message}`);
  return data.login.token;
}

/** Returns a body without what legitimately differs between two deployments. */
function normal(value, base, key = '') {
  if (IGNORED.has(key)) return undefined;
  if (key === '_embedded') return normal(withoutLinks(value), base);
  if (key === '_links' && !Array.isArray(value)) return linksOf(value);
  if (typeof value === 'string')
    return value
      .replaceAll(base, '{base}')
      .replaceAll('{base}/v3/', '{base}/')
      .trim()
      .replaceAll(/\r?\n+/g, '\n');
  if (Array.isArray(value))
    return value.map((one) => normal(one, base)).filter((one) => one !== undefined);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value)
    .map(([name, one]) => [
      name,
      key === '' && name === 'message' && 'code' in value ? '' : normal(one, base, name),
    ])
    .filter(([, one]) => one !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 && key !== '' ? [] : Object.fromEntries(entries);
}

/** Of links the transcripts compare which there are, and what one may do. */
const linksOf = (links) => [
  ...Object.keys(links)
    .filter((name) => LINKS.test(name))
    .sort(),
  [...(links.self?.[0]?.targetHints?.allow ?? [])].sort().join(),
];
/** Returns what is embedded without its links, which are compared where it is asked itself. */
const withoutLinks = (embedded) =>
  JSON.parse(JSON.stringify(embedded, (name, value) => (name === '_links' ? undefined : value)));
const relations = (link) =>
  [...(link ?? '').matchAll(/rel="([^"]+)"/g)].map(([, rel]) => rel).join();

/** Edition B alone has healthcare here; the original was asked under one address. */
const addressed = (path) => path.replace(/^\/api\/v1\/healthcare/, '/v3/api/v1/healthcare');

const header = (name, value) =>
  name === 'link'
    ? relations(value)
    : name === 'allow'
      ? value?.split(/,\s*/).sort().join()
      : value;

const HEADERS = ['x-wp-total', 'x-wp-totalpages', 'link', 'allow'];

/** Returns where two values differ, as paths. */
function differences(expected, found, path = '') {
  if (JSON.stringify(expected) === JSON.stringify(found)) return [];
  const isObject = (one) => one !== null && typeof one === 'object';
  if (!isObject(expected) || !isObject(found) || Array.isArray(expected) !== Array.isArray(found))
    return [
      `${path}: ${JSON.stringify(expected)?.slice(0, 200)} != ${JSON.stringify(found)?.slice(0, 200)}`,
    ];
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])];
  return names.flatMap((name) => differences(expected[name], found[name], `${path}/${name}`));
}

let passed = 0;
const kinds = new Map();
let failed = 0;
for (const file of files) {
  const lines = gunzipSync(readFileSync(file))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const link = lines.find(({ headers }) => headers.link)?.headers.link ?? '';
  const base = new URL(/<([^>]+)>/.exec(link)?.[1] ?? 'http://127.0.0.1').origin;
  for (const { path, as, status, headers, body } of lines) {
    if (options.only && !path.includes(options.only)) continue;
    const credentials = await authorization(as);
    const response = await fetch(service + addressed(path), {
      headers: credentials ? { authorization: credentials } : {},
    });
    const text = await response.text();
    let json;
    try {
      json = JSON.parse(text);
    } catch {
      json = text;
    }
    const seen = Object.fromEntries(
      HEADERS.filter((name) => headers[name] !== undefined).map((name) => [
        name,
        header(name, response.headers.get(name)),
      ]),
    );
    const wanted = Object.fromEntries(
      HEADERS.filter((name) => headers[name] !== undefined).map((name) => [
        name,
        header(name, headers[name]),
      ]),
    );
    const found = differences(
      normal({ status, headers: wanted, body }, base),
      // Texts that were written there name the original's own address.
      normal(normal({ status: response.status, headers: seen, body: json }, service), base),
    );
    if (found.length === 0) passed++;
    else {
      failed++;
      if (options.verbose)
        console.log(`${as ?? 'anonymous'} ${path}\n  ${found.slice(0, 6).join('\n  ')}`);
      for (const kind of new Set(found.map((one) => one.split(': ')[0].replaceAll(/\/\d+/g, '/N'))))
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
  }
}
for (const [kind, count] of [...kinds].sort((a, b) => b[1] - a[1]).slice(0, 60))
  console.log(String(count).padStart(6), kind);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
