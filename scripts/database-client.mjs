// Writes the client of the database that the service runs with, dist/generated/prisma, from
// prisma/schema.prisma. It is what `prisma generate` writes, without the types: the CLI of Prisma is a
// tool of developers, and not installed to run. test/platform/database/client.test.ts compares both.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { getInternalDMMF } from '@prisma/get-dmmf';
import { buildAndSerializeParamGraph } from '@prisma/param-graph-builder';
import { root } from './prepare.mjs';

const OUT = join(root, 'dist/generated/prisma');
const RUNTIME = '@prisma/client/runtime';
const manifest = createRequire(import.meta.url)('../package.json');

const inlineSchema = readFileSync(join(root, 'prisma/schema.prisma'), 'utf8');
const dmmf = getInternalDMMF({ datamodel: [['schema.prisma', inlineSchema]] });
if (dmmf.error) throw new Error(`prisma/schema.prisma: ${dmmf.reason}\n${dmmf.error.message}`);
const graph = buildAndSerializeParamGraph(dmmf);

const config = {
  previewFeatures: [],
  clientVersion: manifest.dependencies['@prisma/client'],
  engineVersion: manifest.dependencies['@prisma/schema-engine-wasm'].split('.').at(-1),
  activeProvider: setting('provider', 'datasource db'),
  inlineSchema,
  runtimeDataModel: runtimeDataModel(dmmf.datamodel),
  parameterizationSchema: { strings: graph.strings, graph: graph.graph },
};
const compiler = `${RUNTIME}/query_compiler_${setting('compilerBuild', 'generator client')}_bg.${config.activeProvider}`;

mkdirSync(OUT, { recursive: true });
writeFileSync(
  join(OUT, 'client.js'),
  `import * as runtime from '${RUNTIME}/client';
import * as Prisma from './prisma.js';
export const config = JSON.parse(${JSON.stringify(JSON.stringify(config))});
config.compilerWasm = {
  getRuntime: () => import('${compiler}.mjs'),
  getQueryCompilerWasmModule: async () => {
    const { wasm } = await import('${compiler}.wasm-base64.mjs');
    return new WebAssembly.Module(Buffer.from(wasm, 'base64'));
  },
  importName: './${compiler.split('/').at(-1).split('.')[0]}.js',
};
export const PrismaClient = runtime.getPrismaClient(config);
export { Prisma };
`,
);
writeFileSync(
  join(OUT, 'prisma.js'),
  `export {
  AnyNull, DbNull, Decimal, JsonNull, NullTypes, PrismaClientInitializationError,
  PrismaClientKnownRequestError, PrismaClientRustPanicError, PrismaClientUnknownRequestError,
  PrismaClientValidationError, Sql, empty, join, raw, sqltag as sql,
} from '${RUNTIME}/client';
`,
);

/** A setting of a block of the schema, such as the provider of the datasource. */
function setting(name, block) {
  const [, body] = inlineSchema.split(`\n${block} {`);
  const [, value] = new RegExp(`^\\s*${name}\\s*=\\s*"(\\w+)"`, 'm').exec(body.split('\n}')[0]);
  return value;
}

/** What the client needs to know of the models. */
function runtimeDataModel({ models }) {
  const fieldOf = ({ name, kind, type, relationName, dbName }) => ({
    name,
    kind,
    type,
    relationName,
    dbName,
  });
  const entries = models.map(({ name, dbName, schema, fields }) => [
    name,
    { fields: fields.map(fieldOf), dbName, schema },
  ]);
  return { models: Object.fromEntries(entries), enums: {}, types: {} };
}
