// Writes typed clients: of the REST editions from their documents of OpenAPI, and of the graph for
// the GraphQL documents of a folder.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import {
  buildASTSchema,
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  parse,
  Source,
} from 'graphql';
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
  SafeInt: 'number',
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
 * and `urql-cache.ts` what the caches of Apollo Client and urql must know of the schema. Throws for a
 * document that does not fit the schema. They need the package @graphql-typed-document-node/core.
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
  writeFileSync(join(out, 'urql-cache.ts'), urqlCache(schemaAst));
}

/**
 * Returns a module with the types of each interface and union, and with the policy of rights: they have
 * no id, and fields of them that two screens ask for are of one object. All else has an id, or is
 * replaced whole.
 */
function apolloCache(schema) {
  const types = typesOf(schema);
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

/**
 * Returns a module with the fields of each type, without their arguments, and the types whose objects have
 * no id: they are part of the object that shows them.
 */
function urqlCache(schema) {
  const types = typesOf(schema);
  const composite = types.filter((type) => isObjectType(type) || isAbstractType(type));
  const introspection = {
    __schema: {
      queryType: nameOf(schema.getQueryType()),
      mutationType: nameOf(schema.getMutationType()),
      subscriptionType: nameOf(schema.getSubscriptionType()),
      types: composite.map((type) => introspected(type, schema)),
    },
  };
  const embedded = types.filter((type) => isObjectType(type) && !type.getFields().id);
  return [
    '// For the cacheExchange of urql. Written by `npm run client`.\n',
    `export const schema = ${JSON.stringify(introspection)};\n`,
    `const EMBEDDED = ${JSON.stringify(embedded.map(({ name }) => name).sort(), null, 2)};\n`,
    'export const keys = Object.fromEntries(EMBEDDED.map((name) => [name, () => null]));\n',
  ].join('\n');
}

const nameOf = (type) => type && { name: type.name };

/** Returns what introspection tells of an object, an interface or a union. */
function introspected(type, schema) {
  const { name } = type;
  const possibleTypes = isAbstractType(type) && schema.getPossibleTypes(type).map(nameOf);
  if (isUnionType(type)) return { kind: 'UNION', name, possibleTypes };
  const fields = Object.values(type.getFields()).map((field) => ({
    name: field.name,
    type: referenceTo(field.type),
    args: [],
  }));
  const interfaces = type.getInterfaces().map(nameOf);
  if (isInterfaceType(type)) return { kind: 'INTERFACE', name, interfaces, fields, possibleTypes };
  return { kind: 'OBJECT', name, interfaces, fields };
}

/** Returns a reference to a type. Every scalar and enum is named alike: caches keep their values whole. */
function referenceTo(type) {
  if (isNonNullType(type)) return { kind: 'NON_NULL', ofType: referenceTo(type.ofType) };
  if (isListType(type)) return { kind: 'LIST', ofType: referenceTo(type.ofType) };
  if (isUnionType(type)) return { kind: 'UNION', name: type.name };
  if (isInterfaceType(type)) return { kind: 'INTERFACE', name: type.name };
  return isObjectType(type) ? { kind: 'OBJECT', name: type.name } : { kind: 'SCALAR', name: 'Any' };
}

const typesOf = (schema) =>
  Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));

const sha256 = (text) => createHash('sha256').update(text).digest('hex');

function graphqlFiles(folder) {
  const names = readdirSync(folder, { recursive: true }).sort();
  return names.filter((name) => name.endsWith('.graphql')).map((name) => join(folder, name));
}
