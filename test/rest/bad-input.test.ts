import { connect } from 'node:net';
import fc from 'fast-check';
import { type Answer, type Caller, type Sending, useService } from '../support/harness.js';

const MIB = 2 ** 20;
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** What an answer says of one parameter: its message, and code and data of its detail. */
function said({ status, body }: Answer, name: string): unknown {
  if (status !== 400 || body.code !== 'rest_invalid_param') return [status, body?.code];
  const { params, details } = body.data;
  expect(Object.keys(params)).toStrictEqual([name]);
  return [params[name], details[name]?.code, details[name]?.data];
}

describe('A parameter', () => {
  const service = useService();
  const list = (query: string) => service().rest('GET', '/v1/posts', { query });
  const write = (body: object | string) =>
    service().rest('POST', '/v1/posts', {
      as: 'editor',
      body: { title: 'T', ...(body as object) },
    });

  /**
   * Every value in turn: what fits gives `fine`, what does not is refused with the message and its
   * detail.
   */
  const inQuery = async (
    name: string,
    values: Record<'fits' | 'refused', string[]>,
    ...refusal: unknown[]
  ) => {
    for (const value of values.fits) expect((await list(value)).status, value).toBe(200);
    for (const value of values.refused)
      expect(said(await list(value), name), value).toStrictEqual(refusal);
  };
  const inJson = async (
    name: string,
    values: Record<'fits' | 'refused', unknown[]>,
    ...refusal: unknown[]
  ) => {
    for (const value of values.fits)
      expect((await write({ [name]: value })).status, JSON.stringify(value)).toBe(201);
    for (const value of values.refused)
      expect(said(await write({ [name]: value }), name), JSON.stringify(value)).toStrictEqual(
        refusal,
      );
  };
  const untyped = (name: string, type: string) => [
    `${name} is not of type ${type}.`,
    'rest_invalid_type',
    { param: name },
  ];

  it('of type integer takes whole numbers and their texts', async () => {
    const fits = ['offset=5', 'offset=1.0', 'offset=-3', 'offset=%2B2', 'offset=1e1'];
    const refused = [
      'offset=1.5',
      'offset=abc',
      'offset=',
      'offset=true',
      'offset=0x1',
      'offset[]=1',
      'offset[a]=1',
    ];
    await inQuery('offset', { fits, refused }, ...untyped('offset', 'integer'));
    const values = { fits: [0, '0', 0.0, '0.0', null], refused: [1.5, 'abc', '', true, [1], {}] };
    await inJson('featured_media', values, ...untyped('featured_media', 'integer'));
  });

  it('of type boolean takes truth in a few spellings', async () => {
    const fits = ['true', 'false', 'TRUE', 'False', '1', '0'].map((value) => `sticky=${value}`);
    const refused = ['', 'yes', 'no', '2', 'abc', 'on'].map((value) => `sticky=${value}`);
    await inQuery(
      'sticky',
      { fits, refused: [...refused, 'sticky[]=true'] },
      ...untyped('sticky', 'boolean'),
    );
    const values = {
      fits: [true, false, 'TRUE', '0', 1, 0, null],
      refused: ['', 'yes', 'no', 2, 'abc', [true], {}],
    };
    await inJson('sticky', values, ...untyped('sticky', 'boolean'));
  });

  it('of type string takes strings only', async () => {
    await inQuery(
      'search',
      { fits: ['search=1', 'search='], refused: ['search[]=x', 'search[a]=x'] },
      ...untyped('search', 'string'),
    );
    await inJson(
      'slug',
      { fits: ['x', '5', '', null], refused: [5, true, ['x'], {}] },
      ...untyped('slug', 'string'),
    );
    await inJson(
      'password',
      { fits: ['x'], refused: [12345678, false, []] },
      ...untyped('password', 'string'),
    );
  });

  it('that is a list takes lists, and texts split on commas and white space', async () => {
    const made = [await service().post(), await service().post(), await service().post()];
    const [one, two] = made.map(({ id }) => id);
    const found = async (query: string) =>
      (await list(`orderby=id&order=asc&_fields=id&${query}`)).body.map(
        ({ id }: { id: number }) => id,
      );
    const spellings = [
      `${one},${two}`,
      `${one}%20${two}`,
      `${one},,${two}`,
      `%20${one},%09${two},`,
    ];
    for (const value of spellings)
      expect(await found(`include=${value}`), value).toStrictEqual([one, two]);
    for (const query of [
      `include[]=${one}&include[]=${two}`,
      `include[1]=${one}&include[0]=${two}`,
      `include[3]=${one}&include[7]=${two}`,
    ]) {
      expect(await found(query), query).toStrictEqual([one, two]);
    }
    expect((await found('include=')).length).toBe(3);
    expect(said(await list(`include[a]=${one}`), 'include')).toStrictEqual(
      untyped('include', 'array'),
    );
    for (const [value, index] of [
      ['abc', 0],
      [`${one},x`, 1],
      ['1.5', 0],
      ['true', 0],
    ] as const) {
      expect(said(await list(`include=${value}`), 'include'), value).toStrictEqual(
        untyped(`include[${index}]`, 'integer'),
      );
    }
  });

  it('that is a list is read alike from JSON', async () => {
    const term = await service().term('CATEGORY', 'Other');
    for (const value of [
      [1, term],
      [`${1}`, `${term}`],
      `1,${term}`,
      `1 ${term}`,
      { 0: 1, 5: term },
    ]) {
      expect(
        (await write({ categories: value })).body.categories.sort(),
        JSON.stringify(value),
      ).toStrictEqual([1, term]);
    }
    expect((await write({ categories: term })).body.categories).toStrictEqual([term]);
    expect((await write({ categories: '' })).body.categories).toStrictEqual([]);
    for (const [value, index] of [
      [['abc'], 0],
      [[1, true], 1],
      ['1,x', 1],
      [[1, [2]], 1],
      [{ 0: 'x' }, 0],
    ] as const) {
      const [message, code, data] = said(
        await write({ categories: value }),
        'categories',
      ) as unknown[];
      expect(String(message), JSON.stringify(value)).toMatch(
        new RegExp(`^categories\\[(${index}|0)\\] is not of type integer\\.$`),
      );
      expect(code).toBe('rest_invalid_type');
      expect((data as { param: string }).param.startsWith('categories[')).toBe(true);
    }
  });

  it('that is a date and time takes ISO 8601 with seconds', async () => {
    const fits = [
      '2026-01-31T08:00:00',
      '2026-01-31 08:00:00',
      '2026-01-31T08:00:00.5',
      '2026-01-31T08:00:00Z',
      '2026-01-31T08:00:00-02:30',
    ];
    const refused = [
      '2026-01-31',
      '2026-01-31T08:00',
      '',
      'yesterday',
      '2026-13-01T00:00:00',
      '2026-00-01T00:00:00',
      '31.01.2026 08:00:00',
      '0',
    ];
    await inQuery(
      'after',
      {
        fits: fits.map((value) => `after=${encodeURIComponent(value)}`),
        refused: refused.map((value) => `after=${encodeURIComponent(value)}`),
      },
      'Invalid date.',
      'rest_invalid_date',
      null,
    );
    await inJson(
      'date',
      { fits: [...fits, null], refused },
      'Invalid date.',
      'rest_invalid_date',
      null,
    );
  });

  it('that is a date and time rolls over the end of a short month, and is converted by its offset', async () => {
    const dates: [given: string, date: string][] = [
      ['2026-02-31T08:00:00', '2026-03-03T08:00:00'],
      ['2024-02-30 08:00:00', '2024-03-01T08:00:00'],
      ['2026-04-31T23:59:59', '2026-05-01T23:59:59'],
      ['2026-03-01T08:00:00+02:00', '2026-03-01T06:00:00'],
      ['2026-03-01T00:30:00.999+01:00', '2026-02-28T23:30:00'],
    ];
    for (const [date, expected] of dates)
      expect((await write({ date })).body.date, date).toBe(expected);
  });

  it('that is a date or null is of both types', async () => {
    await inJson(
      'date',
      { fits: [null], refused: [5, true, ['2026-01-31T08:00:00'], {}] },
      ...untyped('date', 'string,null'),
    );
    await inJson('date_gmt', { fits: [null], refused: [5] }, ...untyped('date_gmt', 'string,null'));
  });

  it('that is a text in two forms takes a string or its raw, and ignores anything else', async () => {
    const given = async (content: unknown) => (await write({ content })).body.content.raw;
    expect([
      await given('text'),
      await given({ raw: 'text' }),
      await given({ raw: 'text', rendered: 'x' }),
    ]).toStrictEqual(['text', 'text', 'text']);
    expect([await given({ raw: 5 }), await given({ raw: true })]).toStrictEqual(['5', '1']);
    expect(said(await write({ content: { raw: ['text'] } }), 'content')).toStrictEqual(
      untyped('content[raw]', 'string'),
    );
    for (const value of [5, true, ['text'], { rendered: 'text' }, null, {}])
      expect(await given(value), JSON.stringify(value)).toBe('');
    for (const name of ['title', 'excerpt']) {
      const { body } = await write({ title: 'kept', content: 'kept', [name]: 5 });
      expect(body[name].raw, name).toBe('');
    }
  });

  it('that is one of some words takes them exactly', async () => {
    const choice = 'order is not one of asc and desc.';
    await inQuery(
      'order',
      { fits: ['order=asc'], refused: ['order=ASC', 'order=', 'order=up'] },
      choice,
      'rest_not_in_enum',
      null,
    );
    await inQuery(
      'context',
      { fits: ['context=embed'], refused: ['context=', 'context=View'] },
      'context is not one of view, embed, and edit.',
      'rest_not_in_enum',
      null,
    );
    await inQuery(
      'search_semantics',
      { fits: ['search_semantics=exact'], refused: ['search_semantics=sentence'] },
      'search_semantics is not exact.',
      'rest_not_in_enum',
      null,
    );
    await inQuery(
      'search_columns',
      { fits: ['search_columns=post_title,post_content'], refused: ['search_columns=title'] },
      'search_columns[0] is not one of post_title, post_content, and post_excerpt.',
      'rest_not_in_enum',
      null,
    );
    await inJson(
      'status',
      { fits: ['pending', null], refused: ['trash', 'any', 'auto-draft', 'inherit', '', 'Draft'] },
      'status is not one of publish, future, draft, pending, and private.',
      'rest_not_in_enum',
      null,
    );
    await inJson('status', { fits: [], refused: [5] }, ...untyped('status', 'string'));
    await inJson(
      'comment_status',
      { fits: ['closed'], refused: ['shut'] },
      'comment_status is not one of open and closed.',
      'rest_not_in_enum',
      null,
    );
  });

  it('without any word that fits refuses every word', async () => {
    expect((await write({ template: '' })).status).toBe(201);
    const [message] = said(await write({ template: 'wide.php' }), 'template') as string[];
    expect(message).toBe('template is not one of .');
  });

  for (const orderby of ['rand', 'comment_count', 'menu_order', 'Date', '']) {
    it(`orderby is not ${orderby || 'empty'} on posts`, async () => {
      const [message, code] = said(await list(`orderby=${orderby}`), 'orderby') as string[];
      const words =
        'author, date, id, include, modified, parent, relevance, slug, include_slugs, and title';
      expect([message, code]).toStrictEqual([
        `orderby is not one of ${words}.`,
        'rest_not_in_enum',
      ]);
    });
  }

  it('with bounds says them, without a final period', async () => {
    const least = 'page must be greater than or equal to 1';
    await inQuery(
      'page',
      { fits: ['page=1'], refused: ['page=0', 'page=-1', 'page=0.5'] },
      least,
      'rest_out_of_bounds',
      null,
    );
    const range = 'per_page must be between 1 (inclusive) and 100 (inclusive)';
    const sizes = {
      fits: ['per_page=1', 'per_page=100'],
      refused: ['per_page=0', 'per_page=101', 'per_page=-5', 'per_page=99999999999'],
    };
    await inQuery('per_page', sizes, range, 'rest_out_of_bounds', null);
  });

  it('without duplicates says so', async () => {
    await inQuery(
      'format',
      {
        fits: ['format=aside,chat'],
        refused: ['format=aside,aside', 'format[]=chat&format[]=aside&format[]=chat'],
      },
      'format has duplicate items.',
      'rest_duplicate_items',
      null,
    );
  });

  it('that takes terms takes a list or an object, and says which one did not fit', async () => {
    for (const name of ['categories', 'tags', 'categories_exclude', 'tags_exclude']) {
      const list_ = `${name} is not a valid Term ID List. Reason: ${name}[0] is not of type integer.`;
      await inQuery(
        name,
        {
          fits: [
            `${name}=1,2`,
            `${name}[]=1`,
            `${name}[terms]=1`,
            `${name}[terms]=`,
            `${name}[terms][]=1`,
          ],
          refused: [`${name}=abc`],
        },
        list_,
        'rest_no_matching_schema',
        { position: 0 },
      );
      await inQuery(
        name,
        { fits: [], refused: [`${name}=`] },
        `${name} matches Term ID List and Term ID Taxonomy Query, but should match only one.`,
        'rest_one_of_multiple_matches',
        { positions: [0, 1] },
      );
      await inQuery(
        name,
        { fits: [], refused: [`${name}[more]=1`, `${name}[terms]=1&${name}[more]=1`] },
        `${name} is not a valid Term ID Taxonomy Query. Reason: more is not a valid property of Object.`,
        'rest_no_matching_schema',
        { position: 1 },
      );
    }
  });

  it('that takes terms has an operator and children only where they mean something', async () => {
    const refused = (name: string, reason: string) => [
      `${name} is not a valid Term ID Taxonomy Query. Reason: ${reason}`,
      'rest_no_matching_schema',
      { position: 1 },
    ];
    const invalid = (property: string) => `${property} is not a valid property of Object.`;
    expect(
      (await list('categories[terms]=1&categories[operator]=AND&categories[include_children]=1'))
        .status,
    ).toBe(200);
    expect(said(await list('categories[operator]=and'), 'categories')).toStrictEqual(
      refused('categories', 'categories[operator] is not one of AND and OR.'),
    );
    expect(said(await list('tags[operator]=XOR'), 'tags')).toStrictEqual(
      refused('tags', 'tags[operator] is not one of AND and OR.'),
    );
    expect(said(await list('tags[include_children]=1'), 'tags')).toStrictEqual(
      refused('tags', invalid('include_children')),
    );
    expect(said(await list('categories_exclude[operator]=OR'), 'categories_exclude')).toStrictEqual(
      refused('categories_exclude', invalid('operator')),
    );
    expect(said(await list('tax_relation=or'), 'tax_relation')).toStrictEqual([
      'tax_relation is not one of AND and OR.',
      'rest_not_in_enum',
      null,
    ]);
  });

  it('status is forbidden to those who do not write, whatever they ask, and checked for those who do', async () => {
    for (const status of ['draft', 'publish,private', 'any', 'nonsense']) {
      const ask = (as: Caller) => service().rest('GET', '/v1/posts', { as, query: { status } });
      expect(said(await ask('anonymous'), 'status')).toStrictEqual([
        'Status is forbidden.',
        'rest_forbidden_status',
        { status: 401 },
      ]);
      expect(said(await ask('subscriber'), 'status')).toStrictEqual([
        'Status is forbidden.',
        'rest_forbidden_status',
        { status: 403 },
      ]);
      if (status !== 'nonsense') expect((await ask('contributor')).status, status).toBe(200);
    }
    const words =
      'publish, future, draft, pending, private, trash, auto-draft, inherit, request-pending, ' +
      'request-confirmed, ';
    expect(
      said(
        await service().rest('GET', '/v1/posts', {
          as: 'contributor',
          query: 'status=draft,nonsense',
        }),
        'status',
      ),
    ).toStrictEqual([
      `status[1] is not one of ${words}request-failed, request-completed, and any.`,
      'rest_not_in_enum',
      null,
    ]);
  });

  it('id of a new post is refused as one that exists, and as nobody when it is 0', async () => {
    const { id } = await service().post();
    expect(said(await write({ id }), 'id')).toStrictEqual([400, 'rest_post_exists']);
    expect(said(await write({ id: 999 }), 'id')).toStrictEqual([400, 'rest_post_exists']);
    expect(said(await write({ id: 0 }), 'id')).toStrictEqual([404, 'rest_post_invalid_id']);
    for (const none of ['', null]) expect((await write({ id: none })).status).toBe(201);
  });

  it('of the path is checked like others, and what is no integer names no route', async () => {
    const { id } = await service().post();
    const item = (query: string) => service().rest('GET', `/v1/posts/${id}`, { query });
    expect(said(await item('context=all'), 'context')).toStrictEqual([
      'context is not one of view, embed, and edit.',
      'rest_not_in_enum',
      null,
    ]);
    expect(said(await item('excerpt_length=long'), 'excerpt_length')).toStrictEqual(
      untyped('excerpt_length', 'integer'),
    );
    expect(said(await item('password[]=x'), 'password')).toStrictEqual(
      untyped('password', 'string'),
    );
    const gone = await service().rest('DELETE', `/v1/posts/${id}`, {
      as: 'editor',
      query: 'force=abc',
    });
    expect(said(gone, 'force')).toStrictEqual(untyped('force', 'boolean'));
  });
});

describe('JSON null', () => {
  const service = useService();

  it('is a field that was not given', async () => {
    const { id } = await service().posted({
      title: 'T',
      excerpt: 'E',
      slug: 's',
      sticky: true,
      format: 'aside',
      comment_status: 'closed',
    });
    const names = [
      'title',
      'content',
      'excerpt',
      'slug',
      'status',
      'password',
      'author',
      'featured_media',
      'comment_status',
      'ping_status',
      'format',
      'meta',
      'sticky',
      'template',
    ];
    const body = Object.fromEntries(names.map((name) => [name, null]));
    const answer = await service().rest('POST', `/v1/posts/${id}`, { as: 'editor', body });
    expect(answer.status).toBe(200);
    const { title, excerpt, slug, status, sticky, format, comment_status } = answer.body;
    expect([title.raw, excerpt.raw, slug, status, sticky, format, comment_status]).toStrictEqual([
      'T',
      'E',
      's',
      'publish',
      true,
      'aside',
      'closed',
    ]);
  });

  it('empties terms', async () => {
    const tag = await service().term('TAG', 'Sleep');
    const { id } = await service().post({ tags: [tag] });
    const { body } = await service().rest('POST', `/v1/posts/${id}`, {
      as: 'editor',
      body: { tags: null, categories: null },
    });
    expect([body.tags, body.categories]).toStrictEqual([[], []]);
  });

  for (const name of ['date', 'date_gmt']) {
    it(`makes ${name} the present`, async () => {
      const { id } = await service().post({ date: '2020-01-01T00:00:00' });
      service().at(Date.parse('2026-05-06T07:08:09Z'));
      const { body } = await service().rest('POST', `/v1/posts/${id}`, {
        as: 'editor',
        body: { [name]: null },
      });
      expect(body.date).toBe('2026-05-06T07:08:09');
    });
  }

  it('is missing where something is required', async () => {
    const { status, body } = await service().rest('POST', '/batch/v1', {
      body: { requests: null },
    });
    expect([status, body.code, body.data.params]).toStrictEqual([
      400,
      'rest_missing_callback_param',
      ['requests'],
    ]);
  });
});

describe('Values that stand for others', () => {
  const service = useService();
  const ids = async (query: string) =>
    (
      await service().rest('GET', '/v1/posts', {
        query: `orderby=id&order=asc&_fields=id&${query}`,
      })
    ).body.map(({ id }: { id: number }) => id);

  it('negative ids and offsets are positive ones', async () => {
    const [one, two] = [await service().post(), await service().post({}, 'author')];
    const author = await service().account('author');
    expect(await ids(`include=-${one.id}`)).toStrictEqual([one.id]);
    expect(await ids(`exclude=-${one.id}`)).toStrictEqual([two.id]);
    expect(await ids(`author=-${author.id}`)).toStrictEqual([two.id]);
    expect(await ids(`author_exclude=-${author.id}`)).toStrictEqual([one.id]);
    expect(await ids('offset=-1')).toStrictEqual([two.id]);
    expect(await ids('categories=-1')).toStrictEqual([one.id, two.id]);
  });

  it('empty lists and an empty search are no filter', async () => {
    const { id } = await service().post();
    for (const name of [
      'search',
      'include',
      'exclude',
      'author',
      'author_exclude',
      'slug',
      'search_columns',
      'format',
      'status',
    ]) {
      expect(await ids(`${name}=`), name).toStrictEqual([id]);
    }
  });

  for (const name of [
    'sticky',
    'ignore_sticky',
    'offset',
    'page',
    'per_page',
    'after',
    'before',
    'modified_after',
    'order',
    'orderby',
    'context',
    'tax_relation',
    'search_semantics',
    'excerpt_length',
  ]) {
    it(`an empty ${name} fits nothing`, async () => {
      const { status, body } = await service().rest('GET', '/v1/posts', { query: `${name}=` });
      expect([status, body.code, Object.keys(body.data.params)]).toStrictEqual([
        400,
        'rest_invalid_param',
        [name],
      ]);
    });
  }
});

describe('Several parameters that do not fit', () => {
  const service = useService();
  const params = ({ body }: Answer) => Object.keys(body.data.params);
  /** The parameters of an endpoint in the order in which the descriptor declares them. */
  const declared = async (path: string, method: string): Promise<string[]> => {
    const { routes } = (await service().rest('GET', '')).body;
    const endpoint = routes[path].endpoints.find(({ methods }: { methods: string[] }) =>
      methods.includes(method),
    );
    return Object.keys(endpoint.args);
  };

  it('of a list are judged in two stages: context, page, per_page and search first', async () => {
    const get = async (query: string) =>
      params(await service().rest('GET', '/v1/posts', { query }));
    expect(await get('order=up&per_page=0')).toStrictEqual(['per_page']);
    expect(await get('order=up&search[]=x&sticky=no&per_page=0&page=0&context=x')).toStrictEqual([
      'context',
      'page',
      'per_page',
      'search',
    ]);
    expect(await get('sticky=no&order=up')).toStrictEqual(['order', 'sticky']);
  });

  it('of a list are all named, in the order of declaration', async () => {
    const order = await declared('/v1/posts', 'GET');
    const names = order.filter(
      (name) => !['context', 'page', 'per_page', 'search', 'status', 'slug'].includes(name),
    );
    const query = [...names]
      .reverse()
      .map((name) => `${name}=,x,!`)
      .join('&');
    const { status, body } = await service().rest('GET', '/v1/posts', { query });
    expect([status, Object.keys(body.data.params)]).toStrictEqual([400, names]);
    expect(Object.keys(body.data.details)).toStrictEqual(names);
    expect(body.message).toBe(`Invalid parameter(s): ${names.join(', ')}`);
    expect([body.code, body.data.status]).toStrictEqual(['rest_invalid_param', 400]);
  });

  it('of a write are all named in one stage, in the order of declaration', async () => {
    const order = await declared('/v1/posts', 'POST');
    const names = order.filter((name) => !['title', 'content', 'excerpt'].includes(name));
    const body = Object.fromEntries([...names].reverse().map((name) => [name, 1.5]));
    expect(params(await service().rest('POST', '/v1/posts', { as: 'editor', body }))).toStrictEqual(
      names,
    );
  });

  it('are named to the anonymous too', async () => {
    const body = { sticky: 'no', status: 'no' };
    expect(params(await service().rest('POST', '/v1/posts', { body }))).toStrictEqual([
      'status',
      'sticky',
    ]);
  });
});

describe('Sizes', () => {
  const service = useService();
  const make = (raw: string) =>
    service().rest('POST', '/v1/posts', {
      as: 'editor',
      raw: new TextEncoder().encode(raw),
      headers: json,
    });
  /** A JSON body of exactly so many bytes. */
  const padded = (size: number) => '{"title":"T"}'.padEnd(size);

  it('a body may have 2 MiB and no byte more', async () => {
    expect((await make(padded(2 * MIB))).status).toBe(201);
    const { status, body } = await make(padded(2 * MIB + 1));
    expect([status, body.code, body.data.status]).toStrictEqual([
      413,
      'rest_request_too_large',
      413,
    ]);
  });

  it('a body in pieces that never says its size may have no more either', async () => {
    const piece = Buffer.alloc(MIB, ' ');
    const answer = await raw(service().url, [
      'POST /api/v1/posts HTTP/1.1\r\nHost: x\r\nContent-Type: ' +
        'application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
      ...Array.from({ length: 3 }, () =>
        Buffer.concat([Buffer.from(`${MIB.toString(16)}\r\n`), piece, Buffer.from('\r\n')]),
      ),
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('content may have 1 MiB and no byte more', async () => {
    const content = async (text: string) =>
      said(
        await service().rest('POST', '/v1/posts', { as: 'editor', body: { content: text } }),
        'content',
      );
    expect(await content('x'.repeat(MIB))).toStrictEqual([201, undefined]);
    const refused = [
      'content must be a text of at most 1,048,576 bytes without NUL.',
      'rest_invalid_param',
      null,
    ];
    expect(await content('x'.repeat(MIB + 1))).toStrictEqual(refused);
    expect(await content('é'.repeat(MIB / 2))).toStrictEqual([201, undefined]);
    expect(await content(`${'é'.repeat(MIB / 2)}x`)).toStrictEqual(refused);
  });

  const LONG: [name: string, value: unknown][] = [
    ['title', 'x'.repeat(64 * 1024 + 1)],
    ['password', 'x'.repeat(256)],
    ['slug', 'x'.repeat(10_000)],
    ['template', 'x'.repeat(10_000)],
    ['meta', { footnotes: 'x'.repeat(MIB) }],
  ];
  for (const [name, value] of LONG) {
    it(`an over-long ${name} is 400`, async () => {
      const { status, body } = await service().rest('POST', '/v1/posts', {
        as: 'editor',
        body: { title: 'T', [name]: value },
      });
      expect([status, body.code, Object.keys(body.data?.params ?? {})]).toStrictEqual([
        400,
        'rest_invalid_param',
        [name],
      ]);
    });
  }

  it('an over-long search or slug of a list is refused or finds nothing', async () => {
    for (const name of ['search', 'slug', 'password', 'status', 'author', '_fields', '_embed']) {
      const { status } = await service().rest('GET', '/v1/posts', {
        query: `${name}=${'x'.repeat(10_000)}`,
      });
      expect(status === 200 || status === 400, `${name} gave ${status}`).toBe(true);
    }
  });

  it('a thousand terms are a list like others', async () => {
    const ids = Array.from({ length: 1000 }, (_, i) => i + 1);
    const made = await service().rest('POST', '/v1/posts', {
      as: 'editor',
      body: { title: 'T', status: 'publish', categories: ids, tags: ids },
    });
    expect([made.status, made.body.categories, made.body.tags]).toStrictEqual([201, [1], []]);
    for (const query of [`categories=${ids}`, `categories[terms]=${ids}`, `include=${ids}`]) {
      expect((await service().rest('GET', '/v1/posts', { query })).body.length).toBe(1);
    }
    const { body } = await service().rest('GET', '/v1/posts', {
      query: `categories[terms]=${ids}&categories[operator]=AND`,
    });
    expect(body).toStrictEqual([]);
  });
});

/**
 * Writes bytes on a connection of its own, which they ask to close, and answers what comes back
 * until its end.
 */
function raw(url: string, pieces: (string | Uint8Array)[]): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => {
      for (const piece of pieces) socket.write(piece);
    });
    socket.setEncoding('latin1').on('data', (text) => {
      answer += text;
    });
    socket.setTimeout(30_000, () => socket.destroy(new Error('No answer within 30 s')));
    socket
      .on('close', () => resolve(answer))
      .on('error', (error) => (answer ? resolve(answer) : reject(error)));
  });
}

describe('Any bytes', () => {
  const service = useService();
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 60 }).map((array) => Buffer.from(array));
  /** Bytes that do not end a line, so that they stay where they are put. */
  const inLine = bytes.map((buffer) =>
    Buffer.from(buffer.filter((byte) => byte !== 10 && byte !== 13)),
  );
  const answered = (answer: string) => expect(answer).toMatch(/^HTTP\/1\.1 [1-4]\d\d /);
  const runs = { numRuns: 60 };

  it('in a path are answered below 500', async () => {
    await fc.assert(
      fc.asyncProperty(
        inLine,
        fc.constantFrom('/api/v1/posts/', '/api/', '/v3/api/v1/posts?', '/', '/graphql'),
        async (path, before) => {
          answered(
            await raw(service().url, [
              `GET ${before}`,
              path,
              ' HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
            ]),
          );
        },
      ),
      runs,
    );
  });

  it('percent-encoded in a path or a query are answered below 500', async () => {
    const encoded = bytes.map((buffer) =>
      [...buffer].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    );
    const places = [
      '/v1/posts/',
      '/v1/posts?search=',
      '/v1/posts?slug=',
      '/v1/posts?_fields=',
      '/v1/posts?',
      '/v1/',
      '/v1/posts?after=',
    ];
    await fc.assert(
      fc.asyncProperty(encoded, fc.constantFrom(...places), async (text, place) => {
        const { status } = await service().fetch(`/api${place}${text}`, {});
        expect(status, `${status} for ${place}${text}`).toBeLessThan(500);
      }),
      runs,
    );
  });

  it('in a header are answered below 500', async () => {
    const names = [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'X-HTTP-Method-Override',
      'Origin',
      'Accept-Encoding',
      'Host',
      'X-Other',
    ];
    await fc.assert(
      fc.asyncProperty(inLine, fc.constantFrom(...names), async (value, name) => {
        const head = `POST /api/v1/posts HTTP/1.1\r\nConnection: close\r\nContent-Length: 2\r\n${name === 'Host' ? '' : 'Host: x\r\n'}${name}: `;
        answered(await raw(service().url, [head, value, '\r\n\r\n{}']));
      }),
      runs,
    );
  });

  it('in credentials are answered below 500', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, fc.constantFrom('Basic', 'Bearer'), async (credentials, scheme) => {
        const headers = { authorization: `${scheme} ${credentials.toString('base64')}` };
        const { status } = await service().rest('GET', '/v1/posts', { headers });
        expect(status).toBe(scheme === 'Basic' ? 200 : 401);
      }),
      runs,
    );
  });

  it('as a body are answered below 500', async () => {
    const types = [
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'multipart/form-data',
      'x',
    ];
    await fc.assert(
      fc.asyncProperty(bytes, fc.constantFrom(...types), async (body, type) => {
        const { status } = await service().rest('POST', '/v1/posts', {
          raw: new Uint8Array(body),
          headers: { 'content-type': type },
        });
        expect(status === 400 || status === 401, `${status} for ${type}`).toBe(true);
      }),
      runs,
    );
  });

  it('instead of a request are answered below 500, or not at all', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, async (garbage) => {
        const answer = await raw(service().url, [garbage, '\r\n\r\n']).catch(() => '');
        expect(answer).toMatch(/^$|^HTTP\/1\.1 [1-4]\d\d /);
      }),
      { numRuns: 30 },
    );
  });
});

describe('Broken texts', () => {
  const service = useService();
  const send = (sending: Sending) =>
    service().rest('POST', '/v1/posts', { as: 'editor', ...sending });

  it('UTF-8 that is broken is no JSON', async () => {
    const { status, body } = await send({
      raw: new Uint8Array(Buffer.from('{"title":"\xc3\x28"}', 'latin1')),
      headers: json,
    });
    expect([status, body.code, body.data.json_error_code]).toStrictEqual([
      400,
      'rest_invalid_json',
      5,
    ]);
  });

  it('UTF-8 that is broken in a form or a query becomes U+FFFD, or is refused', async () => {
    const made = await send({ raw: 'title=a%C3%28b', headers: form });
    expect(made.status === 400 || made.body.title.raw === 'a\uFFFD(b', made.text).toBe(true);
    expect(
      (await service().rest('GET', '/v1/posts', { query: 'search=%C3%28&slug=%ff' })).status,
    ).toBeLessThan(500);
  });

  it('surrogates that are alone are no JSON', async () => {
    const { status, body } = await send({ raw: '{"title":"\\ud800"}', headers: json });
    expect([status, body.code]).toStrictEqual([400, 'rest_invalid_json']);
  });

  for (const [name, text] of [
    ['lists', `{"title":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['lists that never end', `{"title":${'['.repeat(10_000)}`],
  ]) {
    it(`JSON of 10,000 ${name} is refused`, async () => {
      const answer = await send({ raw: text, headers: json });
      expect([answer.status, answer.body.code, answer.body.data.json_error_code]).toStrictEqual([
        400,
        'rest_invalid_json',
        1,
      ]);
    });
  }

  it('any JSON as any field of a post is made or refused, and what is refused leaves nothing', async () => {
    const names = [
      'date',
      'date_gmt',
      'slug',
      'status',
      'password',
      'title',
      'content',
      'author',
      'excerpt',
      'featured_media',
      'comment_status',
      'ping_status',
      'format',
      'meta',
      'sticky',
      'template',
      'categories',
      'tags',
      'id',
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.jsonValue({ maxDepth: 2 }),
        async (name, value) => {
          const before = await service().database.prisma.contentItem.count();
          const { status } = await send({ body: { title: 'T', content: 'c', [name]: value } });
          expect([201, 400, 404], `${status} for ${name}`).toContain(status);
          expect(await service().database.prisma.contentItem.count()).toBe(
            before + (status === 201 ? 1 : 0),
          );
        },
      ),
      { numRuns: 80 },
    );
  });
});

describe('Names of prototypes', () => {
  const service = useService();
  const send = (sending: Sending) =>
    service().rest('POST', '/v1/posts', { as: 'editor', ...sending });
  const clean = () => {
    const fresh = {} as Record<string, unknown>;
    expect([fresh.polluted, fresh.status, fresh.title, [].toString()]).toStrictEqual([
      undefined,
      undefined,
      undefined,
      '',
    ]);
  };

  for (const [name, raw] of [
    ['at the top', '{"title":"T","__proto__":{"status":"publish","polluted":1}}'],
    [
      'of a constructor',
      '{"title":"T","constructor":{"prototype":{"polluted":1,"status":"publish"}}}',
    ],
    [
      'below a field',
      '{"title":{"raw":"T","__proto__":{"polluted":1}},"meta":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
    ],
    ['below a list', '{"title":"T","categories":{"__proto__":{"polluted":1},"0":1}}'],
  ] as const) {
    it(`in JSON change nothing: ${name}`, async () => {
      const { status, body } = await send({ raw, headers: json });
      expect([status, body.status, body.title.raw]).toStrictEqual([201, 'draft', 'T']);
      clean();
      expect((await send({ body: { title: 'Next' } })).body.status).toBe('draft');
    });
  }

  it('in a form change nothing', async () => {
    const raw =
      'title=T&__proto__[status]=publish&__proto__[polluted]=1&constructor[prototype][polluted]=1&meta[__proto__][polluted]=1&__proto__=1';
    const { status, body } = await send({ raw, headers: form });
    expect([status, body.status]).toStrictEqual([201, 'draft']);
    clean();
  });

  it('in a query change nothing', async () => {
    await service().post();
    const query =
      '__proto__[per_page]=0&constructor[prototype][polluted]=1&include[__proto__][polluted]=1&categories[__proto__][terms]=9&toString=1';
    const { status, body } = await service().rest('GET', '/v1/posts', { query });
    expect(status === 400 || body.length === 1, JSON.stringify(body)).toBe(true);
    clean();
    expect((await service().rest('GET', '/v1/posts')).body.length).toBe(1);
  });

  it('name no parameter, no route and no field', async () => {
    const { id } = await service().post();
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(
        (await service().rest('GET', `/v1/posts/${id}`, { query: { _fields: name } })).body,
        name,
      ).toStrictEqual({});
      expect((await service().rest('GET', `/v1/${name}`)).status, name).toBe(404);
      expect(
        (await service().rest('GET', `/v1/posts/${id}`, { query: { _embed: name } })).status,
        name,
      ).toBe(200);
      expect(
        (await service().rest('GET', '/v1', { query: { namespace: name } })).status,
        name,
      ).toBe(404);
    }
  });
});

describe('Ids beyond what can be stored', () => {
  const service = useService();
  const HUGE = [
    '2147483648',
    '9007199254740993',
    '99999999999999999999',
    '-2147483648',
    '-99999999999999999999',
    '1e300',
  ];

  for (const id of HUGE) {
    it(`are unknown ones: ${id}`, async () => {
      await service().post();
      for (const name of [
        'include',
        'author',
        'slug',
        'categories',
        'tags',
        'categories[terms]',
        'parent',
      ]) {
        const { status, body } = await service().rest('GET', '/v1/posts', {
          query: { [name]: id },
        });
        expect(status, `${status} for ${name}`).toBe(200);
        expect(
          body.map(({ id: shown }: { id: number }) => shown),
          name,
        ).toStrictEqual(name === 'parent' ? [1] : []);
      }
      for (const name of [
        'exclude',
        'author_exclude',
        'categories_exclude',
        'tags_exclude[terms]',
      ]) {
        expect(
          (await service().rest('GET', '/v1/posts', { query: { [name]: id } })).body.length,
          name,
        ).toBe(1);
      }
    });

    it(`are beyond every page and offset: ${id}`, async () => {
      await service().post();
      const offset = await service().rest('GET', '/v1/posts', { query: { offset: id } });
      expect([offset.status, offset.body]).toStrictEqual([200, []]);
      const page = await service().rest('GET', '/v1/posts', { query: { page: id } });
      const code = id.startsWith('-') ? 'rest_invalid_param' : 'rest_post_invalid_page_number';
      expect([page.status, page.body.code]).toStrictEqual([400, code]);
    });

    it(`are nobody and nothing in a write: ${id}`, async () => {
      const write = async (body: object) => {
        const answer = await service().rest('POST', '/v1/posts', {
          as: 'editor',
          body: { title: 'T', ...body },
        });
        return [
          answer.status,
          answer.body.code ?? [
            answer.body.categories,
            answer.body.tags,
            answer.body.featured_media,
          ],
        ];
      };
      for (const value of [id, Number(id)]) {
        expect(await write({ author: value })).toStrictEqual([400, 'rest_invalid_author']);
        expect(
          await write({ categories: [value], tags: [value, 1], featured_media: value }),
        ).toStrictEqual([201, [[], [], 0]]);
      }
    });
  }
});

describe('Times beyond what can be stored', () => {
  const service = useService();
  const ENDS = [
    '9999-12-31T23:59:59-14:00',
    '9999-12-31T23:59:59Z',
    '0001-01-01T00:00:00+14:00',
    '0001-01-01T00:00:00',
    '0000-01-01T00:00:00',
  ];

  for (const time of ENDS) {
    it(`are a time or no time in a list: ${time}`, async () => {
      for (const name of ['after', 'before', 'modified_after', 'modified_before']) {
        const { status } = await service().rest('GET', '/v1/posts', { query: { [name]: time } });
        expect(status === 200 || status === 400, `${status} for ${name}`).toBe(true);
      }
    });

    it(`are stored so that they can be read, or not at all: ${time}`, async () => {
      for (const name of ['date', 'date_gmt']) {
        const made = await service().rest('POST', '/v1/posts', {
          as: 'editor',
          body: { title: 'T', status: 'publish', [name]: time },
        });
        expect(made.status === 201 || made.status === 400, `${made.status} for ${name}`).toBe(true);
        const list = await service().rest('GET', '/v1/posts', {
          as: 'editor',
          query: 'status=any&context=edit',
        });
        expect(list.status).toBe(200);
        if (made.status === 400) expect(list.body).toStrictEqual([]);
        else
          await service().rest('DELETE', `/v1/posts/${made.body.id}`, {
            as: 'editor',
            query: 'force=true',
          });
      }
    });
  }
});

describe('NUL', () => {
  const service = useService();
  const fine = (status: number, name: string, allowed: readonly number[]) =>
    expect(allowed, `${status} for ${name}`).toContain(status);

  it('in any parameter of a list is refused or finds nothing', async () => {
    const names = [
      'search',
      'slug',
      'password',
      'status',
      'after',
      'include',
      'order',
      'categories',
      'format',
      '_fields',
      '_embed',
      '_envelope',
      'context',
      'search_columns',
      'nonsense',
    ];
    for (const name of names) {
      for (const value of ['\0', 'a\0b'])
        fine(
          (await service().rest('GET', '/v1/posts', { query: { [name]: value } })).status,
          name,
          [200, 400],
        );
      fine(
        (await service().rest('GET', '/v1/posts', { query: { [`${name}[]`]: 'a\0b' } })).status,
        name,
        [200, 400],
      );
      fine(
        (await service().rest('GET', '/v1/posts', { query: { [`${name}\0`]: 'x' } })).status,
        name,
        [200],
      );
    }
  });

  it('in any field of a post is refused, or ignored where it is no text', async () => {
    const names = [
      'title',
      'content',
      'excerpt',
      'slug',
      'password',
      'template',
      'status',
      'format',
      'date',
    ];
    for (const name of names) {
      const { status, body } = await service().rest('POST', '/v1/posts', {
        as: 'editor',
        body: { title: 'T', [name]: 'a\0b' },
      });
      expect([status, body.code, Object.keys(body.data?.params ?? {})]).toStrictEqual([
        400,
        'rest_invalid_param',
        [name],
      ]);
    }
    const meta = { footnotes: 'a\0b' };
    expect(
      (await service().rest('POST', '/v1/posts', { as: 'editor', body: { title: 'T', meta } }))
        .status,
    ).toBe(400);
    expect(
      (
        await service().rest('POST', '/v1/posts', {
          as: 'editor',
          raw: 'title=a%00b',
          headers: form,
        })
      ).status,
    ).toBe(400);
  });

  it('in the name or the password of a sign-in is a wrong one', async () => {
    for (const body of [
      { username: 'a\0b', password: 'x' },
      { username: 'a', password: '\0' },
    ]) {
      fine(
        (await service().rest('POST', '/v1/login', { body })).status,
        JSON.stringify(body),
        [400, 401],
      );
    }
  });

  it('in a path names no route', async () => {
    for (const path of ['/v1/posts/%00', '/v1/posts%00', '/v1/posts/1%00', '/%00']) {
      expect((await service().rest('GET', path)).status, path).toBe(404);
    }
  });
});

describe('Texts that mean something elsewhere', () => {
  const service = useService();
  const NASTY = [
    `<script>alert(1)</script><img src=x onerror="alert('x')">`,
    `'; DROP TABLE content_item; --`,
    `" OR 1=1 /* \\ \\\\ \\' $1 %s %00 ? */`,
    '{{7*7}} <%= 7 %> #{7} {% 7 %}',
    '\u202eright to left 𝒳 ﷽ Z͑ͫ̓ 👩‍👩‍👧‍👦',
    'tab\tline\r\nend\u0001\u007f',
  ];

  for (const text of NASTY) {
    it(`come back from every text as they were stored: ${JSON.stringify(text).slice(0, 30)}`, async () => {
      const fields = {
        title: text,
        content: text,
        excerpt: text,
        password: text,
        meta: { footnotes: text },
      };
      const made = await service().post(fields);
      const { body } = await service().rest('GET', `/v1/posts/${made.id}`, {
        as: 'editor',
        query: { context: 'edit' },
      });
      expect([
        body.title.raw,
        body.content.raw,
        body.excerpt.raw,
        body.password,
        body.meta.footnotes,
      ]).toStrictEqual([text, text, text, text, text]);
    });
  }

  it('are searched as what they are', async () => {
    await service().post({ title: "100% sure_thing \\ quoted 'x'" });
    await service().post({ title: 'Something else' });
    const found = async (search: string) =>
      (await service().rest('GET', '/v1/posts', { query: { search } })).body.length;
    for (const search of ['100%', 'sure_thing', '\\', "'x'"])
      expect(await found(search), search).toBe(1);
    for (const search of [
      '1%0',
      'sure.thing',
      "' OR 1=1 --",
      "x'); DELETE FROM content_item; --",
      '%%%',
    ])
      expect(await found(search), search).toBe(0);
    expect((await service().rest('GET', '/v1/posts')).body.length).toBe(2);
  });

  it('are slugs, once what does not belong there is gone', async () => {
    for (const slug of [`'; DROP TABLE x; --`, '<b>Bold</b>', '../../etc/passwd', 'a/b?c#d']) {
      const { body } = await service().rest('POST', '/v1/posts', {
        as: 'editor',
        body: { title: 'T', slug },
      });
      expect(body.slug, slug).toMatch(/^[a-z0-9_%-]*$/);
    }
  });
});

describe('Bad input', () => {
  const service = useService();

  /** What there is: the number of rows of each table, and every post with its version. */
  async function state(): Promise<unknown> {
    const { prisma } = service().database;
    const counts = [
      prisma.account.count(),
      prisma.session.count(),
      prisma.contentItem.count(),
      prisma.contentTerm.count(),
      prisma.revision.count(),
      prisma.term.count(),
      prisma.idempotentChange.count(),
    ];
    return [
      await Promise.all(counts),
      await prisma.contentItem.findMany({ orderBy: { id: 'asc' } }),
    ];
  }

  it('changes nothing', async () => {
    const tag = await service().term('TAG', 'Sleep');
    const { id } = await service().post({ title: 'T', content: 'c', tags: [tag] });
    const protectedPost = await service().post({ password: 'secret' });
    await service().account('contributor');
    const item = `/v1/posts/${id}`;
    const refused: [method: string, path: string, sending: Sending, status: number][] = [
      ['POST', '/v1/posts', { body: { title: 'New', meta: { footnotes: 5 } } }, 400],
      ['POST', '/v1/posts', { body: { title: 'New', meta: 'x' } }, 400],
      ['POST', '/v1/posts', { body: { title: 'New', status: 'nonsense' } }, 400],
      ['POST', '/v1/posts', { body: { title: 'New', author: 99_999 } }, 400],
      ['POST', '/v1/posts', { body: { title: 'New', template: 'x.php' } }, 400],
      ['POST', '/v1/posts', { body: { title: 'New', sticky: true, password: 'x' } }, 400],
      ['POST', '/v1/posts', { body: { id, title: 'New' } }, 400],
      ['POST', '/v1/posts', { body: { title: '  ', content: '', excerpt: '0' } }, 400],
      ['POST', '/v1/posts', { raw: '{"title":"New"', headers: json }, 400],
      [
        'POST',
        '/v1/posts',
        { body: { title: 'New', status: 'nonsense' }, headers: { 'idempotency-key': 'k' } },
        400,
      ],
      ['POST', '/v1/posts', { as: 'contributor', body: { title: 'New', status: 'publish' } }, 403],
      ['POST', item, { body: { title: 'New', tags: ['x'] } }, 400],
      ['POST', item, { body: { title: 'New', meta: { footnotes: [] } } }, 400],
      ['PATCH', item, { body: { title: 'New', content: 'New', author: 99_999 } }, 400],
      ['PUT', item, { body: { title: '', content: '' } }, 400],
      ['POST', item, { as: 'contributor', body: { title: 'New' } }, 403],
      ['POST', item, { as: 'anonymous', body: { title: 'New' } }, 401],
      ['POST', `/v1/posts/${protectedPost.id}`, { body: { title: 'New', sticky: true } }, 400],
      ['DELETE', item, { query: { force: 'perhaps' } }, 400],
      ['DELETE', item, { as: 'contributor', query: { force: 'true' } }, 403],
      ['POST', item, { query: { _method: 'NONSENSE' }, body: { title: 'New' } }, 404],
      [
        'POST',
        '/batch/v1',
        { body: { requests: [{ path: '/v1/posts', body: { title: 'New' } }, { path: 5 }] } },
        400,
      ],
      [
        'POST',
        '/v1/login',
        { as: 'anonymous', body: { username: 'editor', password: 'wrong' } },
        401,
      ],
    ];
    const before = await state();
    for (const [method, path, sending, status] of refused) {
      const answer = await service().rest(method, path, { as: 'editor', ...sending });
      expect(answer.status, `${method} ${path} ${JSON.stringify(sending)}`).toBe(status);
      expect(await state(), `${method} ${path} ${JSON.stringify(sending)}`).toStrictEqual(before);
    }
  });

  it('of a wrong type in meta is told apart from parameters that do not fit', async () => {
    const { status, body } = await service().rest('POST', '/v1/posts', {
      as: 'editor',
      body: { title: 'T', meta: { footnotes: 5 } },
    });
    expect([status, body.code, body.message]).toStrictEqual([
      400,
      'rest_invalid_type',
      'meta.footnotes is not of type string.',
    ]);
  });
});
