import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { projectRoot } from '../../src/platform/root.js';

/**
 * The layers of src, from the top. A file may import from its own room and from the layers below.
 * Rooms of one layer do not know each other. A room is a file or a folder, which ends with `/`; a
 * file belongs to the longest name that fits.
 */
const LAYERS: readonly (readonly string[])[] = [
  ['main.ts', 'tools.ts'],
  ['process/'],
  ['rest/', 'graphql/', 'pages/'],
  ['app/'],
  // Domains, each above those that it uses.
  ['domains/privacy/'],
  [
    'domains/settings/',
    'domains/break-glass/',
    'domains/dispatch/',
    'domains/polls/',
    'domains/consents/',
    'domains/models/',
    'domains/diagnostics/',
    'domains/directory/',
    'domains/embeds/',
    'domains/forms/',
    'domains/videos/',
    'domains/quotes/',
    'domains/reports/',
  ],
  ['domains/reminders/', 'domains/content/'],
  ['domains/notifications/', 'domains/files/'],
  ['domains/live/', 'domains/passwords/'],
  ['domains/care/'],
  ['domains/sign-in/'],
  ['domains/accounts/'],
  ['domains/mail/'],
  ['domains/site/'],
  ['domains/audit/'],
  ['core/'],
  ['config/'],
  ['platform/'],
];

/** Who may import the generated database client. */
const DATABASE = /^(core|platform\/database)\/|^(app|domains)\/.*\.(service|sql)\.ts$/;

const SRC = join(projectRoot, 'src');
const rooms = LAYERS.flatMap((names, layer) => names.map((name) => ({ name, layer })));

function roomOf(file: string) {
  const fits = rooms.filter(({ name }) =>
    name.endsWith('/') ? file.startsWith(name) : file === name,
  );
  return fits.sort((a, b) => b.name.length - a.name.length)[0];
}

/** The files of src, each with the files of src that it imports, types included. */
function imports(): Map<string, string[]> {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.startsWith('generated'))
    .sort();
  const named = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g;
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(SRC, file), 'utf8');
      const paths = [...text.matchAll(named)].map(([, path]) =>
        resolve(SRC, dirname(file), path as string),
      );
      return [file, paths.map((path) => relative(SRC, path).replace(/\.js$/, '.ts'))];
    }),
  );
}

/** The first circle found among files, as a list that begins and ends with the same file. */
function circleIn(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const circle = walk(next, [...path, file]);
      if (circle) return circle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const circle = walk(file, []);
    if (circle) return circle;
  }
  return undefined;
}

test('every file of src belongs to a layer, and every layer has files', () => {
  const files = [...imports().keys()];
  expect(files.filter((file) => !roomOf(file))).toStrictEqual([]);
  expect(
    rooms.filter(({ name }) => !files.some((file) => roomOf(file)?.name === name)),
  ).toStrictEqual([]);
});

test('a file imports from its own room and from the layers below it alone', () => {
  const against = [...imports()].flatMap(([file, targets]) =>
    targets.flatMap((target) => {
      const [from, to] = [roomOf(file), roomOf(target)];
      return !from || !to || from.name === to.name || from.layer < to.layer
        ? []
        : `${file} imports ${target}`;
    }),
  );
  expect(against).toStrictEqual([]);
});

test('the database client is imported by services, by files of SQL, by the core and by platform/database', () => {
  const against = [...imports()].flatMap(([file, targets]) =>
    targets.some((target) => target.startsWith('generated/')) && !DATABASE.test(file) ? file : [],
  );
  expect(against).toStrictEqual([]);
});

test('no files import each other in a circle', () => {
  expect(circleIn(imports())?.join(' imports ')).toBeUndefined();
});
