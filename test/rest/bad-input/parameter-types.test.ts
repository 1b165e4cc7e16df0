import { type Caller, useService } from '../../support/harness.js';
import { said } from '../wire.js';

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
