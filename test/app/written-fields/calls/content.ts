import { mutation } from '../../../support/harness.js';
import { type Call, refused, type Stage } from '../calling.js';

const FOOTNOTES = ['One', 'Two'].map((content) => JSON.stringify([{ id: 'a', content }]));
const DATES = ['2026-02-01T08:00:00', '2026-02-02T08:00:00'];
const same = (name: string, values: readonly unknown[]) =>
  values.map((value) => [value, { [name]: value }] as const);

const KINDS = [
  ['posts', 'Post', 'post'],
  ['pages', 'Page', 'page'],
  ['healthcare', 'HealthcareItem', 'healthcareItem'],
] as const;
type Kind = (typeof KINDS)[number];

/** Makes an item. Returns its number and its global id. */
const make =
  ([, noun, one]: Kind, fields: object = {}) =>
  async ({ world, by }: Stage) => {
    const input = { title: 'x', status: 'DRAFT', ...fields };
    const shown = `${one} { id databaseId }`;
    const made = await world.ask(mutation(`create${noun}`, shown), { input }, by);
    return made[`create${noun}`][one] as { id: string; databaseId: number };
  };

/** Reads an item over REST, as those see it who edit it. */
const readItem =
  ([path]: Kind) =>
  async ({ service, by }: Stage, id: unknown) =>
    (
      await service.rest('GET', `/v1/${path}/${id}`, {
        ...(by as object),
        edition: 'B',
        query: 'context=edit',
      })
    ).body;

const ofKind = (kind: Kind): Call[] => {
  const [path, noun, one] = kind;
  const hasArticle = one !== 'healthcareItem';
  const read = readItem(kind);
  const dated = {
    date: same('date', DATES),
    dateGmt: same('date_gmt', DATES),
    template: [
      ['', { template: '' }],
      ['wide.php', refused('rest_invalid_param')],
    ],
  } as NonNullable<Call['lines']>;
  const lines = {
    ...dated,
    ...(hasArticle && {
      meta: FOOTNOTES.map((footnotes) => [{ footnotes }, { meta: { footnotes } }] as const),
    }),
  };
  const draft = async (stage: Stage) => ({ id: (await make(kind)(stage)).databaseId });
  const typed = async (stage: Stage) => ({ ...(await draft(stage)), title: 'Typed' });
  const category = async ({ service }: Stage) => [await service.term('CATEGORY', 'Other')];
  return [
    {
      name: `create${noun}`,
      route: `POST /v1/${path}`,
      make: () => ({ title: 'x', status: 'publish' }),
      read: (stage, _, { id }) => read(stage, id),
      lines,
    },
    {
      name: `update${noun}`,
      route: `POST /v1/${path}/{id}`,
      make: async (stage) => ({
        id: (await make(kind, { status: 'PUBLISH' })(stage)).databaseId,
      }),
      read: (stage, { id }) => read(stage, id),
      lines,
    },
    {
      name: `autosave${noun}`,
      make: async (stage) => ({ id: (await make(kind)(stage)).id, title: 'Typed' }),
      shown: `${one} { titleSource contentSource ${hasArticle ? 'excerptSource footnotes' : ''} }`,
      lines: {
        title: ['A', 'B'].map((title) => [title, { [one]: { titleSource: title } }] as const),
        content: ['A', 'B'].map((text) => [text, { [one]: { contentSource: text } }] as const),
        ...(hasArticle && {
          excerpt: ['A', 'B'].map((text) => [text, { [one]: { excerptSource: text } }] as const),
          footnotes: FOOTNOTES.map((footnotes) => [footnotes, { [one]: { footnotes } }] as const),
        }),
        version: [
          [1, { [one]: { titleSource: 'Typed' } }],
          [9_999, { [one]: { titleSource: 'x' } }],
        ],
      },
    },
    {
      name: `autosave${noun}`,
      route: `POST /v1/${path}/{id}/autosaves`,
      make: typed,
      params: { authorId: 'author', featuredMediaId: 'featured_media' },
      read: async (stage, { id }) => {
        const { modified: _, modified_gmt: __, ...item } = await read(stage, id);
        return item;
      },
      lines: {
        ...dated,
        slug: same('slug', ['a-slug', 'b-slug']),
        status: same('status', ['pending', 'private']),
        password: same('password', ['one', 'two']),
        ...(hasArticle && {
          authorId: async ({ service }) => {
            const ids = [
              (await service.account('author')).id,
              (await service.account('editor')).id,
            ];
            return ids.map((id) => [id, { author: id }] as const);
          },
          commentStatus: same('comment_status', ['open', 'closed']),
          pingStatus: same('ping_status', ['open', 'closed']),
        }),
        ...(one === 'page' && { menuOrder: same('menu_order', [3, 4]) }),
      },
    },
    {
      name: `autosave${noun}`,
      route: `POST /v1/${path}/{id}/autosaves`,
      because: 'docs/behaviour.md 9.2: an autosave leaves them as they are.',
      make: typed,
      params: {
        featuredMediaId: 'featured_media',
        isSticky: 'sticky',
        categoryIds: 'categories',
        tagIds: 'tags',
        healthcareCategoryIds: 'healthcare_category',
        languageIds: 'language',
        locationIds: 'location',
        therapeuticAreaIds: 'therapeutic_area',
      },
      read: async (stage, { id }) => {
        const { modified: _, modified_gmt: __, ...item } = await read(stage, id);
        return item;
      },
      ignored: {
        featuredMediaId: async ({ service, world }) => {
          const id = await world.media(0);
          const query = 'query($id: ID!) { node(id: $id) { ... on Media { databaseId } } }';
          return (await service.data(query, { id }, 'administrator')).node.databaseId;
        },
        ...(hasArticle && { meta: () => ({ footnotes: FOOTNOTES[0] }) }),
        ...(one === 'post' && {
          format: () => 'aside',
          isSticky: () => true,
          categoryIds: category,
          tagIds: async ({ service }) => [await service.term('TAG', 'Other')],
        }),
        ...(one === 'healthcareItem' &&
          Object.fromEntries(
            [
              ['healthcareCategoryIds', 'HEALTHCARE_CATEGORY'],
              ['languageIds', 'LANGUAGE'],
              ['locationIds', 'LOCATION'],
              ['therapeuticAreaIds', 'THERAPEUTIC_AREA'],
            ].map(([field, taxonomy]) => [
              field,
              async ({ service }: Stage) => [await service.term(String(taxonomy), 'Other')],
            ]),
          )),
      },
    },
    {
      name: `trash${noun}`,
      route: `DELETE /v1/${path}/{id}`,
      make: draft,
      read: (stage, { id }) => read(stage, id),
      lines: {
        force: [
          [false, { status: 'trash' }],
          [true, { code: 'rest_post_invalid_id' }],
        ],
      },
    },
    {
      name: `trash${noun}`,
      make: async (stage) => ({ id: (await make(kind)(stage)).id }),
      shown: `${one} { status }`,
    },
    {
      name: `restore${noun}`,
      make: async (stage) => {
        const { id } = await make(kind)(stage);
        await stage.world.ask(mutation(`trash${noun}`, '__typename'), { input: { id } }, stage.by);
        return { id };
      },
      shown: `${one} { status }`,
    },
  ];
};

const revised = async (stage: Stage) => {
  const { id, databaseId } = await make(KINDS[0])(stage);
  for (const content of ['One', 'Two'])
    await stage.world.ask(mutation('updatePost', '__typename'), { input: { id, content } });
  const query = `query($id: ID!) { node(id: $id) {
    ... on Post { version revisions { nodes { id databaseId contentSource } } } } }`;
  const { node } = await stage.world.ask(query, { id });
  return { post: databaseId, version: node.version, revisions: node.revisions.nodes };
};

export const CONTENT: readonly Call[] = [
  ...KINDS.flatMap(ofKind),
  {
    name: 'restoreRevision',
    make: async (stage) => ({ id: (await revised(stage)).revisions[1].id }),
    shown: 'item { contentSource }',
    lines: {
      id: async (stage) =>
        (await revised(stage)).revisions.map((one: { id: string; contentSource: string }) => [
          one.id,
          { item: { contentSource: one.contentSource } },
        ]),
    },
  },
  {
    name: 'deleteRevision',
    route: 'DELETE /v1/posts/{parent}/revisions/{id}',
    make: async (stage) => {
      const { post, revisions } = await revised(stage);
      return { parent: post, id: revisions[1].databaseId, force: true };
    },
    read: (_, __, body) => body.deleted,
    lines: {
      parent: async (stage, { parent }) => [
        [parent, true],
        [(await make(KINDS[0])(stage)).databaseId, refused('rest_revision_parent_id_mismatch')],
      ],
      force: [
        [true, true],
        [false, refused('rest_trash_not_supported')],
      ],
    },
  },
  {
    name: 'announceEditing',
    make: async (stage) => ({ id: (await make(KINDS[0])(stage)).id }),
    shown: 'content { editors { account { id } } }',
    lines: {
      isEditing: ({ me }) => [
        [true, { content: { editors: [{ account: { id: me } }] } }],
        [false, { content: { editors: [] } }],
      ],
    },
  },
];
