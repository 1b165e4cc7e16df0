// Writes typed clients: of the REST editions from their documents of OpenAPI, and of the graph for
// the GraphQL documents of a folder.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { buildASTSchema, getNamedType, isAbstractType, isObjectType, parse, Source } from 'graphql';
import { generateSource } from 'oazapfts';
import { root } from './prepare.mjs';

/** The scalars of the graph, as JSON carries them. */
const SCALARS = {
  ClockZone: 'string',
  DateTime: 'string',
  Duration: 'string',
  EmailAddress: 'string',
  JSON: 'unknown',
  JSONObject: 'Record<string, unknown>',
  LocalDate: 'string',
  LocalTime: 'string',
  Locale: 'string',
  PushToken: 'string',
  TimeZone: 'string',
  URL: 'string',
  UUID: 'string',
};

/**
 * Writes `rest-a.ts` and `rest-b.ts` to a folder: a function for each operation of an edition, and
 * the types of what it takes and answers. They need the package @oazapfts/runtime.
 */
export async function writeRestClients(out) {
  mkdirSync(out, { recursive: true });
  for (const edition of ['a', 'b']) {
    const source = await generateSource(join(root, `schema/openapi.${edition}.json`));
    writeFileSync(join(out, `rest-${edition}.ts`), source);
  }
}

/**
 * Writes a typed document for each operation of the GraphQL files of a folder to `graphql.ts`, the
 * functions that unmask their fragments to `fragment-masking.ts`, and their texts by the SHA-256
 * of each, which PERSISTED_DOCUMENTS takes, to `persisted-documents.json`; and to `apollo-cache.ts`
 * what the cache of Apollo Client must know of the schema. Throws for a document that does not fit
 * the schema. They need the package @graphql-typed-document-node/core.
 */
export async function writeTypedDocuments(folder, out) {
  const documents = graphqlFiles(folder).map((file) => {
    const rawSDL = readFileSync(file, 'utf8');
    const location = relative(folder, file);
    return { location, rawSDL, document: parse(new Source(rawSDL, location)) };
  });
  const schema = parse(readFileSync(join(root, 'schema/schema.graphql'), 'utf8'));
  const schemaAst = buildASTSchema(schema);
  const sections = await preset.buildGeneratesSection({
    baseOutputDir: join(out, '/'),
    schema,
    schemaAst,
    documents,
    config: {
      importExtension: '.js',
      useTypeImports: true,
      immutableTypes: true,
      strictScalars: true,
      scalars: SCALARS,
    },
    presetConfig: {
      fragmentMasking: { unmaskFunctionName: 'unmask' },
      persistedDocuments: { hashAlgorithm: sha256 },
    },
    plugins: [],
    pluginMap: {},
  });
  mkdirSync(out, { recursive: true });
  // The documents are imported by name, so that nobody looks them up by their text.
  const wanted = sections.filter(
    ({ filename }) => !['gql.ts', 'index.ts'].includes(basename(filename)),
  );
  // The file of texts waits for that of documents, so both are written together.
  const write = async (section) => writeFileSync(section.filename, await codegen(section));
  await Promise.all(wanted.map(write));
  writeFileSync(join(out, 'apollo-cache.ts'), apolloCache(schemaAst));
}

/**
 * Returns a module with the types of each interface and union, and with the policy of rights: they have
 * no id, and fields of them that two screens ask for are of one object. All else has an id, or is
 * replaced whole.
 */
function apolloCache(schema) {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const possibleTypes = types
    .filter(isAbstractType)
    .map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]);
  const rights = types
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()))
    .filter(({ name }) => name === 'viewerCan' || name === 'can')
    .map(({ type }) => [getNamedType(type).name, { merge: true }]);
  const exported = (name, entries) =>
    `export const ${name} = ${JSON.stringify(Object.fromEntries(entries.sort()), null, 2)};\n`;
  return [
    '// For the InMemoryCache of Apollo Client. Written by `npm run client`.\n',
    exported('possibleTypes', possibleTypes),
    exported('typePolicies', rights),
  ].join('\n');
}

const sha256 = (text) => createHash('sha256').update(text).digest('hex');

function graphqlFiles(folder) {
  const names = readdirSync(folder, { recursive: true }).sort();
  return names.filter((name) => name.endsWith('.graphql')).map((name) => join(folder, name));
}
