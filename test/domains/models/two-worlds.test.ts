// Two worlds that differ only in fields that a viewer may not read: in their values, in all that
// the model says of them, and in whether there are such fields. Every answer is the same.

import { globalId } from '../../../src/core/node.js';
import type {
  FieldPart,
  ModelDocument,
} from '../../../src/domains/models/definition/model.document.js';
import { type Caller, mutation, useService } from '../../support/harness.js';
import { makeModel, valueList } from './modelling.js';
import { allowed, CALLERS, FIELDS, NAMES } from './restricted-fields.js';

/** The types that each restriction is tried on, with values of two worlds, smaller and larger. */
const TYPES = {
  text: { type: 'TEXT', options: {}, values: ['alpha', 'omega'] },
  number: { type: 'NUMBER', options: {}, values: [3, 7] },
} as const;
type TypeName = keyof typeof TYPES;
const RESTRICTED = NAMES.flatMap((name) =>
  (Object.keys(TYPES) as TypeName[]).map((type) => ({ name: `${name}_${type}`, of: name, type })),
);
const OPERATORS = ['EQUALS', 'NOT_EQUALS', 'LESS', 'CONTAINS', 'IN', 'IS_EMPTY'];
/** Callers of kinds that restrictions tell apart; nightly all. */
const TOLD_APART: readonly Caller[] = process.env.NIGHTLY
  ? CALLERS
  : ['anonymous', 'analyst', 'editor'];
const FIELD =
  'id databaseId name label description type position isRequired isList isQueryable options { name value }';
const VALUE = '__typename ... on ModelTextValue { text } ... on ModelNumberValue { number }';
const ITEM = `databaseId version values updatedAt fields { name type value { ${VALUE} } }`;

const LIST = 'totalCount nodes { databaseId } edges { cursor } pageInfo { endCursor hasNextPage }';

type World = 'here' | 'other' | 'absent';

describe('Fields that a viewer may not read', () => {
  const service = useService();

  async function ready() {
    service().at('2026-11-02T08:00:00Z');
    const specs = RESTRICTED.map(({ name, of, type }) => [
      name,
      {
        type: TYPES[type].type,
        options: {
          ...FIELDS[of]?.options,
          ...TYPES[type].options,
          ...(type === 'text' && { queryable: '1' }),
        },
      },
    ]);
    const model = await makeModel(service(), 'secrets', Object.fromEntries(specs), {
      public: '1',
      publicly_queryable: '1',
    });
    const { prisma } = service().database;
    const row = await prisma.modelDefinition.findUniqueOrThrow({ where: { id: model.id } });
    const whole = row.document as unknown as ModelDocument;
    return { model, whole };
  }

  /** Makes a world, for a caller who may not read what differs in it. */
  async function make(
    world: World,
    as: Caller,
    { model, whole }: Awaited<ReturnType<typeof ready>>,
  ) {
    const open = new Set(allowed(as));
    const hides = (name: string) =>
      !open.has(RESTRICTED.find((field) => field.name === name)?.of ?? '');
    const fields = whole.fields.flatMap((field): FieldPart[] => {
      if (world === 'here' || !hides(field.name)) return [field];
      if (world === 'absent') return [];
      const options: FieldPart['options'] = [
        ...field.options,
        ['default_value', 'omega'],
        ['required', '1'],
      ];
      return [
        { ...field, name: `other_${field.name}`, label: 'Omega', description: 'omega', options },
      ];
    });
    const { prisma } = service().database;
    await prisma.modelDefinition.update({
      where: { id: model.id },
      data: { document: { ...whole, fields } as never },
    });
    await prisma.modelItem.deleteMany({});
    for (const id of [1, 2, 3]) {
      const values: Record<string, unknown> = {};
      const keys: Record<string, unknown> = {};
      for (const { name, type } of RESTRICTED) {
        if (world === 'absent' && hides(name)) continue;
        // The items stand in the other order there, and one has nothing.
        const place = hides(name) && world === 'other' ? 3 - id : id - 1;
        const value = TYPES[type].values[place % 2];
        if (place === 2) continue;
        values[String(model.fields[name])] = value;
        keys[String(model.fields[name])] = value;
      }
      await prisma.modelItem.create({
        data: {
          id,
          definitionId: model.id,
          values: values as never,
          keys: keys as never,
          version: 1,
          createdAt: new Date(service().now()),
          updatedAt: new Date(service().now()),
        },
      });
    }
  }

  /** What a caller is answered, by what was asked. */
  async function answers(as: Caller, { model }: Awaited<ReturnType<typeof ready>>) {
    const told = new Map<string, string>();
    const ask = async (query: string, variables: object = {}): Promise<void> => {
      const { text } = await service().graphql(query, variables, { as });
      // A machine that is busy with other tests answers so in either world.
      if (text.includes('"UNAVAILABLE"')) await ask(query, variables);
      else told.set(`${query} ${JSON.stringify(variables)}`, text);
    };
    const items = (args: string) =>
      ask(`{ model(name: "secrets") { items(${args}) { ${LIST} } } }`);
    await ask(`{ model(name: "secrets") { version itemCount fields { ${FIELD} } groups { name fields { ${FIELD} } }
      items { nodes { ${ITEM} } } } }`);
    await ask('{ models { totalCount nodes { name version updatedAt fields { name } } } }');
    await ask('{ models(filter: { search: "omega" }) { totalCount } }');
    await ask(
      '{ model(name: "secrets") { versions { nodes { number change differences { __typename } } } } }',
    );
    await ask('{ model(name: "secrets") { options { name } removedFields { name } } }');
    await ask('{ __type(name: "ModelField") { fields { name } } }');
    const nodes = RESTRICTED.map(({ name }) =>
      globalId('ModelField', model.fields[name] as number),
    );
    await ask(`query($ids: [ID!]!) { nodes(ids: $ids) { ... on ModelField { ${FIELD} } } }`, {
      ids: [...nodes, globalId('ModelItem', 1), globalId('ModelVersion', 1)],
    });
    for (const id of [1, 2, 3])
      await ask(`{ modelItem(id: ${id}) { ${ITEM} model { fields { name } } } }`);
    for (const word of ['alpha', 'omega', '-alpha', '-omega x', '3', '7'])
      await items(`search: "${word}"`);
    await items('last: 2');
    for (const { name, type } of RESTRICTED) {
      const [value] = TYPES[type].values;
      const given = JSON.stringify(value);
      const filters = OPERATORS.map((operator) => {
        const asked = operator === 'IN' ? `[${given}]` : operator === 'IS_EMPTY' ? 'false' : given;
        return `filter: [{ field: "${name}", operator: ${operator}, value: ${asked} }]`;
      });
      const lists = [
        ...filters,
        `orderBy: { field: "${name}" }, first: 2`,
        `filter: [{ field: "${name}", value: {} }]`,
      ];
      const models = lists.map(
        (args, i) => `m${i}: model(name: "secrets") { items(${args}) { ${LIST} } }`,
      );
      await ask(`{ ${models.join(' ')} modelItem(id: 1) { fields(names: ["${name}", "nothing"]) { name type } }
        modelFieldChange(id: ${model.fields[name]}) { lost values } }`);
      const values = valueList({ [name]: value });
      await ask(
        `mutation($values: [ModelValueInput!]!, $others: [ModelValueInput!]!) {
          updateModelItem(input: { id: 1, version: 9, values: $values }) { item { ${ITEM} } }
          createModelItem(input: { modelId: ${model.id}, values: $others }) { item { ${ITEM} } } }`,
        { values, others: [...values, { field: 'nothing', value: 1 }] },
      );
    }
    await ask(mutation('updateModelItem', `item { ${ITEM} }`), {
      input: { id: 2, version: 1, values: valueList({ open_text: 'new' }) },
    });
    await ask(mutation('deleteModelItem', `item { ${ITEM} }`), { input: { id: 3, version: 1 } });
    await rest(as, model, told);
    return told;
  }

  async function rest(
    as: Caller,
    model: { id: number; fields: Record<string, number> },
    told: Map<string, string>,
  ) {
    const [field] = Object.values(model.fields);
    const texts = RESTRICTED.filter(({ type }) => type === 'text');
    const paths = [
      ...['full', 'names', 'count'].flatMap((form) =>
        ['pods', 'fields', 'groups'].map((part) => `/models/v1/${part}?return_type=${form}`),
      ),
      '/models/v1/pods?_fields=pods.secrets&_embed=1',
      '/models/v1/fields?pod=secrets&include_parent=true',
      `/models/v1/pods/${model.id}?include_fields=true&include_groups=true&include_group_fields=true&_fields=pod`,
      '/models/v1/pods/secrets?include_fields=true&include_groups=true&include_group_fields=true',
      ...texts.map(({ name }) => `/models/v1/pods/secrets/fields/${name}`),
      ...texts.map(({ name }) => `/models/v1/fields/${model.fields[name]}`),
      `/models/v1/fields/${field}?context=edit&_embed`,
      '/models/v1/doc',
      '/v1/posts?search=omega&meta_key=admins_text&meta_value=omega&orderby=meta_value',
      '/openapi.json',
    ];
    for (const edition of ['A', 'B'] as const) {
      for (const path of paths)
        told.set(
          `${edition} ${path}`,
          (await service().rest('GET', path, { as, edition, described: false })).text,
        );
      const root = edition === 'A' ? '/api' : '/v3/api';
      const requests = paths.slice(0, 20).map((path) => ({ method: 'GET', path: root + path }));
      for (const address of ['/batch/v1', '/v1/batch'])
        told.set(
          `${edition} ${address}`,
          (
            await service().rest('POST', address, {
              as,
              edition,
              body: { requests },
              described: false,
            })
          ).text,
        );
    }
  }

  /** Ids of requests are none of what is answered. */
  const plain = (text: string | undefined) =>
    text?.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID');

  for (const as of TOLD_APART)
    it(`change no answer: ${as}`, async () => {
      const made = await ready();
      await make('here', as, made);
      const here = await answers(as, made);
      for (const world of ['other', 'absent'] as const) {
        await make(world, as, made);
        const there = await answers(as, made);
        const changed = [...here].filter(
          ([asked, text]) => plain(there.get(asked)) !== plain(text),
        );
        expect(
          changed.map(([asked, text]) => [asked, text, there.get(asked)]),
          world,
        ).toStrictEqual([]);
      }
    });
});
