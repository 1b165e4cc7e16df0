// Compares package-lock.json, and that of the playground, with scripts/advisories.json, a dated snapshot of known weaknesses of
// the packages in them. Needs no registry.
//
//   npm run advisories                    prints what is affected; exit code 1 at high or critical
//   npm run advisories -- refresh         asks the registry, by `npm audit`, and writes the snapshot
//   npm run advisories -- refresh REPORT… takes reports of `npm audit --json` of another machine, of
//                                         the root and of playground/
//   … --lock FILE… --snapshot FILE        take other files; --today DATE another day
//
// An exception of the snapshot names an id, a package, a reason and the last day on which it holds.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, root } from './prepare.mjs';

const SEVERITIES = ['critical', 'high', 'moderate', 'low', 'info'];
/** What fails the check. */
const FAILING = ['critical', 'high'];
const DAY = 86_400_000;
/** Days after which the check asks for a newer snapshot: it knows nothing that was found since. */
const OLD = 30;

/** Where packages are installed by a lock file. */
const PLACES = [root, join(root, 'playground')];

const { values, positionals } = parseArgs({
  options: {
    check: { type: 'boolean' },
    lock: {
      type: 'string',
      multiple: true,
      default: PLACES.map((at) => join(at, 'package-lock.json')),
    },
    snapshot: { type: 'string', default: join(root, 'scripts/advisories.json') },
    today: { type: 'string', default: new Date().toISOString().slice(0, 10) },
  },
  allowPositionals: true,
});
const snapshot = JSON.parse(readFileSync(values.snapshot, 'utf8'));
const installed = installedVersions(
  values.lock.map((file) => JSON.parse(readFileSync(file, 'utf8'))),
);

const [command, ...reports] = positionals;
if (command === 'refresh') refresh(reports);
else if (command) fail('Give no argument, or refresh.');
else check();

/** Prints the age of the snapshot, with a warning when it is old, and what is affected. Ends with 1 at high and critical. */
function check() {
  const age = Math.floor((Date.parse(values.today) - Date.parse(snapshot.date)) / DAY);
  const count = `${snapshot.advisories.length} advisories of ${snapshot.date}`;
  print(`${count}, ${age} ${age === 1 ? 'day' : 'days'} old.`);
  if (age > OLD)
    print(`That is more than ${OLD} days. Where a registry answers: npm run advisories -- refresh`);
  const wrong = snapshot.exceptions.filter(({ id, package: name, reason, until }) => {
    return !id || !name || !reason?.trim() || Number.isNaN(Date.parse(until));
  });
  for (const { id } of wrong) print(`The exception of ${id} lacks a package, a reason or an end.`);
  const found = snapshot.advisories.flatMap(affected);
  for (const { text } of found.sort((a, b) => a.rank - b.rank)) print(text);
  if (wrong.length > 0 || found.some(({ fails }) => fails)) process.exitCode = 1;
}

/** The installed versions that an advisory names, with a line about each. */
function affected(advisory) {
  const { id, package: name, severity, fixed, title } = advisory;
  const exception = snapshot.exceptions.find((one) => one.id === id && one.package === name);
  const excepted = exception?.until >= values.today;
  const remark = excepted
    ? `excepted until ${exception.until}: ${exception.reason}`
    : exception && `its exception ended on ${exception.until}`;
  return [...(installed.get(name) ?? [])]
    .filter((version) => advisory.affected.split('||').some((range) => isIn(version, range)))
    .map((version) => ({
      rank: SEVERITIES.indexOf(severity),
      fails: FAILING.includes(severity) && !excepted,
      text:
        `${severity}: ${name} ${version}, ${id}: ${title}. ` +
        `${fixed ? `Mended in ${fixed}` : 'Not mended yet'}${remark ? `; ${remark}` : ''}.`,
    }));
}

/** The versions of each package of lock files, also of copies below other packages. */
function installedVersions(locks) {
  const versions = new Map();
  for (const [path, { name, version }] of locks.flatMap(({ packages }) =>
    Object.entries(packages),
  )) {
    const key = name ?? path.split('node_modules/').at(-1);
    if (path && version) versions.set(key, (versions.get(key) ?? new Set()).add(version));
  }
  return versions;
}

/** Whether a version is in a range such as `>=2.0.0 <2.0.3`, `<=1.4` or `*`. */
function isIn(version, range) {
  return range
    .trim()
    .replaceAll(/([<>=])\s+/g, '$1')
    .split(/\s+/)
    .every((part) => {
      const [, sign, limit] = /^(<=|>=|<|>|=)?v?(.*)$/.exec(part);
      if (limit === '*' || limit === '') return true;
      const order = compare(version, limit);
      if (sign === '<') return order < 0;
      if (sign === '<=') return order <= 0;
      if (sign === '>') return order > 0;
      return sign === '>=' ? order >= 0 : order === 0;
    });
}

/** Compares two versions by Semantic Versioning 2.0, 11. */
function compare(left, right) {
  const [a, b] = [left, right].map((text) => {
    const [, numbers, pre] = /^([\d.]+)(?:-([^+]*))?/.exec(text) ?? fail(`${text} is no version.`);
    return { numbers: numbers.split('.').map(Number), pre: pre?.split('.') };
  });
  for (let i = 0; i < 3; i++) {
    const order = (a.numbers[i] ?? 0) - (b.numbers[i] ?? 0);
    if (order !== 0) return order;
  }
  if (!a.pre || !b.pre) return Number(!a.pre) - Number(!b.pre);
  for (let i = 0; i < Math.max(a.pre.length, b.pre.length); i++) {
    const order = comparePart(a.pre[i], b.pre[i]);
    if (order !== 0) return order;
  }
  return 0;
}

function comparePart(a, b) {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
  const [isNumber, isOther] = [a, b].map((part) => /^\d+$/.test(part));
  if (isNumber && isOther) return Number(a) - Number(b);
  if (isNumber !== isOther) return isNumber ? -1 : 1;
  return a < b ? -1 : 1;
}

/**
 * Adds the advisories of reports to the snapshot, drops those of packages that are gone, and dates
 * it. A report names only what affects its lock file, so older advisories stay.
 */
function refresh(files) {
  const audits =
    files.length > 0
      ? files.map((file) => JSON.parse(readFileSync(file, 'utf8')))
      : PLACES.map(askRegistry);
  if (audits.some((audit) => typeof audit?.vulnerabilities !== 'object'))
    fail(
      `The registry answers no audit, so the snapshot of ${snapshot.date} stays. Run ` +
        '`npm audit --json` where one answers, and give its report: ' +
        '`npm run advisories -- refresh REPORT…`.',
    );
  const told = audits
    .flatMap(({ vulnerabilities }) => Object.values(vulnerabilities))
    .flatMap(({ via }) => via)
    .filter((via) => typeof via === 'object')
    .map(({ name, url, severity, range, title }) => ({
      id: url.split('/').at(-1),
      package: name,
      affected: range,
      severity,
      fixed: fixedIn(range),
      title,
    }));
  const keyOf = (one) => `${one.package} ${one.id}`;
  const known = new Map(snapshot.advisories.map((one) => [keyOf(one), one]));
  for (const one of told) known.set(keyOf(one), merged(known.get(keyOf(one)), one));
  const advisories = [...known.values()]
    .filter((one) => installed.has(one.package))
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const { exceptions } = snapshot;
  const text = JSON.stringify({ date: values.today, exceptions, advisories }, null, 2);
  writeFileSync(values.snapshot, `${text}\n`); // as the formatter has it
  print(`${advisories.length} advisories, ${told.length} of them told now.`);
}

/** An advisory as told anew, with the ranges that were known before. */
function merged(before, now) {
  const ranges = new Set(
    [before?.affected, now.affected].flatMap((text) => text?.split('||').map((one) => one.trim())),
  );
  ranges.delete(undefined);
  return { ...now, title: before?.title ?? now.title, affected: [...ranges].join(' || ') };
}

/** The version below which a range ends, which is the first that is mended. */
function fixedIn(range) {
  return /<(?!=)\s*v?(\S+)\s*$/.exec(range)?.[1];
}

function askRegistry(cwd) {
  const npm = process.env.npm_execpath;
  const args = ['audit', '--json', '--package-lock-only'];
  const [program, given] = npm ? [process.execPath, [npm, ...args]] : ['npm', args];
  const { stdout } = spawnSync(program, given, { cwd, encoding: 'utf8', timeout: 60_000 });
  try {
    return JSON.parse(stdout);
  } catch {
    return undefined;
  }
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
