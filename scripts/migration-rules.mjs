// node scripts/migration-rules.mjs FILE…: refuses migrations that would hold up a running service, or
// that no version before could run on. Prints each fault with its line; exit code 1 if there is one.
// Without files it reads those of prisma/migrations that declare `-- oldest:`, which all newer ones must.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'prisma/migrations');
/** The first migration that declares which versions run on it. */
const FIRST = '20261203000000';
const INDEX =
  /^(?:DROP INDEX CONCURRENTLY IF EXISTS|CREATE (?:UNIQUE )?INDEX CONCURRENTLY) "?(\w+)"?/;

/** A statement that changes rows, wherever it stands: not a trigger's event, a lock or a foreign key's action. */
const CHANGE =
  /\b(?:UPDATE\s+(?:ONLY\s+)?[\w".]+(?:\s+(?:AS\s+)?\w+)?\s+SET|DELETE\s+FROM|INSERT\s+INTO|MERGE\s+INTO)\b/gi;
/** What hides words of SQL: comments, texts, and texts between dollars. */
const QUOTED = /--[^\n]*|\/\*.*?\*\/|'(?:[^']|'')*'|(\$\w*\$)(.*?)\1/gs;
const DEFINES = /\bCREATE\s+(?:OR\s+REPLACE\s+)?(?:FUNCTION|PROCEDURE)\b[^;]*$/i;

/**
 * Returns what of a script runs with it, the rest as blanks: not comments, texts, and bodies of functions.
 * What DO runs does, with the texts that it may execute.
 */
function executedPart(script, isInDo = false) {
  return script.replace(QUOTED, (quoted, dollars, body, offset) => {
    if (quoted.startsWith("'") && isInDo) return `'${executedPart(quoted.slice(1, -1), true)}'`;
    if (body === undefined || DEFINES.test(script.slice(0, offset)))
      return quoted.replace(/[^\n]/g, ' ');
    return dollars + executedPart(body, true) + dollars;
  });
}

/** Returns the faults of migrations, as texts with file and line. */
export function faultsOf(files) {
  const concurrent = files.filter((file) => isConcurrent(readFileSync(file, 'utf8')));
  const others = files.filter((file) => !concurrent.includes(file));
  return [
    ...files.flatMap(ownFaults),
    ...linted(others, ['--assume-in-transaction']),
    ...linted(concurrent, []),
  ];
}

/** Returns the migrations that the rules are for. */
export const ruled = () =>
  readdirSync(folder)
    .filter((name) => name >= FIRST && /^\d/.test(name))
    .map((name) => join(folder, name, 'migration.sql'));

const isConcurrent = (script) => / INDEX CONCURRENTLY /.test(script);

/** What the linter does not know. */
function ownFaults(file) {
  const script = readFileSync(file, 'utf8');
  const lines = script.split('\n');
  const at = (line, text) => `${relative(root, file)}:${line + 1}: ${text}`;
  const faults = [];
  if (!/^-- oldest: \d+\.\d+\.\d+$/.test(lines[0]))
    faults.push(at(0, 'say on the first line which version runs on it, as `-- oldest: 1.2.3`'));
  const executed = executedPart(script);
  for (const { index } of executed.matchAll(CHANGE))
    faults.push(
      at(
        executed.slice(0, index).split('\n').length - 1,
        'rows are changed by a job, some at a time, not by a migration',
      ),
    );
  if (!isConcurrent(script)) return faults;
  let dropped;
  for (const [i, line] of lines.entries()) {
    const [, name] = INDEX.exec(line) ?? [];
    if (/^\S/.test(line) && !name && !line.startsWith('--'))
      faults.push(at(i, 'beside indexes that are made CONCURRENTLY nothing else may stand'));
    if (name && line.startsWith('CREATE') && dropped !== name)
      faults.push(
        at(
          i,
          `DROP INDEX CONCURRENTLY IF EXISTS ${name} must stand before it: see CONTRIBUTING.md`,
        ),
      );
    dropped = name && line.startsWith('DROP') ? name : undefined;
  }
  return faults;
}

function linted(files, options) {
  if (files.length === 0) return [];
  const linter = join(
    dirname(createRequire(import.meta.url).resolve('squawk-cli/package.json')),
    'js/bin/squawk',
  );
  const settings = [
    '--config',
    join(root, '.squawk.toml'),
    '--reporter',
    'json',
    '--no-error-on-unmatched-pattern',
  ];
  const { stdout, stderr, error } = spawnSync(
    process.execPath,
    [linter, ...settings, ...options, ...files],
    {
      encoding: 'utf8',
    },
  );
  if (error || !stdout.trim().startsWith('['))
    throw error ?? new Error(`squawk: ${stderr || stdout}`);
  return JSON.parse(stdout).map(
    ({ file, line, message, help, rule_name: rule }) =>
      `${relative(root, file)}:${line + 1}: ${message} ${help ?? ''} (${rule})`,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const named = process.argv.slice(2).map((file) => resolve(file));
  const faults = faultsOf(named.length > 0 ? named : ruled());
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
