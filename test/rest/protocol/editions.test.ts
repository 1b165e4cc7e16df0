import { useService } from '../../support/harness.js';
import { EDITIONS, failed } from '../wire.js';

describe('Both editions', () => {
  const service = useService();

  it('show the same content, each at its own addresses', async () => {
    const { id } = await service().post({ title: 'Shared' });
    for (const edition of EDITIONS) {
      const site = service().url + (edition === 'A' ? '' : '/v3');
      const { body, headers } = await service().rest('GET', `/v1/posts/${id}`, { edition });
      expect(body.title.rendered).toBe('Shared');
      expect(body._links.self[0].href).toBe(`${site}/api/v1/posts/${id}`);
      expect(body.link).toBe(`${site}/shared/`);
      expect(headers.get('link')).toBe(`<${site}/shared/>; rel="alternate"; type=text/html`);
    }
  });

  it('sign in by the same credentials', async () => {
    for (const edition of EDITIONS) {
      expect(
        (
          await service().rest('GET', '/v1/posts', {
            as: 'editor',
            edition,
            query: { context: 'edit' },
          })
        ).status,
      ).toBe(200);
    }
  });

  it('have indexes of their own', async () => {
    for (const namespace of ['/pwreset', '/v1/healthcare']) {
      expect(
        failed(
          await service().rest('GET', namespace, {
            edition: 'A',
            query: { namespace: namespace.slice(1) },
          }),
        ),
      ).toStrictEqual([404, 'rest_no_route']);
      const { body } = await service().rest('GET', namespace, {
        edition: 'B',
        query: { namespace: namespace.slice(1) },
      });
      expect(body.namespace).toBe(namespace.slice(1));
    }
  });
});

describe('The site roots', () => {
  const service = useService();

  for (const path of ['/', '/v3', '/v3/']) {
    it(`${path} is a page whose Link header names the API, to GET and HEAD`, async () => {
      const root = `${service().url}${path === '/' ? '' : '/v3'}/api/`;
      for (const method of ['GET', 'HEAD']) {
        const answer = await service().fetch(path, { method });
        expect(answer.status).toBe(200);
        expect(answer.headers.get('link')).toBe(`<${root}>; rel="https://api.w.org/"`);
        expect(answer.headers.get('content-type') ?? '').toMatch(/^text\/html/);
        expect(answer.text === '').toBe(method === 'HEAD');
      }
    });
  }
});
