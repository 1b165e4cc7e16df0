import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { projectRoot } from '../root.js';

const schemaPath = join(projectRoot, 'prisma', 'schema.prisma');

/** Returns schema.prisma in the form that the migration engine takes. */
export function schemaFiles(): { path: string; content: string }[] {
  return [{ path: schemaPath, content: readFileSync(schemaPath, 'utf8') }];
}

/**
 * Opens Prisma's migration engine on a database. The first call in a process loads several
 * megabytes of WebAssembly.
 */
export async function openEngine(
  factory: SqlMigrationAwareDriverAdapterFactory,
): Promise<SchemaEngine> {
  // once per process: with two instances of its glue code, work on the second never ends
  loading ??= load();
  const { SchemaEngine } = await loading;
  const datamodels = schemaFiles().map(({ path, content }): [string, string] => [path, content]);
  return SchemaEngine.new({ datamodels }, () => {}, bindMigrationAwareSqlAdapterFactory(factory));
}

type Engine = typeof import('@prisma/schema-engine-wasm/schema_engine_bg');
let loading: Promise<Engine> | undefined;

async function load(): Promise<Engine> {
  const engine = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const folder = dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'));
  const module = await WebAssembly.compile(readFileSync(join(folder, 'schema_engine_bg.wasm')));
  const imports = Object.fromEntries(
    Object.entries(engine as unknown as WebAssembly.ModuleImports).map(withoutDelay),
  );
  const { exports } = await WebAssembly.instantiate(module, { './schema_engine_bg.js': imports });
  engine.__wbg_set_wasm(exports);
  (exports as unknown as { __wbindgen_start(): void }).__wbindgen_start();
  return engine;
}

/**
 * Lets the process end while the engine's timer runs. Each migration starts a timer of ten seconds
 * for its lock.
 */
function withoutDelay([name, value]: [string, WebAssembly.ImportValue]): [
  string,
  WebAssembly.ImportValue,
] {
  const start = (callback: () => void, milliseconds: number) =>
    setTimeout(callback, milliseconds).unref();
  return [name, name.startsWith('__wbg_setTimeout_') ? start : value];
}
