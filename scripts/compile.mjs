// Compiles src into dist for running: types are dropped, decorators written out with their metadata.
// Nothing is checked: the compiler of TypeScript does that for the tests, and is not installed to run.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from 'oxc-transform';
import { root } from './prepare.mjs';

/** What tsconfig.json says, in the words of this compiler. */
const OPTIONS = {
  lang: 'ts',
  sourceType: 'module',
  target: 'es2022',
  typescript: { onlyRemoveTypeImports: true, removeClassFieldsWithoutInitializer: true },
  assumptions: { setPublicClassFields: true },
  decorator: { legacy: true, emitDecoratorMetadata: true },
};
/** The folder of the client of the database, which scripts/database-client.mjs writes beside this. */
const GENERATED = 'generated';

const [from, out] = [join(root, 'src'), join(root, 'dist')];
mkdirSync(out, { recursive: true });
for (const name of readdirSync(out))
  if (name !== GENERATED) rmSync(join(out, name), { recursive: true });
const sources = readdirSync(from, { recursive: true }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.d.ts') && !name.startsWith(GENERATED),
);
for (const name of sources) {
  const text = readFileSync(join(from, name), 'utf8');
  const { code, errors } = transformSync(name, text, OPTIONS);
  if (errors.length > 0)
    throw new Error(errors.map(({ codeframe, message }) => codeframe ?? message).join('\n'));
  const file = join(out, name.replace(/ts$/, 'js'));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, code);
}
