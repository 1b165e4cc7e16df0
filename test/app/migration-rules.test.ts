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
CREATE TRIGGER touched AFTER INSERT OR UPDATE OR DELETE ON leaflet FOR EACH ROW EXECUTE FUNCTION touch();
CREATE TABLE leaf (id INT REFERENCES leaflet (id) ON UPDATE CASCADE ON DELETE SET NULL);
-- UPDATE leaflet SET name = 'y';
COMMENT ON TABLE leaf IS 'DELETE FROM leaf';
DO $$ BEGIN
  EXECUTE 'CREATE FUNCTION late() RETURNS void LANGUAGE sql AS $f$ DELETE FROM leaf $f$';
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
    ["  UPDATE dose AS d SET note = 'x';", 'rows are changed by a job'],
    ["update only public.dose set note = 'x';", 'rows are changed by a job'],
    ["WITH few AS (SELECT 1) UPDATE dose SET note = 'x';", 'rows are changed by a job'],
    ['WITH gone AS (DELETE FROM dose RETURNING *) SELECT 1;', 'rows are changed by a job'],
    ['/* all */ INSERT INTO dose SELECT * FROM dose;', 'rows are changed by a job'],
    ["DO $$ BEGIN UPDATE dose SET note = 'x'; END $$;", 'rows are changed by a job'],
    ["DO $do$ BEGIN EXECUTE 'DELETE FROM dose'; END $do$;", 'rows are changed by a job'],
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
