// What changed in the contracts since the last release: the graph and both documents of OpenAPI in
// schema/, compared with schema/released.json.gz, which holds what they were. Ends with exit code 1 when a change breaks clients and
// the section "Unreleased" of schema/CHANGELOG.md does not declare it.
//
//   npm run changes                  prints the changes
//   npm run changes -- release 1.2.0 makes them a section of the changelog, and the released state
//   … --schema FOLDER                takes another folder than schema/
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { fail, prepare, root } from './prepare.mjs';

await prepare('develop');
const { diff, DiffRule } = await import('@graphql-inspector/core');
const { buildSchema, parse, print, visit } = await import('graphql');
const { openapiChanges } = await import('./openapi-changes.mjs');

const { values, positionals } = parseArgs({
  options: { schema: { type: 'string', default: 'schema' }, check: { type: 'boolean' } },
  allowPositionals: true,
});
const folder = resolve(root, values.schema);
const CHANGELOG = join(folder, 'CHANGELOG.md');
const RELEASED = join(folder, 'released.json.gz');
const GRAPH = 'schema.graphql';
const DOCUMENTS = ['openapi.a.json', 'openapi.b.json'];
const LEVELS = { BREAKING: 'breaking', DANGEROUS: 'dangerous', NON_BREAKING: 'safe' };
/** What of a document no client relies on; the released copy is without it. */
const WORDS = ['description', 'summary', 'example', 'x-graphql-operation'];

const [command, version] = positionals;
if (command === 'release') release(version);
else if (command) fail('Give no argument, or release VERSION.');
else report(await allChanges());

/** Prints the changes, the breaking ones first, and fails for those that are not declared. */
function report(changes) {
  const declared = declarations();
  const missing = changes.filter(
    ({ level, subject }) => level === 'breaking' && !declared.has(subject),
  );
  if (!values.check) for (const change of changes) process.stdout.write(`${lineOf(change)}\n`);
  const subjects = new Set(changes.map(({ subject }) => subject));
  const idle = [...declared].filter((subject) => !subjects.has(subject));
  if (idle.length > 0)
    fail(`schema/CHANGELOG.md declares what did not change: ${idle.join(', ')}.`);
  if (missing.length === 0) return;
  fail(
    `These changes break clients. Undo them, or declare them below "Unreleased" in ` +
      `schema/CHANGELOG.md, with what clients do instead:\n${missing.map(lineOf).join('\n')}`,
  );
}

async function allChanges() {
  const before = JSON.parse(gunzipSync(readFileSync(RELEASED)));
  const graph = await graphChanges(before[GRAPH]);
  const rest = DOCUMENTS.flatMap((name) => {
    return openapiChanges(before[name], JSON.parse(read(name))).map((change) => ({
      ...change,
      of: name.slice(0, -5),
    }));
  });
  const order = Object.values(LEVELS);
  return [...graph, ...rest].sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
}

/** The changes of the graph. A deprecated field may go: that is dangerous, and not breaking. */
async function graphChanges(released) {
  const [before, after] = [released, read(GRAPH)].map((text) => buildSchema(bareGraph(text)));
  const changes = await diff(before, after, [DiffRule.suppressRemovalOfDeprecatedField]);
  return changes.map(({ criticality, path, message }) => ({
    of: 'graph',
    level: LEVELS[criticality.level],
    subject: path ?? message,
    message,
  }));
}

function lineOf({ level, of, subject, message }) {
  const what = of === 'graph' ? message.replaceAll("'", '`') : message;
  return `- ${level[0].toUpperCase()}${level.slice(1)}, ${of}: \`${subject}\` ${what}`;
}

/** The subjects that stand in backticks first in the lines that begin with "- Breaking". */
function declarations() {
  const [, unreleased = ''] = read('CHANGELOG.md').split(/^## /m);
  const lines = unreleased.split('\n').filter((line) => line.startsWith('- Breaking'));
  return new Set(lines.flatMap((line) => /`([^`]+)`/.exec(line)?.[1] ?? []));
}

/** Makes the present contracts the released ones, and what changed a section of the changelog. */
async function release(name) {
  if (!/^\d+\.\d+\.\d+$/.test(name ?? '')) fail('Give the version of the release, such as 1.2.0.');
  const first = !existsSync(RELEASED);
  const changes = first ? [] : await allChanges();
  if (!first) report(changes);
  const others = changes.filter(({ level }) => level !== 'breaking').map(lineOf);
  const today = new Date().toISOString().slice(0, 10);
  const [intro, unreleased = fail('There is no section "Unreleased".'), ...older] =
    read('CHANGELOG.md').split(/^(?=## )/m);
  const written = unreleased.replace('## Unreleased', `## ${name}, ${today}`).trim();
  const released = [written, others.join('\n')].filter(Boolean).join('\n\n');
  const sections = ['## Unreleased', released, ...older.map((section) => section.trim())];
  writeFileSync(CHANGELOG, `${intro}${sections.join('\n\n')}\n`);
  const documents = DOCUMENTS.map((document) => [document, wordless(JSON.parse(read(document)))]);
  const contracts = { [GRAPH]: bareGraph(read(GRAPH)), ...Object.fromEntries(documents) };
  writeFileSync(RELEASED, gzipSync(JSON.stringify(contracts), { level: 9 }));
}

/** The text of a graph without descriptions. */
function bareGraph(text) {
  const bare = visit(parse(text), {
    enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined),
  });
  return print(bare);
}

/** A document without its words. A property may bear the name of a keyword. */
function wordless(part, isNames = false) {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map((item) => wordless(item));
  const kept = Object.entries(part).filter(([name]) => isNames || !WORDS.includes(name));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, wordless(value, name === 'properties' && !isNames)]),
  );
}

function read(name) {
  return readFileSync(join(folder, name), 'utf8');
}
