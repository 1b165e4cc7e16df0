// The same of all other inputs, and of what REST alone writes: see `written-fields.test.ts`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GraphQLSchema, getNamedType, isObjectType, Kind, parse, visit } from 'graphql';
import { globalId } from '../../src/core/node.js';
import { projectRoot } from '../../src/platform/root.js';
import { deletionsOf, madeFor } from '../core/replayed-deletions/deletions.js';
import { useReceiver } from '../domains/notifications/own-channels.js';
import { type By, type Caller, useService } from '../support/harness.js';
import { OpenIdProvider } from '../support/openid.js';
import { type Call, faultsOf, inputOf, type Stage, triedBy } from './written-fields/calling.js';
import { OTHERWISE } from './written-fields/calls/otherwise.js';
import { CALLS } from './written-fields/calls/table.js';
import { SECOND_CALLS } from './written-fields/second-calls.js';
import { keepingSite, World } from './written-fields/world.js';

/** Whether a mutation takes many ids: `bulk.test.ts` sends each ids, versions and `atomic`. */
function isOfMany(schema: GraphQLSchema, name: string): boolean {
  const payload = getNamedType(schema.getMutationType()?.getFields()[name]?.type);
  return isObjectType(payload) && 'results' in payload.getFields();
}

/** The fields that an operation document fills by a variable: what REST can send. */
function sentByRest(): ReadonlySet<string> {
  const folder = join(projectRoot, 'schema/operations');
  const sent = new Set<string>();
  for (const file of readdirSync(folder)) {
    const document = parse(readFileSync(join(folder, file), 'utf8'));
    visit(document, {
      Field: ({ name, arguments: given = [] }) => {
        for (const { value } of given)
          if (value.kind === Kind.OBJECT)
            for (const field of value.fields)
              if (field.value.kind === Kind.VARIABLE) sent.add(`${name.value}.${field.name.value}`);
      },
    });
  }
  return sent;
}

describe('Every input of a mutation', () => {
  let provider: OpenIdProvider;
  const { receiver, variables } = useReceiver();
  const service = useService(async () => {
    provider = await OpenIdProvider.start();
    return { ...(await variables()), ...provider.variables('B', 'clinic') };
  });
  afterAll(() => provider.stop());

  async function staged(as: Caller): Promise<Stage> {
    await service().clean();
    service().at('2026-03-01T08:00:00Z');
    const administrator = await service().account('administrator');
    const session = { headers: await service().session('administrator') };
    const stage = {
      service: service(),
      world: new World(service(), session, globalId('Account', administrator.id)),
      texted: () => receiver().code,
      idToken: (who: string) => provider.idToken(who),
    };
    if (as === 'anonymous') return { ...stage, by: 'anonymous', me: '' };
    const { id } = await service().account(as);
    const by: By = { headers: await service().session(as) };
    return { ...stage, by, me: globalId('Account', id) };
  }

  it.each(CALLS.map((call) => [call.route ?? call.name, call] as const))(
    'keeps or refuses what is sent by %s',
    async (_, call) => {
      await keepingSite(service(), async () => {
        expect(await faultsOf(call, () => staged(call.as ?? 'administrator'))).toStrictEqual([]);
      });
    },
  );

  /** The deletions that no table calls: what they are of, and whose, the test of retries says. */
  const deletions = (schema: GraphQLSchema) =>
    deletionsOf(schema).filter(
      ({ name }) => !CALLS.some((call) => call.name === name && !call.route),
    );

  it('deletes the row that is named, and refuses another version', async () => {
    for (const deletion of deletions(service().app.schema)) {
      const { name } = deletion;
      if (triedBy(service().app.schema, { name }).length === 0) continue;
      const make = async (stage: Stage) => {
        const { headers, input } = await madeFor(service(), stage.world, deletion);
        stage.by = { headers };
        return { ...input };
      };
      const faults = await faultsOf({ name, make }, () => staged('administrator'));
      expect(faults, name).toStrictEqual([]);
    }
  });

  /** How often the calls of a row send a field. */
  const timesSent = (name: string, field: string) =>
    SECOND_CALLS.filter((one) => one.name === name).flatMap(({ calls }) =>
      calls.filter(([sent]) => field in sent),
    ).length;

  /** The fields of an input that are tried, and those that there are. */
  function* fieldsOf() {
    const { wholeSchema, schema } = service().app;
    const calls = [...CALLS, ...deletions(schema).map(({ name }): Call => ({ name }))];
    const tried = new Set(
      calls.flatMap((call) => {
        const input = inputOf(wholeSchema, call.name);
        return triedBy(schema, call).map((field) => `${input?.name}.${field}`);
      }),
    );
    const byRest = sentByRest();
    for (const name of Object.keys(wholeSchema.getMutationType()?.getFields() ?? {})) {
      const input = inputOf(wholeSchema, name);
      const served = inputOf(schema, name)?.getFields() ?? {};
      if (isOfMany(schema, name)) continue;
      for (const field of Object.keys(input?.getFields() ?? {})) {
        const isOfOther = /^(Create|Update)/.test(String(input)) && field in served;
        const isSent = field in served || byRest.has(`${name}.${field}`);
        const at = `${input?.name}.${field}`;
        const isTried = tried.has(at) || timesSent(name, field) > 0;
        if (isSent && !isOfOther) yield { at, isTried };
      }
    }
  }

  it('has each field in a table, or a reason why it is in none', () => {
    const all = [...fieldsOf()];
    const missing = all.filter(({ at, isTried }) => !isTried && !(at in OTHERWISE));
    expect(missing.map(({ at }) => at)).toStrictEqual([]);
    const needless = Object.keys(OTHERWISE).filter(
      (key) => !all.some(({ at, isTried }) => at === key && !isTried),
    );
    expect(needless).toStrictEqual([]);
  });
});
