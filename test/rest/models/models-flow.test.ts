import type { Answer, Sending } from '../../support/harness.js';
import { useService } from '../../support/harness.js';

const service = useService();

/** Types of definitions, as 2.7 of the specification lists them for each edition. */
const KINDS = {
  A: 'post_type taxonomy user media comment settings pod table',
  B: 'post_type taxonomy cpt ct user media comment pod settings internal',
};
/** Types of fields, as 2.7 lists them. */
const TYPES =
  'text website phone email password paragraph wysiwyg code datetime date time number currency ' +
  'file avatar oembed pick boolean color slug heading html';
const RETURN_TYPES = ['full', 'names', 'names_ids', 'ids', 'key_names', 'count'];

/** Somebody who knows docs/interface.md 4.4 and its examples alone. */
class Stranger {
  constructor(private readonly edition: 'A' | 'B') {}

  /** Asks as the administrator, and expects a status. Returns the body. */
  async ask(
    method: string,
    path: string,
    sending: Sending = {},
    status = 200,
  ): Promise<Answer['body']> {
    const whole: Sending = { as: 'administrator', edition: this.edition, ...sending };
    const answer = await service().rest(method, `/models/v1${path}`, whole);
    const said = `${method} ${path} ${JSON.stringify(sending)}: ${answer.text.slice(0, 300)}`;
    expect([answer.status, said]).toStrictEqual([status, said]);
    return answer.body;
  }

  get = (path: string, query: Record<string, string> = {}) => this.ask('GET', path, { query });
  post = (path: string, body: object) => this.ask('POST', path, { body });
  form = (path: string, fields: Record<string, string>) =>
    this.ask('POST', path, {
      raw: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
}

describe.each(['A', 'B'] as const)('A stranger to edition %s', (edition) => {
  const stranger = new Stranger(edition);
  const { get, post, form } = stranger;

  /** A definition with two groups and a field. */
  async function clinic() {
    const { pod } = await post('/pods', { name: 'clinic', type: 'post_type', label: 'Clinics' });
    const { group } = await post('/groups', { pod: 'clinic', name: 'details', label: 'Details' });
    const { group: second } = await form('/groups', { pod_id: String(pod.id), label: 'More info' });
    const sent = { pod: 'clinic', group_id: String(group.id), name: 'street', label: 'Street' };
    const { field } = await post('/fields', { ...sent, type: 'text', args: { required: '1' } });
    return { pod, group, second, field };
  }

  it('makes definitions of every type of the edition, and finds them by it', async () => {
    const kinds = KINDS[edition].split(' ');
    for (const type of kinds) {
      const texts = { label: `All ${type}`, label_singular: 'One', menu_name: 'M' };
      const name = `x${type.replace('_', '')}`;
      const body = { name, type, ...texts, menu_location: 'settings', storage: 'meta' };
      const { pod } = await post('/pods', body);
      expect(pod).toMatchObject({ name, type, label: `All ${type}`, label_singular: 'One' });
      expect((await get('/pods', { types: type, return_type: 'names' })).pods).toStrictEqual([
        name,
      ]);
    }
    const other = edition === 'A' ? 'cpt' : 'table';
    await stranger.ask('POST', '/pods', { body: { name: 'y', type: other } }, 400);
    const { pods } = await get('/pods', { return_type: 'count' });
    expect(pods).toBe(kinds.length);
  });

  it('makes fields of every type, and lists fields and groups in each form', async () => {
    const { pod, group, second } = await clinic();
    const types = TYPES.split(' ');
    for (const type of types) {
      const belonging = { pod_id: String(pod.id), group: 'details' };
      const { field } = await post('/fields', {
        ...belonging,
        name: `f_${type}`,
        label: 'F',
        type,
      });
      expect(field).toMatchObject({
        name: `f_${type}`,
        type,
        parent: pod.id,
        group: `${group.id}`,
      });
    }
    const forms: Record<string, unknown> = {};
    for (const return_type of RETURN_TYPES) {
      const { fields } = await get('/fields', { return_type, ids: '', types: 'phone' });
      forms[return_type] = Array.isArray(fields) ? fields[0] : fields;
      expect((await get('/groups', { return_type, ids: `${second.id}` })).groups).toBeDefined();
    }
    const phone = { name: 'f_phone', type: 'phone' };
    expect(forms).toMatchObject({ full: phone, key_names: phone, names: 'f_phone', count: 1 });
    expect([forms.names_ids, typeof forms.ids]).toStrictEqual(['f_phone', 'number']);
    const { fields } = await get('/fields', { 'args[required]': '1', include_parent: 'true' });
    expect(fields).toMatchObject([{ name: 'street', parent_data: { name: 'clinic' } }]);
  });

  it('reads a definition by its number and its name, with its parts when asked', async () => {
    const { pod, group } = await clinic();
    for (const path of [`/pods/${pod.id}`, '/pods/clinic']) {
      expect(Object.keys((await get(path)).pod)).not.toContain('fields');
      const { pod: whole } = await get(path, { include_fields: 'true', include_groups: '1' });
      expect(whole).toMatchObject({ name: 'clinic', fields: [{ name: 'street' }] });
      expect(whole.groups.map(({ name }: { name: string }) => name)).toStrictEqual([
        'details',
        'more_info',
      ]);
    }
    const inGroups = { include_groups: 'true', include_group_fields: 'true' };
    const { pod: nested } = await get(`/pods/${pod.id}`, inGroups);
    expect(nested.groups[0]).toMatchObject({ id: group.id, fields: [{ name: 'street' }] });
    for (const path of [`/groups/${group.id}`, '/pods/clinic/groups/details'])
      expect((await get(path, { include_fields: 'true' })).group).toMatchObject({
        name: 'details',
        fields: [{ name: 'street' }],
      });
  });

  it('changes each of them by POST, PUT and PATCH, by number and by name', async () => {
    const { pod, group, field } = await clinic();
    const places = [
      ['pod', `/pods/${pod.id}`],
      ['pod', '/pods/clinic'],
      ['group', `/groups/${group.id}`],
      ['group', '/pods/clinic/groups/details'],
      ['field', `/fields/${field.id}`],
      ['field', '/pods/clinic/fields/street'],
    ] as const;
    for (const [what, path] of places)
      for (const method of ['POST', 'PUT', 'PATCH']) {
        const label = `${method} ${path}`;
        const body = await stranger.ask(method, path, { body: { label, args: { hint: method } } });
        expect(body[what]).toMatchObject({ label, hint: method });
        expect((await get(path))[what].label).toBe(label);
      }
    expect((await post(`/fields/${field.id}`, { type: 'paragraph' })).field.type).toBe('paragraph');
    expect((await post(`/groups/${group.id}`, { type: 'meta' })).group.type).toBe('meta');
  });

  it('renames them, and moves a field to another group', async () => {
    const { pod, group, second, field } = await clinic();
    const inClinic = (what: string, name: string) => `/pods/clinic/${what}/${name}`;
    const renamed = async (path: string, body: object, what: string) => {
      const { name, old_name } = (await post(path, body))[what];
      return [old_name, name];
    };
    // A body that is sent back as it was read names what it is as well.
    expect(
      await renamed(inClinic('fields', 'street'), { ...field, new_name: 'road' }, 'field'),
    ).toStrictEqual(['street', 'road']);
    expect(await renamed(`/fields/${field.id}`, { name: 'lane' }, 'field')).toStrictEqual([
      'road',
      'lane',
    ]);
    const moved = await post(inClinic('fields', 'lane'), { new_group: 'more_info' });
    expect(moved.field.group).toBe(`${second.id}`);
    const back = await post(inClinic('fields', 'lane'), { new_group_id: group.id });
    expect(back.field.group).toBe(`${group.id}`);
    expect(
      await renamed(inClinic('groups', 'more_info'), { ...second, new_name: 'rest' }, 'group'),
    ).toStrictEqual(['more_info', 'rest']);
    expect(await renamed(`/groups/${second.id}`, { name: 'last' }, 'group')).toStrictEqual([
      'rest',
      'last',
    ]);
    expect(await renamed('/pods/clinic', { ...pod, new_name: 'practice' }, 'pod')).toStrictEqual([
      'clinic',
      'practice',
    ]);
    expect(await renamed(`/pods/${pod.id}`, { name: 'surgery' }, 'pod')).toStrictEqual([
      'practice',
      'surgery',
    ]);
    await stranger.ask('GET', '/pods/clinic', {}, 404);
  });

  it('deletes each of them by number and by name, after which there is none', async () => {
    const deleted = { status: 'deleted' };
    for (const byName of [false, true]) {
      const { pod, group, field } = await clinic();
      const paths = byName
        ? ['/pods/clinic/fields/street', '/pods/clinic/groups/details', '/pods/clinic']
        : [`/fields/${field.id}`, `/groups/${group.id}`, `/pods/${pod.id}`];
      for (const path of paths) {
        expect(await stranger.ask('DELETE', path, { query: { delete_all: '1' } })).toStrictEqual(
          deleted,
        );
        await stranger.ask('DELETE', path, {}, byName ? 404 : 400);
      }
      expect((await get('/pods', { return_type: 'count' })).pods).toBe(0);
    }
  });

  it('reads the document of what is defined, and the index, without an account', async () => {
    await clinic();
    const as = 'anonymous';
    const doc = await stranger.ask('GET', '/doc', { as });
    expect([doc.openapi, Object.keys(doc.paths).length]).toStrictEqual(['3.1.0', 8]);
    const index = await stranger.ask('GET', '', { as });
    const key = (path: string) => `/models/v1${path}`;
    expect(Object.keys(index.routes)).toContain(key('/doc'));
    await stranger.ask('GET', '/pods', { as }, 401);
    await stranger.ask('GET', '/pods', { as: 'editor' }, 403);
  });
});
