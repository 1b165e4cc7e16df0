import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../src/platform/root.js';

describe('The rules of migrations', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rules-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Returns the lines at which a migration breaks a rule, with what is said of each. */
  function faultsOf(script: string): [line: number, fault: string][] {
    const file = join(folder, 'migration.sql');
    writeFileSync(file, script);
    const program = join(projectRoot, 'scripts/migration-rules.mjs');
    const { status, stderr } = spawnSync(process.execPath, [program, file], { encoding: 'utf8' });
    const faults = [...stderr.matchAll(/^\S+migration\.sql:(\d+): (.+)$/gm)];
    expect(status, stderr).toBe(faults.length > 0 ? 1 : 0);
    return faults.map(([, line, fault]): [number, string] => [Number(line), fault as string]);
  }

  const DECLARED = '-- oldest: 0.1.0\n';

  it('let tables, columns without values and checks that come later be made', () => {
    const script = `${DECLARED}CREATE TABLE leaflet (id INT PRIMARY KEY, name TEXT NOT NULL);
CREATE INDEX leaflet_name ON leaflet (name);
ALTER TABLE dose ADD COLUMN note TEXT;
ALTER TABLE dose ADD CONSTRAINT dose_note CHECK (note <> '') NOT VALID;
CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE leaflet SET name = 'x';
  RETURN NULL;
END $$;
`;
    expect(faultsOf(script)).toStrictEqual([]);
  });

  it.each([
    ['ALTER TABLE dose ADD COLUMN note TEXT NOT NULL;', 'adding-required-field'],
    ['CREATE INDEX dose_note ON dose (note);', 'require-concurrent-index-creation'],
    ['DROP INDEX dose_note;', 'require-concurrent-index-deletion'],
    ['ALTER TABLE dose DROP COLUMN status;', 'ban-drop-column'],
    ['DROP TABLE dose;', 'ban-drop-table'],
    ['ALTER TABLE dose ALTER COLUMN id TYPE BIGINT;', 'changing-column-type'],
    ["ALTER TABLE dose ADD CONSTRAINT c CHECK (note <> '');", 'constraint-missing-not-valid'],
    ['ALTER TABLE dose ALTER COLUMN note SET NOT NULL;', 'adding-not-nullable-field'],
    ['ALTER TABLE dose RENAME COLUMN note TO notes;', 'renaming-column'],
    ['ALTER TABLE dose RENAME TO doses;', 'renaming-table'],
    ["UPDATE dose SET note = 'x';", 'rows are changed by a job'],
    ["DELETE FROM dose WHERE note = 'x';", 'rows are changed by a job'],
  ])('refuse %s', (statement, rule) => {
    expect(faultsOf(`${DECLARED}\n${statement}\n`)).toStrictEqual([
      [3, expect.stringContaining(rule)],
    ]);
  });

  it('refuse a migration that does not say which version runs on it', () => {
    expect(faultsOf('CREATE TABLE leaflet (id INT PRIMARY KEY);\n')).toStrictEqual([
      [1, expect.stringContaining('which version runs on it')],
    ]);
  });

  it('let indexes be made CONCURRENTLY where they can be made again, and nothing beside', () => {
    const made = `${DECLARED}DROP INDEX CONCURRENTLY IF EXISTS dose_note;
CREATE INDEX CONCURRENTLY dose_note
  ON dose (note);
`;
    expect(faultsOf(made)).toStrictEqual([]);
    expect(faultsOf(made.replace(/^DROP.*\n/m, ''))).toStrictEqual([
      [2, expect.stringContaining('must stand before it')],
    ]);
    expect(faultsOf(`${made}ALTER TABLE dose ADD COLUMN note TEXT;\n`)).toStrictEqual([
      [5, expect.stringContaining('nothing else may stand')],
    ]);
  });
});
