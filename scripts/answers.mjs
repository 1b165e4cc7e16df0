// node scripts/answers.mjs --service URL --accounts accounts.json FILE.ndjson.gz…: asks a service what a
// running original was asked, and compares status, headers and bodies. The service holds what was
// imported from that original. Items whose sort keys are equal may stand in any order. Prints which
// answers depart by a decision, and ends with `N passed, N departed, N failed`; --verbose prints each
// difference.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { differences, headersOf, normal, Ties } from './answers-comparison.mjs';
import { DEPARTURES, departed } from './answers-departures.mjs';

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
/** Numbers of terms that several vocabularies of the original share. */
const shared = new Set();
/** How often a request is sent again that a busy service has refused. */
const RETRIES = 10;
/** Requests that are under way at a time. */
const AT_ONCE = 2;

const tokens = new Map();
/** Returns the Authorization of a role; undefined for the anonymous. */
async function authorization(role) {
  if (!role) return undefined;
  if (!tokens.has(role)) tokens.set(role, signIn(role));
  return `Bearer ${await tokens.get(role)}`;
}

/** The original was asked as the first account of a role that has an application password. */
async function signIn(role) {
  const all = accounts.filter((one) => one.role === role && one.password);
  const { username, password } =
    all.find((one) => Object.keys(one.application_passwords ?? {}).length > 0) ?? all[0];
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

/** Edition B alone has healthcare here; the original was asked under one address. */
const addressed = (path) => path.replace(/^\/api\/v1\/healthcare/, '/v3/api/v1/healthcare');

async function ask(path, role, method = 'GET') {
  const credentials = await authorization(role);
  const send = () =>
    fetch(service + addressed(path), {
      method,
      headers: credentials ? { authorization: credentials } : {},
    });
  let response = await send();
  // The service sheds dear work while it is busy, and says when to come back.
  for (let i = 0; response.status === 503 && i < RETRIES; i++) {
    await sleep(1_000 * Number(response.headers.get('retry-after') ?? 1));
    response = await send();
  }
  const text = await response.text();
  // As the original was asked by HEAD, a body that is not sent is null.
  let body = text === '' ? null : text;
  try {
    body = JSON.parse(text);
  } catch {}
  return { response, body };
}

/** Returns an item of a list that stands on another page; undefined when none has it. */
async function elsewhere(path, role, id) {
  const [list, query] = path.split('?');
  const parameters = new URLSearchParams(query);
  parameters.delete('offset');
  for (let page = 1; page <= 50; page++) {
    parameters.set('page', page);
    const { body } = await ask(`${list}?${parameters}`, role);
    if (!Array.isArray(body)) return undefined;
    const found = body.find((one) => one.id === id);
    if (found) return found;
  }
  return undefined;
}

/** Returns the items of a list that were expected and stand on other pages than the one that is asked for. */
async function laterItems(path, role, expected, found) {
  if (!Array.isArray(expected) || !Array.isArray(found)) return [];
  const here = new Set(found.map(({ id }) => id));
  const missing = expected.filter(({ id }) => !here.has(id));
  const items = await Promise.all(missing.map(({ id }) => elsewhere(path, role, id)));
  return items.filter((item) => item !== undefined);
}

const kinds = new Map();
const departures = new Map();
const counts = { passed: 0, departed: 0, failed: 0 };
const tally = (map, key) => map.set(key, (map.get(key) ?? 0) + 1);

async function compare({ method, path, as, status, headers, body, volatile }, base) {
  const { response, body: seen } = await ask(path, as, method);
  // Texts that were written there name the original's own address.
  const local = (value) => normal(normal(value, service, 'body'), base, 'body');
  const found = {
    path,
    status: response.status,
    headers: headersOf(headers, (name) => response.headers.get(name)),
    body: local(await ties.ordered(path, body, seen, (id) => elsewhere(path, as, id))),
  };
  const expected = {
    path,
    status,
    headers: headersOf(headers, (name) => headers[name]),
    body: normal(body, base, 'body'),
  };
  const between = (answer) =>
    differences(answer, found).filter(
      (one) => !volatile?.includes(one.path.replace('/body/', '').replaceAll('/', '.')),
    );
  if (between(expected).length === 0) return void counts.passed++;
  // Where more is found than there, what was found there may stand on a later page.
  const isMore = Number(found.headers['x-wp-total']) > Number(expected.headers['x-wp-total']);
  const later = isMore ? await laterItems(path, as, body, seen) : [];
  const { answer, names } = departed(expected, found, { shared, later: local(later) });
  const faults = between(answer);
  for (const name of names) tally(departures, name);
  if (faults.length === 0) return void counts.departed++;
  counts.failed++;
  const line = ({ path: at, expected: theirs, found: ours }) => {
    const [a, b] = [JSON.stringify(theirs) ?? 'nothing', JSON.stringify(ours) ?? 'nothing'];
    let same = 0;
    while (same < a.length && a[same] === b[same]) same++;
    const shown = (value) => value.slice(Math.max(0, same - 40), same + 120);
    return `${at}: ${shown(a)} != ${shown(b)}`;
  };
  if (options.verbose)
    console.log(`${as ?? 'anonymous'} ${path}\n  ${faults.slice(0, 6).map(line).join('\n  ')}`);
  for (const kind of new Set(faults.map((one) => one.path.replaceAll(/\/\d+/g, '/N'))))
    tally(kinds, kind);
}

const ties = new Ties();
const recorded = files.map((file) => {
  const lines = gunzipSync(readFileSync(file)).toString().trim().split('\n');
  return lines.map((line) => JSON.parse(line));
});
for (const { path, body } of recorded.flat()) ties.learn(path, body);
const vocabularies = new Map();
for (const { path, body } of recorded.flat())
  for (const { id, taxonomy } of [body].flat().filter((one) => one?.taxonomy)) {
    if (!path.startsWith('/api/wp/v2/')) continue;
    if ((vocabularies.get(id) ?? taxonomy) !== taxonomy) shared.add(id);
    vocabularies.set(id, taxonomy);
  }
for (const lines of recorded) {
  const link = lines.find(({ headers }) => headers.link)?.headers.link ?? '';
  const base = new URL(/<([^>]+)>/.exec(link)?.[1] ?? 'http://127.0.0.1').origin;
  const left = lines.filter(({ path }) => !options.only || path.includes(options.only));
  const lane = async () => {
    for (let line = left.shift(); line; line = left.shift()) await compare(line, base);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}
for (const [kind, count] of [...kinds].sort((a, b) => b[1] - a[1]).slice(0, 60))
  console.log(String(count).padStart(6), kind);
for (const { name, reason } of DEPARTURES)
  if (departures.has(name))
    console.log(`${String(departures.get(name)).padStart(6)} depart: ${name}: ${reason}`);
console.log(`${counts.passed} passed, ${counts.departed} departed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 ? 1 : 0;
