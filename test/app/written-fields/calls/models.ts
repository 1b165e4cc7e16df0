import { mutation } from '../../../support/harness.js';
import { type Call, refused, type Sent, type Stage } from '../calling.js';

const query = (type: string, fields: string) =>
  `query($id: ID!) { node(id: $id) { ... on ${type} { ${fields} } } }`;
const numberOf = async ({ world }: Stage, type: string, id: string) =>
  (await world.ask(query(type, 'databaseId'), { id })).node.databaseId as number;
const versionOf = async ({ world }: Stage, id: unknown) =>
  (await world.ask(query('Model', 'version'), { id })).node.version as number;

/** Two models of the fields `street` and `city`, with a group each; and what REST knows them by. */
async function models(stage: Stage) {
  const { world } = stage;
  const [first, second] = [await world.model(0), await world.model(1)];
  const group = await world.group(0);
  const fields = (await world.ask(query('Model', 'fields { id databaseId name }'), { id: first }))
    .node.fields as { id: string; databaseId: number; name: string }[];
  return {
    first,
    second,
    ids: [await numberOf(stage, 'Model', first), await numberOf(stage, 'Model', second)],
    group,
    groupId: await numberOf(stage, 'ModelGroup', group),
    street: fields.find(({ name }) => name === 'street') as { id: string; databaseId: number },
    version: await versionOf(stage, first),
  };
}

const rest = async ({ service, by }: Stage, path: string) =>
  (await service.rest('GET', `/models/v1/${path}`, { ...(by as object), edition: 'B' })).body;

/** What a body says beside its parameters: in `args`, and as fields that nobody knows. */
const words = (shown: (options: object) => unknown): NonNullable<Call['lines']> => ({
  args: [
    [{ help_text: 'One' }, shown({ help_text: 'One' })],
    ['{"help_text":"Two"}', shown({ help_text: 'Two' })],
    [{ description: 'Three' }, shown({ description: 'Three' })],
  ],
  others: [
    [{ help: 'One' }, shown({ help: 'One' })],
    [{ help: 'Two' }, shown({ help: 'Two' })],
    [{ description: 'Three' }, shown({ description: 'Three' })],
  ],
});

const bySlug = async (stage: Stage, slug: string): Promise<Sent> => {
  await models(stage);
  return { model: 'model_0', slug };
};
const inModels = (kind: string) => (stage: Stage, sent: Sent) =>
  rest(stage, `pods/${sent.model}/${kind}/${sent.slug}`);

const PARTS: readonly Call[] = (['field', 'group'] as const).flatMap((part): Call[] => {
  const noun = part === 'field' ? 'ModelField' : 'ModelGroup';
  const plural = `${part}s`;
  const own = part === 'field' ? { type: 'text' } : {};
  const slug = part === 'field' ? 'street' : 'shared_0';
  const other = part === 'field' ? 'city' : 'shared_1';
  const body = (_stage: Stage, _sent: Sent, answered: Record<string, unknown>) => answered[part];
  const changed = { label: 'Changed', ...(part === 'field' && { type: 'text' }) };
  return [
    {
      name: `create${noun}`,
      route: `POST /models/v1/${plural}`,
      params: { modelKey: 'pod_id', model: 'pod' },
      make: async (stage) => ({ modelKey: (await models(stage)).ids[0], label: 'Made', ...own }),
      read: body,
      lines: {
        ...words((options) => options),
        modelKey: async (stage) =>
          (await models(stage)).ids.map((id) => [id, { parent: id }] as const),
        ...(part === 'field' && {
          group: async (stage) => [
            ['shared_0', { group: String((await models(stage)).groupId) }],
            ['nothing', refused('')],
          ],
        }),
      },
    },
    {
      name: `create${noun}`,
      route: `POST /models/v1/${plural}`,
      params: { model: 'pod' },
      make: async (stage) => {
        await models(stage);
        return { model: 'model_0', label: 'Made', ...own };
      },
      read: body,
      lines: {
        model: async (stage) => {
          const { ids } = await models(stage);
          return ids.map((id, i) => [`model_${i}`, { parent: id }] as const);
        },
      },
    },
    {
      name: `update${noun}`,
      route: `POST /models/v1/pods/{pod}/${plural}/{slug}`,
      params: { typeName: 'type', group: 'new_group', model: 'pod' },
      make: async (stage) => ({ ...(await bySlug(stage, slug)), ...changed }),
      read: inModels(plural) as Call['read'],
      lines: {
        ...words((options) => ({ [part]: options })),
        model: [
          ['model_0', { [part]: { name: slug } }],
          ['nothing', refused('')],
        ],
        slug: [
          [slug, { [part]: { name: slug, label: 'Changed' } }],
          ['nothing', refused('')],
        ],
        typeName:
          part === 'field'
            ? [
                ['text', { field: { type: 'text' } }],
                ['paragraph', { field: { type: 'paragraph' } }],
              ]
            : [
                ['one', { group: { type: 'one' } }],
                ['two', { group: { type: 'two' } }],
              ],
        ...(part === 'field' && {
          group: async (stage) => [
            ['shared_0', { field: { group: String((await models(stage)).groupId) } }],
            ['nothing', refused('')],
          ],
        }),
      },
    },
    {
      name: `delete${noun}`,
      route: `DELETE /models/v1/pods/{pod}/${plural}/{slug}`,
      params: { model: 'pod' },
      make: (stage) => bySlug(stage, slug),
      read: async (stage) => {
        const { [`${plural}`]: all } = await rest(stage, `${plural}?pod=model_0&return_type=names`);
        return Object.values(all);
      },
      lines: {
        model: [
          ['model_0', part === 'field' ? [other] : []],
          ['nothing', refused('')],
        ],
        slug: [
          [slug, part === 'field' ? [other] : []],
          ['nothing', refused('')],
        ],
      },
    },
  ];
});

const withItem = async (stage: Stage) => {
  const made = await models(stage);
  const values = [{ field: 'street', value: 'Main' }];
  const input = { modelId: made.first, values };
  const { createModelItem } = await stage.world.ask(mutation('createModelItem', 'item { id }'), {
    input,
  });
  return { ...made, item: createModelItem.item.id as string };
};

const removedField = async (stage: Stage) => {
  const { street, first, version } = await models(stage);
  await stage.world.ask(mutation('deleteModelField', '__typename'), {
    input: { id: street.id, version },
  });
  return { id: street.id, version: await versionOf(stage, first) };
};

const removedModel = async (stage: Stage) => {
  const { second } = await models(stage);
  const input = { id: second, version: await versionOf(stage, second), itemCount: 0 };
  await stage.world.ask(mutation('deleteModel', '__typename'), { input });
  return { id: second };
};

const LOST = [
  [0, refused('MODEL_WOULD_LOSE')],
  [1, { model: { fields: [{ name: 'city' }] } }],
] as const;

/** A model whose item has a value of a field that was added last: in a group, or in none. */
const withAdded = async (stage: Stage, groupId?: string) => {
  const { first, version } = await models(stage);
  const field = { modelId: first, version, groupId, name: 'zip', label: 'Zip', type: 'TEXT' };
  await stage.world.ask(mutation('createModelField', '__typename'), { input: field });
  const input = { modelId: first, values: [{ field: 'zip', value: '1010' }] };
  await stage.world.ask(mutation('createModelItem', '__typename'), { input });
  return { first, before: version, version: await versionOf(stage, first) };
};

export const MODELS: readonly Call[] = [
  ...PARTS,
  {
    name: 'deleteModelGroup',
    make: async (stage) => {
      const { group } = await models(stage);
      const { version } = await withAdded(stage, group);
      return { id: group, version, maxLost: 1 };
    },
    shown: 'model { groups { name } }',
    lines: {
      maxLost: [
        [0, refused('MODEL_WOULD_LOSE')],
        [1, { model: { groups: [] } }],
      ],
    },
  },
  {
    name: 'returnModel',
    make: async (stage) => {
      const { first, before, version } = await withAdded(stage);
      return { id: first, version, to: before, maxLost: 1 };
    },
    shown: 'model { fields { name } }',
    lines: {
      maxLost: [
        [0, refused('MODEL_WOULD_LOSE')],
        [1, { model: { fields: [{ name: 'street' }, { name: 'city' }] } }],
      ],
    },
  },
  {
    name: 'createModel',
    route: 'POST /models/v1/pods',
    make: () => ({ name: 'made', label: 'Made', type: 'post_type' }),
    read: (stage) => rest(stage, 'pods/made'),
    lines: {
      storage: [
        ['meta', { pod: { storage: 'meta' } }],
        ['table', { pod: { storage: 'table' } }],
      ],
    },
  },
  {
    name: 'createModel',
    route: 'POST /models/v1/pods',
    make: () => ({ name: 'made', label: 'Made', type: 'settings' }),
    read: (stage) => rest(stage, 'pods/made'),
    lines: {
      menuName: ['One', 'Two'].map((menu_name) => [menu_name, { pod: { menu_name } }] as const),
      menuLocation: ['One', 'Two'].map(
        (menu_location) => [menu_location, { pod: { menu_location } }] as const,
      ),
    },
  },
  {
    name: 'updateModel',
    route: 'POST /models/v1/pods/{slug}',
    make: async (stage) => {
      await models(stage);
      return { slug: 'model_0', label: 'Changed' };
    },
    read: (stage, { slug }) => rest(stage, `pods/${slug}`),
    lines: {
      ...words((pod) => ({ pod })),
      slug: ['model_0', 'model_1'].map(
        (name) => [name, { pod: { name, label: 'Changed' } }] as const,
      ),
    },
  },
  {
    name: 'deleteModel',
    route: 'DELETE /models/v1/pods/{slug}',
    make: async (stage) => {
      await models(stage);
      return { slug: 'model_0' };
    },
    read: async (stage) => Object.values((await rest(stage, 'pods?return_type=names')).pods),
    lines: {
      slug: [
        ['model_0', ['model_1']],
        ['model_1', ['model_0']],
      ],
    },
  },
  {
    name: 'deleteModel',
    make: async (stage) => {
      const { first, version } = await withItem(stage);
      return { id: first, version, itemCount: 1 };
    },
    read: async ({ world }, { id }) => {
      const restored = await world.ask(mutation('restoreModel', 'model { itemCount }'), {
        input: { id },
      });
      return restored.restoreModel.model.itemCount;
    },
    shown: 'itemCount',
    lines: {
      itemCount: [
        [1, 1],
        [2, refused('CONFLICT')],
      ],
      deleteItems: [
        [false, 1],
        [true, 0],
      ],
    },
  },
  {
    name: 'restoreModel',
    make: removedModel,
    shown: 'model { name }',
    lines: {
      name: ['one', 'two'].map((name) => [name, { model: { name } }] as const),
    },
  },
  {
    name: 'restoreModelField',
    make: removedField,
    shown: 'field { name }',
    lines: {
      name: ['one', 'two'].map((name) => [name, { field: { name } }] as const),
    },
  },
  {
    name: 'deleteModelField',
    make: async (stage) => {
      const { street, version } = await withItem(stage);
      return { id: street.id, version, maxLost: 1 };
    },
    shown: 'model { fields { name } }',
    lines: { maxLost: LOST },
  },
  {
    name: 'returnModel',
    make: async (stage) => {
      const { first, version } = await models(stage);
      return { id: first, version, to: version - 1 };
    },
    shown: 'model { groups { name } }',
    lines: {
      to: (_, { version }) => [
        [Number(version) - 1, { model: { groups: [] } }],
        [Number(version) + 5, refused('')],
      ],
    },
  },
];
