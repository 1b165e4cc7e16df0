import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import * as fc from 'fast-check';
import { projectRoot } from '../../../src/platform/root.js';
import { dataFolder } from '../../faults/service.js';
import { RandomWorld } from './random-world.js';
import { exported, imported, linesIn, place } from './world.js';

/** How many worlds are drawn. */
const WORLDS = Number(process.env.WORLDS ?? 2);

const { $schema: _, ...schema } = JSON.parse(
  readFileSync(join(projectRoot, 'test/app/moving/fhir-r4.schema.json'), 'utf8'),
);
const r4 = new Ajv({ strict: false, logger: false }).addSchema(schema, 'r4');
const schemaOf = (type: string) => r4.getSchema(`r4#/definitions/${type}`) as ValidateFunction;

describe('A random world', () => {
  it('is exported as it was imported, byte by byte, and its care fits the schema of FHIR R4', async () => {
    const property = fc.asyncProperty(fc.gen(), (draw) => comesBack(new RandomWorld(draw)));
    const seed = process.env.SEED_OF_WORLDS;
    const parameters = { numRuns: WORLDS, endOnFailure: true, ...(seed && { seed: Number(seed) }) };
    const found = await fc.check(property, parameters);
    // The world itself has some thousand values: its seed is enough.
    if (found.failed)
      throw new Error(`SEED_OF_WORLDS=${found.seed}`, { cause: found.errorInstance });
  });
});

async function comesBack(world: RandomWorld): Promise<void> {
  const file = join(dataFolder(), 'world.ndjson');
  writeFileSync(file, `${world.texts().join('\n')}\n`);
  const to = place();
  const { status, lines } = await imported(to, file);
  if (status !== 0) throw new Error(lines.join('\n'));
  const folder = join(dataFolder(), 'export');
  await exported(to, folder);
  expect(linesIn(folder).map(compact)).toStrictEqual(world.texts());
  const bundles = readFileSync(join(folder, 'fhir.ndjson'), 'utf8').split('\n').filter(Boolean);
  for (const text of bundles) expectR4(JSON.parse(text));
}

/** The database writes spaces into JSON of its own columns. */
const compact = (line: string) => JSON.stringify(JSON.parse(line));

interface Bundle {
  readonly entry: readonly { readonly resource: { readonly resourceType: string } }[];
}

/** Fails for a Bundle that does not fit the schema, with what of which resource does not. */
function expectR4(bundle: Bundle): void {
  for (const { resource } of bundle.entry) {
    const isResource = schemaOf(resource.resourceType);
    if (!isResource(resource))
      throw new Error(`${JSON.stringify(isResource.errors)} in ${JSON.stringify(resource)}`);
  }
  const isBundle = schemaOf('Bundle');
  if (!isBundle(bundle)) throw new Error(JSON.stringify(isBundle.errors));
}
