import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../../../src/platform/root.js';

interface ClientConfig {
  readonly inlineSchema: string;
  readonly runtimeDataModel: unknown;
  readonly parameterizationSchema: unknown;
}

describe('The client of the database that the service runs with', () => {
  const file = (path: string) => join(projectRoot, path);

  /** The configuration that the CLI of Prisma wrote. */
  async function generated(): Promise<ClientConfig> {
    const text = readFileSync(file('dist-test/src/generated/prisma/internal/class.js'), 'utf8');
    const [, config = ''] = /const config = (\{[\s\S]*?)\nconfig\.compilerWasm/.exec(text) ?? [];
    const module = `const config = ${config};export default config;`;
    const url = `data:text/javascript;base64,${Buffer.from(module).toString('base64')}`;
    return ((await import(url)) as { default: ClientConfig }).default;
  }

  it('knows what the one of the CLI of Prisma knows', async () => {
    const url = pathToFileURL(file('dist/generated/prisma/client.js')).href;
    const { config } = (await import(url)) as { config: ClientConfig & { compilerWasm: object } };
    const { compilerWasm, ...ours } = config;
    // The CLI writes the schema with the blanks of its formatter.
    const bare = (one: ClientConfig) => ({
      ...one,
      inlineSchema: one.inlineSchema.replaceAll(/[ \t]+/g, ' '),
    });
    expect(bare(ours)).toStrictEqual(bare(await generated()));
    expect(compilerWasm).toMatchObject({ importName: './query_compiler_small_bg.js' });
  });
});
