import { type Answer, useService } from '../../support/harness.js';

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
