import type { Answer, Sending } from '../../support/harness.js';
import { useService } from '../../support/harness.js';

const as = 'administrator';

describe('Pods over REST (docs/behaviour.md 14)', () => {
  const service = useService();
  const call = (method: string, path: string, sending: Sending = {}): Promise<Answer> =>
    service().rest(method, `/models/v1${path}`, { as, ...sending });
  const create = async (body: object, edition: 'A' | 'B' = 'A') =>
    (await call('POST', '/pods', { body, edition })).body;

  it('are made with the options of their type, in order', async () => {
    const body = {
      name: 'clinic',
      type: 'post_type',
      label: 'Clinics',
      label_singular: 'Clinic',
      menu_name: 'Clin',
    };
    const answer = await call('POST', '/pods', { body });
    expect([
      answer.status,
      answer.headers.get('allow'),
      answer.headers.get('location'),
    ]).toStrictEqual([200, 'GET, POST', null]);
    expect(answer.text).toBe(
      JSON.stringify({
        pod: {
          object_type: 'pod',
          object_storage_type: 'post_type',
          name: 'clinic',
          id: answer.body.pod.id,
          label: 'Clinics',
          description: '',
          type: 'post_type',
          storage: 'meta',
          label_singular: 'Clinic',
          public: '1',
          show_ui: '1',
          publicly_queryable: '0',
          dynamic_features_allow: 'inherit',
          rest_enable: '1',
          supports_title: '1',
          supports_editor: '1',
        },
      }).replaceAll('/', '\\/'),
    );
  });

  it.each([
    ['taxonomy', 'none', 'none', { hierarchical: '1', rest_enable: '1' }],
    ['pod', 'meta', 'table', { public: '0', pod_index: 'name' }],
    ['settings', 'meta', 'meta', { menu_name: 'Things' }],
    ['user', 'none', 'table', {}],
    ['media', 'meta', 'table', {}],
    ['comment', 'meta', 'table', {}],
  ])(
    'of type %s report their own storage and options',
    async (type, storage, reported, options) => {
      const { pod } = await create({ type, label: 'Things', storage });
      expect(pod).toMatchObject({
        name: 'things',
        label: 'Things',
        type,
        storage: reported,
        ...options,
      });
    },
  );

  it('of settings have the place in the menu that was sent', async () => {
    const { pod } = await create({ type: 'settings', label: 'Things', menu_location: 'tools' });
    expect(pod).toMatchObject({ menu_name: 'Things', menu_location: 'tools' });
  });

  it('have the types of their edition', async () => {
    for (const [type, own, other] of [
      ['table', 'A', 'B'],
      ['cpt', 'B', 'A'],
      ['ct', 'B', 'A'],
      ['internal', 'B', 'A'],
    ] as const) {
      expect((await create({ type, label: type }, own)).pod.type).toBe(type);
      expect((await create({ type, label: 'x' }, other)).data.params).toHaveProperty('type');
    }
  });

  it('get a cleaned name: of the name with hyphens, of the label with underscores', async () => {
    expect((await create({ type: 'post_type', label: 'Label Onlys' })).pod).toMatchObject({
      name: 'label_onlys',
      label_singular: 'Label Onlys',
    });
    expect((await create({ type: 'post_type', name: 'My Clínic, old!' })).pod).toMatchObject({
      name: 'my-clinic-old',
      label: 'My Clínic, old!',
    });
  });

  it('need a type, and a name or a label that no other has', async () => {
    const refused = async (body: object) => {
      const { status, body: answer } = await call('POST', '/pods', { body });
      return [status, answer.code, answer.data.params];
    };
    expect(await refused({ label: 'x' })).toStrictEqual([
      400,
      'rest_missing_callback_param',
      ['type'],
    ]);
    expect(await refused({ type: 'post_type' })).toStrictEqual([
      400,
      'rest-object-not-added-fields-required',
      undefined,
    ]);
    await create({ type: 'post_type', name: 'clinic' });
    expect((await refused({ type: 'pod', name: 'Clinic' }))[1]).toBe(
      'rest-object-not-added-already-exists',
    );
    const named = await refused({ type: 'pod', name: '!' });
    expect(named).toMatchObject([400, 'rest_invalid_param', { name: expect.any(String) }]);
  });

  it('have no name of what the service has itself, unless they extend it', async () => {
    for (const [type, name] of [
      ['post_type', 'page'],
      ['taxonomy', 'category'],
    ]) {
      const { status, body } = await call('POST', '/pods', { body: { type, name } });
      expect([status, body.code]).toStrictEqual([409, 'rest-object-not-added-already-exists']);
      const extending = { type, name, mode: 'extend' };
      expect((await call('POST', '/pods', { body: extending })).status).toBe(200);
      expect((await call('POST', `/pods/${name}`, { body: { label: 'x' } })).status).toBe(200);
    }
    const { pod } = await create({ type: 'post_type', name: 'clinic' });
    const renamed = await call('POST', `/pods/${pod.id}`, { body: { name: 'healthcare' } });
    expect(renamed.status).toBe(409);
  });

  it('extend what there is, once', async () => {
    const body = { mode: 'extend', type: 'taxonomy', name: 'category' };
    expect((await create(body)).pod).toMatchObject({
      name: 'category',
      label: 'Categories',
      type: 'taxonomy',
      storage: 'meta',
      object: 'category',
    });
    expect((await create(body)).code).toBe('rest-object-not-added-already-exists');
    const settings = await call('POST', '/pods', { body: { ...body, type: 'settings' } });
    expect([settings.status, settings.body.code]).toStrictEqual([
      400,
      'rest-object-extend-type-not-supported',
    ]);
  });

  it('of type pod begin with a group of usual fields', async () => {
    await create({ type: 'pod', name: 'thing' });
    const query = 'include_groups=1&include_group_fields=true';
    const { pod } = (await call('GET', '/pods/thing', { query })).body;
    expect(pod.fields).toBeUndefined();
    expect(pod.groups).toHaveLength(1);
    expect(pod.groups[0].fields.map(({ name }: { name: string }) => name)).toStrictEqual([
      'name',
      'created',
      'modified',
      'author',
      'permalink',
    ]);
  });

  it('are listed by label, filtered by type, id and options', async () => {
    const { pod: b } = await create({ type: 'post_type', name: 'b', label: 'Beta' });
    const { pod: a } = await create({
      type: 'taxonomy',
      name: 'a',
      label: 'Alpha',
      storage: 'table',
    });
    const pods = async (query: string) => (await call('GET', '/pods', { query })).body.pods;
    expect(await pods('return_type=names')).toStrictEqual(['a', 'b']);
    expect(await pods('return_type=ids')).toStrictEqual([a.id, b.id]);
    expect(await pods('return_type=count')).toBe(2);
    expect((await pods('')).map(({ label }: { label: string }) => label)).toStrictEqual([
      'Alpha',
      'Beta',
    ]);
    expect(await pods('types=taxonomy,settings&return_type=names')).toStrictEqual(['a']);
    expect(await pods('types[]=nothing')).toStrictEqual([]);
    expect(await pods(`ids=${b.id},4711&return_type=names`)).toStrictEqual(['b']);
    expect(await pods('ids=abc')).toStrictEqual([]);
    expect(await pods('ids=&types=&return_type=count')).toBe(2);
    expect(await pods('args[storage]=table&return_type=names')).toStrictEqual(['a']);
    expect(
      await pods(`args=${encodeURIComponent('{"storage":"meta"}')}&return_type=names`),
    ).toStrictEqual(['b']);
    expect(await pods('args=table')).toStrictEqual([]);
    expect(await pods('args[storage][of][it]=table')).toStrictEqual([]);
    for (const query of ['return_type=names_ids', 'return_type='])
      expect((await call('GET', '/pods', { query })).body.data.params).toHaveProperty(
        'return_type',
      );
  });

  it('are updated in part: label, name, options, and further fields of the body', async () => {
    const { pod } = await create({ type: 'post_type', name: 'clinic' });
    const update = async (body: object, path = `/pods/${pod.id}`) =>
      (await call('PATCH', path, { body })).body.pod;
    expect(await update({})).toStrictEqual(pod);
    expect(await update({ label: '', args: { description: 'Where', extra: true } })).toMatchObject({
      label: 'clinic',
      description: 'Where',
      extra: '1',
    });
    expect(await update({ args: '{"extra": 5}', label_singular: 'One', id: 4711 })).toMatchObject({
      id: pod.id,
      extra: '5',
      label_singular: 'One',
    });
    expect(await update({ new_name: 'Practice', label: 'P' }, '/pods/CLINIC')).toMatchObject({
      name: 'practice',
      old_name: 'clinic',
      label: 'P',
    });
    expect(await update({ name: 'clinic' })).toMatchObject({
      name: 'clinic',
      old_name: 'practice',
    });
    await create({ type: 'post_type', name: 'taken' });
    const taken = await call('POST', '/pods/clinic', { body: { new_name: 'taken' } });
    expect([taken.status, taken.body.code]).toStrictEqual([
      409,
      'rest-object-not-added-already-exists',
    ]);
  });

  it('are deleted with their groups and fields', async () => {
    const { pod } = await create({ type: 'pod', name: 'thing' });
    const answer = await call('DELETE', '/pods/thing', { query: 'delete_all=true' });
    expect([answer.status, answer.body]).toStrictEqual([200, { status: 'deleted' }]);
    expect((await call('GET', '/fields', { query: 'return_type=count' })).body.fields).toBe(0);
    const again = await call('DELETE', `/pods/${pod.id}`);
    expect([again.status, again.body.code, again.body.data]).toStrictEqual([
      400,
      'rest_invalid_param',
      { status: 400, params: { id: 'Invalid parameter.' }, details: [] },
    ]);
    expect((await create({ type: 'pod', name: 'thing' })).pod.id).not.toBe(pod.id);
  });

  it('are unknown by a number before the right is asked, by a name after it', async () => {
    const status = async (path: string, caller: Sending['as'], method = 'GET') => {
      const { status, body } = await call(method, path, { as: caller ?? as });
      return [status, body.code];
    };
    expect(await status('/pods/4711', 'anonymous')).toStrictEqual([400, 'rest_invalid_param']);
    expect(await status('/pods/nothing', 'anonymous')).toStrictEqual([401, 'rest_forbidden']);
    expect(await status('/pods/nothing', 'editor', 'DELETE')).toStrictEqual([
      403,
      'rest_forbidden',
    ]);
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect(await status('/pods/nothing', as, method)).toStrictEqual([
        404,
        'rest-object-not-found',
      ]);
  });

  it('do not take the number of a group or a field for that of a pod', async () => {
    await create({ type: 'pod', name: 'thing' });
    const { groups } = (await call('GET', '/groups')).body;
    expect((await call('GET', `/pods/${groups[0].id}`)).status).toBe(400);
    expect((await call('GET', `/fields/${groups[0].id}`)).status).toBe(400);
  });

  it('are described as OpenAPI 3.1, with what items of public ones hold', async () => {
    const { pod } = await create({ type: 'post_type', name: 'clinic' });
    const field = (body: object) =>
      call('POST', '/fields', { body: { pod: 'clinic', label: 'x', ...body } });
    await field({ name: 'beds', type: 'number', args: { required: true, number_min: 1 } });
    await field({
      name: 'kind',
      type: 'pick',
      args: { pick_object: 'custom-simple', pick_custom: 'day\nnight', pick_format_type: 'multi' },
    });
    const doc = (caller: Sending['as'] = 'anonymous', edition: 'A' | 'B' = 'A') =>
      call('GET', '/doc', { as: caller, edition });
    const { status, body, headers } = await doc();
    expect([status, body.openapi, headers.get('allow')]).toStrictEqual([200, '3.1.0', 'GET']);
    expect(Object.keys(body.paths).sort()).toStrictEqual([
      '/fields',
      '/fields/{id}',
      '/groups',
      '/groups/{id}',
      '/pods',
      '/pods/{id_or_slug}',
      '/pods/{pod}/fields/{slug}',
      '/pods/{pod}/groups/{slug}',
    ]);
    expect(body.servers).toStrictEqual([{ url: `${service().url}/api/models/v1` }]);
    // Names of models are lower case, those of what the routes answer begin upper case.
    const models = Object.keys(body.components.schemas).filter((name) => !/^[A-Z]/.test(name));
    expect(models).toStrictEqual([]);
    expect((await doc(as)).body.components.schemas.clinic).toStrictEqual({
      type: 'object',
      title: 'clinic',
      properties: {
        beds: { title: 'x', type: 'number', minimum: 1 },
        kind: {
          title: 'x',
          type: 'array',
          items: { type: 'string', enum: ['day', 'night'] },
          maxItems: 100,
          uniqueItems: true,
        },
      },
      required: ['beds'],
      additionalProperties: false,
    });
    await call('POST', `/pods/${pod.id}`, { body: { publicly_queryable: true } });
    expect((await doc('anonymous', 'B')).body.components.schemas).toHaveProperty('clinic');
    const operations = Object.values(
      body.paths as Record<string, Record<string, { operationId: string }>>,
    )
      .flatMap((path) => Object.values(path))
      .map(({ operationId }) => operationId);
    expect(new Set(operations).size).toBe(operations.length);
  });
});
