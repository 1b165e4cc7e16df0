// Writes typed clients in TypeScript: of both REST editions, and of the graph for the GraphQL
// documents of a folder.
//
//   npm run client -- [--documents FOLDER] [--out FOLDER]
//
// Without --documents those of the dashboard of the tests are taken. Without --out they are
// written to client/.
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, prepare, root } from './prepare.mjs';

await prepare('develop');
const { writeRestClients, writeTypedDocuments } = await import('./typed-clients.mjs');

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: join(root, 'test/journeys/dashboard/apollo') },
    out: { type: 'string', default: join(root, 'client') },
  },
});
const [documents, out] = [resolve(values.documents), resolve(values.out)];
if (!existsSync(documents)) fail(`There is no folder ${values.documents}.`);

await writeRestClients(out);
await writeTypedDocuments(documents, join(out, 'graphql')).catch(({ message }) => fail(message));
const folder = relative(process.cwd(), out) || '.';
process.stdout.write(`Clients of REST: ${folder}/rest-a.ts, ${folder}/rest-b.ts\n`);
process.stdout.write(`Typed documents: ${folder}/graphql/\n`);
