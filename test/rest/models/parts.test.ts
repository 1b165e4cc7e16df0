import { makeItem } from '../../domains/models/modelling.js';
import type { Answer, Sending } from '../../support/harness.js';
import { useService } from '../../support/harness.js';

const as = 'administrator';

describe('Groups and fields of pods over REST (docs/behaviour.md 14.6)', () => {
  const service = useService();
  const call = (method: string, path: string, sending: Sending = {}): Promise<Answer> =>
    service().rest(method, `/models/v1${path}`, { as, ...sending });
  const post = async (path: string, body: object) => (await call('POST', path, { body })).body;
  let pod: number;
  let group: number;
  beforeEach(async () => {
    pod = (await post('/pods', { type: 'post_type', name: 'clinic' })).pod.id;
    group = (await post('/groups', { pod: 'clinic', label: 'Extra Info' })).group.id;
  });
  const field = (body: object) =>
    post('/fields', { pod: 'clinic', label: 'Street', type: 'text', ...body });

  it('have their properties in order, then their options', async () => {
    const text = JSON.stringify(
      await post('/groups', {
        pod_id: String(pod),
        name: 'Two',
        label: 'Second',
        args: '{"meta_box_context":"side"}',
        type: 'x',
      }),
    );
    expect(JSON.parse(text)).toStrictEqual({
      group: {
        object_type: 'group',
        object_storage_type: 'post_type',
        name: 'two',
        id: group + 1,
        parent: pod,
        label: 'Second',
        description: '',
        weight: 1,
        type: 'x',
        meta_box_context: 'side',
      },
    });
    const made = await field({
      group_id: String(group),
      name: 'Street',
      args: { required: true, n: 5 },
    });
    expect(JSON.stringify(made)).toBe(
      JSON.stringify({
        field: {
          object_type: 'field',
          object_storage_type: 'post_type',
          name: 'street',
          id: made.field.id,
          parent: pod,
          group: String(group),
          label: 'Street',
          description: '',
          weight: 0,
          type: 'text',
          required: '1',
          n: '5',
        },
      }),
    );
  });

  it('belong to a pod by its number, as text or number, or by its name', async () => {
    expect((await post('/groups', { pod_id: pod, label: 'a' })).group.parent).toBe(pod);
    expect((await field({ pod: undefined, pod_id: pod })).field).toMatchObject({
      parent: pod,
      group: '',
    });
    const wrong = async (path: string, body: object) => {
      const { code, data } = await post(path, { label: 'x', type: 'text', ...body });
      return [data.status, code, Object.keys(data.params ?? {})];
    };
    for (const path of ['/groups', '/fields']) {
      expect(await wrong(path, {})).toStrictEqual([
        400,
        'rest-object-not-added-fields-required',
        [],
      ]);
      expect(await wrong(path, { pod: 'nothing' })).toStrictEqual([
        400,
        'rest_invalid_param',
        ['pod'],
      ]);
      expect(await wrong(path, { pod_id: '4711' })).toStrictEqual([
        400,
        'rest_invalid_param',
        ['pod_id'],
      ]);
      expect(await wrong(path, { pod: 'clinic', label: '' })).toStrictEqual([
        400,
        'rest-object-not-added-fields-required',
        [],
      ]);
    }
  });

  it('of a pod have names of their own: cleaned, not reserved, not twice', async () => {
    expect((await field({ name: 'My Field!' })).field.name).toBe('my_field');
    expect((await field({ name: 'my_field' })).code).toBe('rest-object-not-added-already-exists');
    expect((await post('/groups', { pod: 'clinic', label: 'Extra Info' })).code).toBe(
      'rest-object-not-added-already-exists',
    );
    expect((await field({ name: 'post_title' })).data.params).toHaveProperty('name');
  });

  it('are in a group by its number or name, and move to another', async () => {
    expect((await field({ name: 'a', group: 'extra_info' })).field.group).toBe(String(group));
    expect((await field({ name: 'b', group: 'nothing' })).data).toStrictEqual({
      status: 400,
      params: { group: 'Invalid parameter.' },
      details: [],
    });
    expect((await field({ name: 'b', group_id: 4711 })).data.params).toHaveProperty('group_id');
    const { group: other } = await post('/groups', { pod: 'clinic', label: 'Other' });
    const move = async (body: object) => post('/pods/clinic/fields/a', body);
    expect((await move({ new_group: 'other' })).field.group).toBe(String(other.id));
    expect((await move({ new_group_id: group, label: 'A' })).field).toMatchObject({
      group: String(group),
      label: 'A',
    });
    expect((await move({ new_group: 'zzz' })).data.params).toStrictEqual({
      new_group: 'Invalid parameter.',
    });
  });

  it('are read within their pod', async () => {
    await post('/pods', { type: 'post_type', name: 'city' });
    await post('/groups', { pod: 'city', name: 'extra_info', label: 'City' });
    await field({ group_id: group });
    const read = async (path: string, query = '') => (await call('GET', path, { query })).body;
    expect((await read('/pods/city/groups/extra_info')).group.label).toBe('City');
    const { group: shown } = await read('/pods/clinic/groups/extra_info', 'include_fields=true');
    expect(shown.fields.map(({ name }: { name: string }) => name)).toStrictEqual(['street']);
    expect((await read('/pods/clinic/fields/nothing')).code).toBe('rest-object-not-found');
    expect((await read('/pods/nothing/fields/street')).data.params).toStrictEqual({
      pod: 'Invalid parameter.',
    });
  });

  it('are listed in the forms of their own, filtered also by pod and group', async () => {
    const { field: a } = await field({ name: 'a', group_id: group, args: { required: '1' } });
    const { field: b } = await field({ name: 'b', type: 'number' });
    const fields = async (query: string) => (await call('GET', '/fields', { query })).body.fields;
    expect(await fields('return_type=names')).toStrictEqual(['a', 'b']);
    expect(await fields('return_type=names_ids')).toStrictEqual(['a', 'b']);
    expect(await fields('return_type=ids')).toStrictEqual([a.id, b.id]);
    expect(await fields('return_type=count')).toBe(2);
    expect(await fields('return_type=key_names')).toStrictEqual([a, b]);
    expect(await fields('types=number')).toStrictEqual([b]);
    expect(await fields('args[required]=1')).toStrictEqual([a]);
    expect(await fields('pod=clinic&group=extra_info')).toStrictEqual([a]);
    expect(await fields('pod=nothing')).toStrictEqual([]);
    const [{ parent_data }] = await fields(`ids=${a.id}&include_parent=1`);
    expect(parent_data).toMatchObject({ object_type: 'pod', name: 'clinic' });
    const groups = async (query: string) => (await call('GET', '/groups', { query })).body.groups;
    expect(await groups('return_type=names&pod=clinic')).toStrictEqual(['extra_info']);
    expect(await groups('ids=abc')).toStrictEqual([]);
  });

  it('are updated by number and by name', async () => {
    const { field: made } = await field({ name: 'a' });
    expect(
      (await post(`/fields/${made.id}`, { name: 'b', type: 'anything', args: { x: 'y' } })).field,
    ).toMatchObject({
      name: 'b',
      old_name: 'a',
      type: 'anything',
      x: 'y',
    });
    expect((await post('/pods/clinic/fields/b', { new_name: 'c', help: 'h' })).field).toMatchObject(
      {
        name: 'c',
        help: 'h',
      },
    );
    expect(
      (await post('/pods/clinic/groups/extra_info', { new_name: 'more', label: 'More' })).group,
    ).toMatchObject({
      name: 'more',
      old_name: 'extra_info',
      label: 'More',
    });
    expect((await post(`/groups/${group}`, { type: 'x', args: { y: 1 } })).group).toMatchObject({
      type: 'x',
      y: '1',
    });
  });

  it('do not lose values of items', async () => {
    const { field: made } = await field({ name: 'a' });
    await makeItem(service(), pod, { a: 'words' });
    const answer = await call('PUT', `/fields/${made.id}`, { body: { type: 'number' } });
    expect([answer.status, answer.body.code, answer.body.data.lost]).toStrictEqual([
      409,
      'rest-object-would-lose-values',
      1,
    ]);
  });

  it('go with values of items only when that is allowed', async () => {
    const { field: a } = await field({ name: 'a', group_id: group });
    await field({ name: 'b' });
    await makeItem(service(), pod, { a: 'words', b: 'words' });
    const told = async (method: string, path: string, sending = {}) => {
      const { status, body } = await call(method, path, sending);
      return [status, body.code ?? body.status ?? body.field.type, body.data?.lost];
    };
    const refused = [409, 'rest-object-would-lose-values', 1];
    for (const path of [`/fields/${a.id}`, '/pods/clinic/fields/a', '/pods/clinic/fields/b'])
      expect(await told('DELETE', path), path).toStrictEqual(refused);
    for (const path of [`/groups/${group}`, '/pods/clinic/groups/extra_info'])
      expect(await told('DELETE', path), path).toStrictEqual(refused);
    const number = { type: 'number', max_lost: 1 };
    const retyped = await told('PUT', '/pods/clinic/fields/b', { body: number });
    expect(retyped).toStrictEqual([200, 'number', undefined]);
    const allowed = await told('DELETE', `/groups/${group}`, { query: { max_lost: '1' } });
    expect(allowed).toStrictEqual([200, 'deleted', undefined]);
  });

  it('are deleted; with a group go its fields', async () => {
    const { field: a } = await field({ name: 'a', group_id: group });
    await field({ name: 'b' });
    expect(await (await call('DELETE', `/groups/${group}`)).body).toStrictEqual({
      status: 'deleted',
    });
    expect((await call('GET', `/fields/${a.id}`)).body.data).toStrictEqual({
      status: 400,
      params: { id: 'Invalid parameter.' },
      details: [],
    });
    expect((await call('DELETE', '/pods/clinic/fields/b')).body).toStrictEqual({
      status: 'deleted',
    });
    expect((await call('DELETE', '/pods/clinic/fields/b')).status).toBe(404);
  });

  it('are for administrators', async () => {
    const answer = await call('POST', '/groups', {
      as: 'editor',
      body: { pod: 'clinic', label: 'x' },
    });
    expect([answer.status, answer.body.code]).toStrictEqual([403, 'rest_forbidden']);
    const anonymous = await call('GET', '/fields', { as: 'anonymous' });
    expect([anonymous.status, anonymous.headers.get('allow')]).toStrictEqual([401, null]);
  });
});
