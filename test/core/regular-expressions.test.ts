import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type AnyNode, parse } from 'acorn';
import { transformSync } from 'esbuild';
import { checkSync } from 'recheck';

const ROOT = join(process.cwd(), 'dist');
const PLAYGROUND = join(process.cwd(), 'playground');

/** A regular expression, and where it stands. */
interface Expression {
  readonly source: string;
  readonly flags: string;
  readonly place: string;
}

const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.js') && !name.startsWith('generated'))
  .map((name) => join(ROOT, name));

/** Returns the nodes of a program. */
function* nodesOf(node: unknown): Generator<AnyNode> {
  if (Array.isArray(node)) for (const one of node) yield* nodesOf(one);
  else if (node && typeof node === 'object') {
    if ('type' in node) yield node as AnyNode;
    for (const [key, value] of Object.entries(node)) if (key !== 'loc') yield* nodesOf(value);
  }
}

/** The programs of the service as they are compiled, and of the playground, by their names. */
const programs: readonly (readonly [name: string, program: AnyNode])[] = [
  ...files.map((file) => [relative(ROOT, file), readFileSync(file, 'utf8')] as const),
  ...readdirSync(PLAYGROUND, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.d\.ts$|^node_modules/.test(name))
    .map((name) => {
      const text = readFileSync(join(PLAYGROUND, name), 'utf8');
      const loader = name.endsWith('x') ? 'tsx' : 'ts';
      return [`playground/${name}`, transformSync(text, { loader }).code] as const;
    }),
].map(([name, text]) => [
  name,
  parse(text, { ecmaVersion: 'latest', sourceType: 'module', locations: true }),
]);

/** Returns the literals of the code, each once. */
function literals(): Expression[] {
  const found = new Map<string, Expression>();
  for (const [name, program] of programs)
    for (const node of nodesOf(program)) {
      if (node.type !== 'Literal' || !node.regex) continue;
      const { pattern: source, flags } = node.regex;
      found.set(`/${source}/${flags}`, { source, flags, place: `${name}:${node.loc?.start.line}` });
    }
  return [...found.values()];
}

/** Returns where the code makes expressions in functions, or has a text taken for one. */
function dynamic(): string[] {
  const places = new Set<string>();
  const visit = (name: string, node: unknown, inside: boolean): void => {
    if (Array.isArray(node)) for (const one of node) visit(name, one, inside);
    if (!node || typeof node !== 'object' || Array.isArray(node)) return;
    const one = node as AnyNode;
    const isCall = one.type === 'NewExpression' || one.type === 'CallExpression';
    const callee = isCall ? one.callee : undefined;
    if (inside && callee?.type === 'Identifier' && callee.name === 'RegExp') places.add(name);
    if (isCall && isTakenForOne(one)) places.add(name);
    const isFunction = /Function|MethodDefinition/.test(one.type ?? '');
    for (const value of Object.values(node)) visit(name, value, inside || isFunction);
  };
  for (const [name, program] of programs) visit(name, program, false);
  return [...places].sort();
}

/** Whether a call of `match`, `matchAll` or `search` has a text, which becomes an expression. */
function isTakenForOne(node: AnyNode): boolean {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const { property } = node.callee;
  const [argument] = node.arguments;
  return (
    property.type === 'Identifier' &&
    ['match', 'matchAll', 'search'].includes(property.name) &&
    argument !== undefined &&
    ['TemplateLiteral', 'BinaryExpression'].includes(argument.type)
  );
}

/** Returns the expressions that modules of ours build of constants as they load. */
function built(): Expression[] {
  const modules = files
    .filter((file) => !['main.js', 'tools.js'].includes(relative(ROOT, file)))
    .map((file) => pathToFileURL(file).href);
  const program = `
    const Native = RegExp, made = new Map();
    const note = (one) => {
      const [, place] = new Error().stack.split('\\n')[3]?.split('file://${ROOT}/') ?? [];
      if (place) made.set(String(one), { source: one.source, flags: one.flags, place });
      return one;
    };
    globalThis.RegExp = new Proxy(Native, {
      construct: (target, args, self) => note(Reflect.construct(target, args, self)),
      apply: (target, self, args) => note(Reflect.apply(target, self, args)),
    });
    for (const module of ${JSON.stringify(modules)}) await import(module);
    process.stdout.write(JSON.stringify([...made.values()]), () => process.exit(0));`;
  const options = { encoding: 'utf8', maxBuffer: 1e8, cwd: process.cwd() } as const;
  const printed = execFileSync(
    process.execPath,
    ['--import', 'reflect-metadata', '--input-type=module', '-e', program],
    options,
  );
  return JSON.parse(printed) as Expression[];
}

/** Returns the patterns of the schemas of parameters, and of the addresses of routes. */
function described(): Expression[] {
  const documents = ['a', 'b'].map((edition) =>
    readFileSync(join(process.cwd(), `schema/openapi.${edition}.json`), 'utf8'),
  );
  const patterns = documents.flatMap((text) => {
    const found = new Set<string>();
    JSON.parse(text, (key, value) => {
      if (key === 'pattern' && typeof value === 'string') found.add(value);
      return value;
    });
    return [...found];
  });
  return [...new Set(patterns)].map((source) => ({ source, flags: 'u', place: 'OpenAPI' }));
}

/**
 * The checker gives up after a number of steps and never after a time, within which it would find less
 * on a busy machine, or take a slow answer for a weakness.
 */
const BY_STEPS = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  randomSeed: 1,
};

/** Returns what an expression may take for a text that an attacker writes, or nothing. */
function weakness({ source, flags, place }: Expression): string[] {
  const judged = checkSync(source, flags, BY_STEPS);
  if (judged.status === 'safe') return [];
  const how = judged.status === 'vulnerable' ? judged.complexity.type : judged.error.kind;
  return [`${place}: /${source}/${flags} is ${judged.status}: ${how}`];
}

/** The first ones are judged by an automaton, the others by trying texts. */
const WEAK = ['^(?:[^@]*@)*(?:\\[[^\\]]*\\])$', '\\s+$', '(?<!\\w)([\\w-]+)\\s*=', '(?<!x)(a+)+$'];

describe('The regular expressions of the service', () => {
  // In parts, since the checker holds the process.
  it.each([0, 1, 2, 3])('take a time that grows with the length of a text alone, %i', (part) => {
    const all = literals();
    expect(all.length).toBeGreaterThan(200);
    expect(all.filter((_, i) => i % 4 === part).flatMap(weakness)).toStrictEqual([]);
  });

  it('do so when they are built', () => {
    const made = built();
    expect(made.length).toBeGreaterThan(15);
    expect(made.flatMap(weakness)).toStrictEqual([]);
  });

  it('do so where they describe parameters', () => {
    const patterns = described();
    expect(patterns.length).toBeGreaterThan(0);
    expect(patterns.flatMap(weakness)).toStrictEqual([]);
  });

  it('are made nowhere else', () => {
    expect(dynamic()).toStrictEqual(Object.keys(MADE).sort());
  });

  it('are known to the checker when they do not', () => {
    for (const source of WEAK)
      expect(weakness({ source, flags: '', place: 'here' }), source).toHaveLength(1);
  });
});

/** Where functions make expressions, and of what. */
const MADE: Readonly<Record<string, string>> = {
  'platform/http/send.js': 'Of constants, as the module loads.',
  'platform/markup.js': 'Copies of literals.',
  'platform/moment.js': 'Of constants, as the module loads.',
  'playground/rest/reading.ts': 'Of paths of OpenAPI, for an address that somebody writes.',
  'rest/parameter/check.js': 'Of the schemas of parameters.',
  'rest/router.js': 'Of the paths of routes: one expression for each variable, between slashes.',
};
