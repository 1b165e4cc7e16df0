import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import relay from 'relay-compiler';
import {
  commitMutation,
  createOperationDescriptor,
  fetchQuery,
  type GraphQLTaggedNode,
  getRequest,
} from 'relay-runtime';
import { projectRoot } from '../../../src/platform/root.js';
import { relayEnvironment } from './relay-environment.js';
import {
  type Documents,
  nameOfChange,
  nameOfQuestion,
  type OpenClient,
  type Shown,
} from './screens.js';

const SCHEMA = join(projectRoot, 'schema/schema.graphql');

type Compiled = ReadonlyMap<string, GraphQLTaggedNode>;
const compiled = new WeakMap<Documents, Promise<Compiled>>();

/** Compiles documents by Relay's compiler, once, and returns what it wrote by their names. */
function compile(documents: Documents): Promise<Compiled> {
  const known = compiled.get(documents) ?? compileAnew(documents);
  compiled.set(documents, known);
  return known;
}

async function compileAnew({ fragment, query, changes, questions }: Documents): Promise<Compiled> {
  const folder = mkdtempSync(join(tmpdir(), 'care-relay-'));
  try {
    const texts = [
      fragment,
      query.replace('...screens_shown', '...screens_shown @relay(mask: false)'),
      ...Object.values(changes),
      ...Object.values(questions),
    ];
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    for (const name of ['src', 'out']) mkdirSync(join(folder, name));
    write('schema.graphql', readFileSync(SCHEMA, 'utf8'));
    write('package.json', '{ "type": "module" }');
    write('src/screens.js', texts.map((text) => `graphql\`${text}\`;`).join('\n'));
    write(
      'relay.config.json',
      JSON.stringify({
        src: 'src',
        schema: 'schema.graphql',
        language: 'javascript',
        artifactDirectory: 'out',
        eagerEsModules: true,
        noSourceControl: true,
      }),
    );
    const { status, stderr } = spawnSync(relay, ['relay.config.json'], { cwd: folder });
    if (status !== 0) throw new Error(String(stderr));
    const names = ['screensQuery', ...Object.keys(changes).map(nameOfChange)];
    names.push(...Object.keys(questions).map(nameOfQuestion));
    const load = async (name: string) => {
      const { href } = pathToFileURL(join(folder, `out/${name}.graphql.js`));
      return [name, (await import(href)).default] as const;
    };
    return new Map(await Promise.all(names.map(load)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Reads screens with Relay, as its compiler understands their documents. */
export const openInRelay: OpenClient = async (session, documents) => {
  const texts = await compile(documents);
  const documentOf = (name: string) => {
    const found = texts.get(name);
    if (!found) throw new Error(`The screens have no document ${name}.`);
    return found;
  };
  const { environment, close } = relayEnvironment(session);
  const query = documentOf('screensQuery');
  const operation = createOperationDescriptor(getRequest(query), {});
  const kept = environment.retain(operation);
  await fetchQuery(environment, query, {}).toPromise();
  return {
    shown: () => {
      const { data, isMissingData } = environment.lookup(operation.fragment);
      if (isMissingData) throw new Error('The store lacks something of the screens.');
      return data as Shown;
    },
    change: (name, input) =>
      new Promise((done, fail) => {
        commitMutation<Shown>(environment, {
          mutation: documentOf(nameOfChange(name)),
          variables: { input },
          onCompleted: (data, errors) =>
            errors?.length ? fail(new Error(JSON.stringify(errors))) : done(data[name]),
          onError: fail,
        });
      }),
    ask: (name) => fetchQuery(environment, documentOf(nameOfQuestion(name)), {}).toPromise(),
    close: () => {
      kept.dispose();
      close();
    },
  };
};
