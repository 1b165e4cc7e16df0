import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type AnyNode, parse } from 'acorn';
import { checkSync } from 'recheck';

const ROOT = join(process.cwd(), 'dist');

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

/** Returns the literals of the compiled code, each once. */
function literals(): Expression[] {
  const found = new Map<string, Expression>();
  for (const file of files) {
    const options = { ecmaVersion: 'latest', sourceType: 'module', locations: true } as const;
    for (const node of nodesOf(parse(readFileSync(file, 'utf8'), options))) {
      if (node.type !== 'Literal' || !node.regex) continue;
      const { pattern: source, flags } = node.regex;
      const place = `${relative(ROOT, file)}:${node.loc?.start.line}`;
      found.set(`/${source}/${flags}`, { source, flags, place });
    }
  }
  return [...found.values()];
}

/** Returns the expressions that modules build of constants as they load. */
function built(): Expression[] {
  const modules = files
    .filter((file) => relative(ROOT, file) !== 'main.js')
    .map((file) => pathToFileURL(file).href);
  const program = `
    const Native = RegExp, made = new Map();
    globalThis.RegExp = new Proxy(Native, {
      construct(target, args, self) {
        const one = Reflect.construct(target, args, self);
        made.set(String(one), { source: one.source, flags: one.flags });
        return one;
      },
    });
    for (const module of ${JSON.stringify(modules)}) await import(module);
    process.stdout.write(JSON.stringify([...made.values()]), () => process.exit(0));`;
  const options = { encoding: 'utf8', maxBuffer: 1e8, cwd: process.cwd() } as const;
  const printed = execFileSync(
    process.execPath,
    ['--import', 'reflect-metadata', '--input-type=module', '-e', program],
    options,
  );
  return (JSON.parse(printed) as Omit<Expression, 'place'>[]).map((one) => ({
    ...one,
    place: 'built of constants',
  }));
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
  it('take a time that grows with the length of a text alone', () => {
    const all = literals();
    expect(all.length).toBeGreaterThan(200);
    expect(all.flatMap(weakness)).toStrictEqual([]);
  });

  it('do so when they are built', () => {
    expect(built().filter(isOurs).flatMap(weakness)).toStrictEqual([]);
  });

  it('are known to the checker when they do not', () => {
    for (const source of WEAK)
      expect(weakness({ source, flags: '', place: 'here' }), source).toHaveLength(1);
  });
});

/** Of packages nobody here writes the expressions; ours have one of these parts. */
function isOurs({ source }: Expression): boolean {
  return OURS.some((part) => source.includes(part));
}
const OURS = ['\\u0621', 'align-(?:content', '(24):(00)', 'T(?=.)', '\\p{Lu}', '[^[\\]<>]'];
