import { type Caller, useService } from '../../support/harness.js';
import { EDITIONS, failed } from '../wire.js';

describe('The root', () => {
  const service = useService();
  const root = async (edition: 'A' | 'B' = 'A', query = '') =>
    (await service().rest('GET', '', { edition, query })).body;

  it('describes the site, in this order', async () => {
    expect(Object.keys(await root())).toStrictEqual([
      'name',
      'description',
      'url',
      'home',
      'gmt_offset',
      'timezone_string',
      'page_for_posts',
      'page_on_front',
      'show_on_front',
      'namespaces',
      'authentication',
      'routes',
      'site_logo',
      'site_icon',
      'site_icon_url',
      '_links',
    ]);
  });

  it('is there with and without a slash, and not for POST', async () => {
    const { text } = await service().rest('GET', '/');
    expect(text).toBe((await service().rest('GET', '')).text);
    expect(failed(await service().rest('POST', '/'))).toStrictEqual([404, 'rest_no_route']);
  });

  it('says what clients read, in each edition', async () => {
    for (const edition of EDITIONS) {
      const site = service().url + (edition === 'A' ? '' : '/v3');
      const {
        name,
        gmt_offset,
        timezone_string,
        page_for_posts,
        page_on_front,
        show_on_front,
        url,
        home,
        authentication,
      } = await root(edition);
      expect({
        name,
        gmt_offset,
        timezone_string,
        page_for_posts,
        page_on_front,
        show_on_front,
        url,
        home,
      }).toStrictEqual({
        name: 'Care',
        gmt_offset: '0',
        timezone_string: '',
        page_for_posts: 0,
        page_on_front: 0,
        show_on_front: 'posts',
        url: site,
        home: site,
      });
      const authorization = `${site}/admin/authorize-application.php`;
      expect(authentication).toStrictEqual({
        'application-passwords': { endpoints: { authorization } },
      });
    }
  });

  it('lists the namespaces that are served', async () => {
    const served = ['mailer', 'models/v1', 'oembed/1.0', 'pwreset/v1', 'v1'];
    const own = (namespaces: string[]) =>
      namespaces.filter((namespace) => !namespace.startsWith('wp')).sort();
    expect(own((await root('A')).namespaces)).toStrictEqual(served);
    expect(own((await root('B')).namespaces)).toStrictEqual(
      [...served, 'pwreset', 'v1/healthcare'].sort(),
    );
    expect((await root()).namespaces[0]).toBe('oembed/1.0');
  });

  it('takes any context', async () => {
    expect(await root('A', 'context=nonsense')).toStrictEqual(await root());
  });

  it('describes each route by namespace, methods and endpoints, with a link to those without variables', async () => {
    const { routes } = await root();
    expect(Object.keys(routes['/v1/posts'])).toStrictEqual([
      'namespace',
      'methods',
      'endpoints',
      '_links',
    ]);
    expect(routes['/v1/posts']._links).toStrictEqual({
      self: [{ href: `${service().url}/api/v1/posts` }],
    });
    const item = routes['/v1/posts/(?P<id>[\\d]+)'];
    expect([item.namespace, item.methods, '_links' in item]).toStrictEqual([
      'v1',
      ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      false,
    ]);
    expect([routes['/'].namespace, routes['/batch/v1'].namespace]).toStrictEqual(['', '']);
    expect(routes['/v1/posts'].endpoints[0].methods).toStrictEqual(['GET']);
  });

  it('has a link to help', async () => {
    expect(typeof (await root())._links.help[0].href).toBe('string');
  });
});

describe('The index of a namespace', () => {
  const service = useService();
  const index = (path: string, query = '', edition: 'A' | 'B' = 'A') =>
    service().rest('GET', path, { query, edition });

  it('is there for each namespace, and lists its routes alone', async () => {
    for (const edition of EDITIONS) {
      const { namespaces, routes } = (await index('', '', edition)).body;
      for (const namespace of namespaces) {
        const { status, body } = await index(`/${namespace}`, `namespace=${namespace}`, edition);
        expect(status, namespace).toBe(200);
        expect(Object.keys(body)).toStrictEqual(['namespace', 'routes', '_links']);
        expect(body.namespace).toBe(namespace);
        const own = Object.entries(routes as Record<string, { namespace: string }>).filter(
          ([, route]) => route.namespace === namespace,
        );
        expect(body.routes, namespace).toStrictEqual(Object.fromEntries(own));
        expect(`/${namespace}` in body.routes).toBe(true);
        expect(body._links).toStrictEqual({
          up: [{ href: `${service().url}${edition === 'A' ? '' : '/v3'}/api/` }],
        });
      }
    }
  });

  it('shows another namespace when asked', async () => {
    expect((await index('/v1', 'namespace=models/v1')).body).toStrictEqual(
      (await index('/models/v1')).body,
    );
  });

  it('of an unknown namespace is 404', async () => {
    expect(failed(await index('/v1', 'namespace=nonsense'))).toStrictEqual([
      404,
      'rest_invalid_namespace',
    ]);
    expect(failed(await index('/nonsense'))).toStrictEqual([404, 'rest_no_route']);
  });

  it('takes any context, and no POST', async () => {
    expect((await index('/v1', 'context=nonsense')).status).toBe(200);
    expect(failed(await service().rest('POST', '/v1'))).toStrictEqual([404, 'rest_no_route']);
  });
});

describe('OPTIONS', () => {
  const service = useService();
  const options = (path: string, as: Caller = 'anonymous') =>
    service().rest('OPTIONS', path, { as });

  it('describes a route with the schema of its items, to anybody', async () => {
    const { status, body } = await options('/v1/posts');
    expect(status).toBe(200);
    expect(Object.keys(body)).toStrictEqual([
      'namespace',
      'methods',
      'endpoints',
      'schema',
      '_links',
    ]);
    expect([body.namespace, body.methods]).toStrictEqual(['v1', ['GET', 'POST']]);
    const { routes } = (await service().rest('GET', '')).body;
    expect(body.endpoints).toStrictEqual(routes['/v1/posts'].endpoints);
    expect(body._links).toStrictEqual(routes['/v1/posts']._links);
  });

  it('shows of each field its type, where it is shown, and whether it can be written', async () => {
    const { schema } = (await options('/v1/posts/1')).body;
    expect([schema.$schema, schema.title, schema.type]).toStrictEqual([
      'http://json-schema.org/draft-04/schema#',
      'post',
      'object',
    ]);
    const { id, title, date, password, modified, format } = schema.properties;
    expect([id.type, id.readonly, id.context]).toStrictEqual([
      'integer',
      true,
      ['view', 'edit', 'embed'],
    ]);
    expect([date.format, date.readonly]).toStrictEqual(['date-time', undefined]);
    expect([password.context, modified.context, modified.readonly]).toStrictEqual([
      ['edit'],
      ['view', 'edit'],
      true,
    ]);
    expect([title.properties.raw.context, title.properties.rendered.readonly]).toStrictEqual([
      ['edit'],
      true,
    ]);
    expect(format.enum.includes('standard')).toBeTruthy();
    expect(Array.isArray(schema.links)).toBe(true);
  });

  it('says in Allow what the caller may do', async () => {
    const { id } = await service().post();
    const draft = await service().post({ status: 'draft' });
    expect((await options('/v1/posts')).headers.get('allow')).toBe('GET');
    expect((await options('/v1/posts', 'author')).headers.get('allow')).toBe('GET, POST');
    expect((await options(`/v1/posts/${id}`, 'editor')).headers.get('allow')).toBe(
      'GET, POST, PUT, PATCH, DELETE',
    );
    const hidden = await options(`/v1/posts/${draft.id}`);
    expect([hidden.status, hidden.headers.get('allow')]).toStrictEqual([200, null]);
  });

  it('describes the root, the indexes and the batch as well', async () => {
    for (const [path, methods] of [
      ['/', ['GET']],
      ['/v1', ['GET']],
      ['/batch/v1', ['POST']],
    ] as const) {
      const { status, body } = await options(path);
      expect([status, body.methods], path).toStrictEqual([200, methods]);
    }
  });
});
