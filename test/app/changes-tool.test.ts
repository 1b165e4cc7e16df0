import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { projectRoot } from '../../src/platform/root.js';

/** A part of a document of OpenAPI. */
// biome-ignore lint/suspicious/noExplicitAny: the tests change any part of it
type Part = any;

describe('The check of what changed since the last release', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'changes-'));
    cpSync(join(projectRoot, 'schema'), folder, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const at = (...names: string[]) => join(folder, ...names);
  const changes = (...args: string[]) => {
    const script = join(projectRoot, 'scripts/changes.mjs');
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [script, ...args, '--schema', folder],
      { encoding: 'utf8' },
    );
    return { status, stdout, stderr };
  };
  const edit = (name: string, change: (text: string) => string) =>
    writeFileSync(at(name), change(readFileSync(at(name), 'utf8')));
  /** Makes what is committed the released state, so that only the changes of a test count. */
  const released = () => {
    writeFileSync(at('CHANGELOG.md'), '# Changes\n\n## Unreleased\n');
    const text = (name: string) => readFileSync(at(name), 'utf8');
    const contracts = {
      'schema.graphql': text('schema.graphql'),
      'openapi.a.json': JSON.parse(text('openapi.a.json')),
      'openapi.b.json': JSON.parse(text('openapi.b.json')),
    };
    writeFileSync(at('released.json.gz'), gzipSync(JSON.stringify(contracts)));
  };
  const editDocument = (change: (document: Part) => void) =>
    edit('openapi.a.json', (text) => {
      const document = JSON.parse(text);
      change(document);
      return JSON.stringify(document);
    });

  it('passes for what is committed', () => {
    expect(changes('--check')).toStrictEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('fails on a breaking change of the graph until it is declared, and on a declaration of nothing', () => {
    released();
    edit('schema.graphql', (text) =>
      text.replace(/(type AccountConnection \{[^}]*?)totalCount: Int!/, '$1total: Int'),
    );
    const subject = 'AccountConnection.totalCount';
    const refused = changes('--check');
    expect([refused.status, refused.stderr]).toStrictEqual([
      1,
      expect.stringContaining(`- Breaking, graph: \`${subject}\``),
    ]);
    const declare = (line: string) => edit('CHANGELOG.md', (text) => `${text}\n${line}\n`);
    declare(`- Breaking, graph: \`${subject}\` is gone; \`total\` stands for it.`);
    expect(changes('--check').status).toBe(0);
    declare('- Breaking, graph: `Query.nothing` is gone.');
    expect(changes('--check')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('declares what did not change: Query.nothing'),
    });
  });

  it('fails on every kind of breaking change of a REST edition, and on nothing that is safe', () => {
    released();
    editDocument(({ paths, components }) => {
      const { properties, required } = components.schemas.MedicineReminder;
      delete properties.status;
      properties.name.type = ['string', 'null'];
      required.splice(required.indexOf('times'), 1);
      properties.colour = { type: 'string' };
      const list = paths['/v1/posts'].get;
      const parameter = (name: string) =>
        list.parameters.find((one: Part) => one.name === name) as Part;
      Object.assign(parameter('per_page').schema, { maximum: 50 });
      parameter('order').schema.enum = ['asc'];
      parameter('search').required = true;
      list.parameters = list.parameters.filter(({ name }: Part) => name !== 'offset');
      list.parameters.push({ name: 'hue', in: 'query', schema: { type: 'string' } });
      list.security = [{ accessToken: [] }];
      const create = paths['/v1/medicine_reminder'].post;
      create.responses[200] = create.responses[201];
      delete create.responses[201];
      create.requestBody.content['application/json'].schema.properties.name.type = 'integer';
      delete paths['/v1/notify'].post;
    });
    const { status, stdout, stderr } = changes();
    expect(status).toBe(1);
    const broken = stderr.split('\n').filter((line) => line.startsWith('- '));
    expect(broken.sort()).toStrictEqual(
      [
        '`GET /v1/posts offset` is gone',
        '`GET /v1/posts order` is never desc now',
        '`GET /v1/posts per_page` has maximum 50 now',
        '`GET /v1/posts search` is required now',
        '`GET /v1/posts` refuses the anonymous now',
        '`MedicineReminder.name` may be null now',
        '`MedicineReminder.status` is gone',
        '`MedicineReminder.times` may be missing now',
        '`POST /v1/medicine_reminder 200` is new',
        '`POST /v1/medicine_reminder 201` is gone',
        // It is of no type in the specification, so it may be anything before.
        ...['array', 'boolean', 'null', 'number', 'object', 'string'].map(
          (type) => `\`POST /v1/medicine_reminder body.name\` is never ${type} now`,
        ),
        '`POST /v1/notify` is gone',
      ].map((change) => `- Breaking, openapi.a: ${change}`),
    );
    expect(stdout).toContain('- Safe, openapi.a: `GET /v1/posts hue` is new\n');
    expect(stdout).toContain('- Safe, openapi.a: `MedicineReminder.colour` is new\n');
  });

  it('ends a release: what changed is a section, and the present state the released one', () => {
    released();
    edit('schema.graphql', (text) =>
      text.replace(/^type Query \{/m, 'type Query {\n  hue: String'),
    );
    expect(changes('release', '1.2.0')).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(at('CHANGELOG.md'), 'utf8')).toMatch(
      /^# Changes\n\n## Unreleased\n\n## 1\.2\.0, \d{4}-\d\d-\d\d\n\n- Safe, graph: `Query\.hue` .*\n$/,
    );
    expect(changes('--check')).toStrictEqual({ status: 0, stdout: '', stderr: '' });
  });
});
