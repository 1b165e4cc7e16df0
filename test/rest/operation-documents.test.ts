import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSchema, validateSchema } from 'graphql';
import { makeSchema } from '../../src/app/schema/schema.js';
import { servedSchema } from '../../src/app/schema/served-schema.js';
import { projectRoot } from '../../src/platform/root.js';
import { dialectOf } from '../../src/rest/dialect.js';
import { loadOperations, refuseUnfitDocuments } from '../../src/rest/operation/loading.js';

const SCHEMA = buildSchema(`
  type Language { code: String! }
  type Languages { nodes: [Language!] totalCount: Int! }
  type Payload { language: Language code: String }
  type Query { languages: Languages plain: [Language!] codes: [String!] payload: Payload }
`);
for (const field of Object.values(SCHEMA.getQueryType()?.getFields() ?? {}))
  field.extensions = { access: () => undefined };

/** Checks one operation as `npm run schema` does, and loads it as the service does at its start. */
function load(document: string): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'care-operations-'));
  try {
    writeFileSync(join(folder, 'x.graphql'), document);
    refuseUnfitDocuments(folder, SCHEMA);
    return loadOperations(folder, SCHEMA);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('A malformed operation document is refused, and the message names the operation', () => {
  const MALFORMED = {
    'a field that the type does not have': ['{ plain { cod } }', 'Cannot query field "cod"'],
    'a type without a selection': ['{ plain }', 'must have a selection'],
    'a fragment that is not defined': ['{ plain { ...Missing } }', 'Unknown fragment'],
    'a list of plain values': ['{ codes }', 'answers no object: codes is plain'],
    'a plain value of a payload': ['{ payload { _body: code } }', 'answers no object'],
    'a list without its nodes': ['{ languages { totalCount } }', 'does not select its nodes'],
  };
  it.each(Object.entries(MALFORMED))('%s', (_, [selection, message]) => {
    expect(() => load(`query ListX ${selection}`)).toThrow(/^Operation ListX /);
    expect(() => load(`query ListX ${selection}`)).toThrow(message);
  });

  it('an object, a list of objects and a payload with _body are well-formed', () => {
    for (const selection of [
      '{ plain { code } }',
      '{ languages { nodes { code } } }',
      '{ payload { _body: language { code } } }',
    ])
      expect(() => load(`query ListX ${selection}`)).not.toThrow();
  });
});

describe('The operation documents of the service', () => {
  it('fit its schema', () => {
    const folder = join(projectRoot, 'schema/operations');
    expect(() => refuseUnfitDocuments(folder, dialectOf(makeSchema()))).not.toThrow();
  });
});

describe('The schema', () => {
  it('is valid, with what is internal and as it is served', () => {
    const whole = makeSchema();
    expect([validateSchema(whole), validateSchema(servedSchema(whole))]).toStrictEqual([[], []]);
  });
});
