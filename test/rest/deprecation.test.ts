import { join } from 'node:path';
import { projectRoot } from '../../src/platform/root.js';
import { Adapter } from '../../src/rest/adapter/adapter.js';
import { dialectOf } from '../../src/rest/dialect.js';
import { editionDocument } from '../../src/rest/openapi/document.js';
import { loadOperations } from '../../src/rest/operation/loading.js';
import { type Deprecated, groupRoutes, Router } from '../../src/rest/router.js';
import { useService } from '../support/harness.js';

const OLD: Deprecated = {
  since: '2026-03-10',
  sunset: '2027-03-10',
  instead: 'Read events instead.',
};
const ROUTES = [
  { on: 'GET /v1/posts', run: 'ListPosts', deprecated: OLD },
  { on: 'GET /v1/pages', run: 'ListPages' },
];

interface Operation {
  deprecated: boolean;
  description: string;
  responses: Record<string, { headers: object }>;
}

describe('A route that is marked as deprecated', () => {
  const service = useService();
  const edition = () => {
    const schema = dialectOf(service().app.wholeSchema);
    const operations = loadOperations(join(projectRoot, 'schema/operations'), schema);
    const groups = groupRoutes(ROUTES, 'A', operations, ['v1']);
    return { groups, namespaces: ['v1'], schema, tagOf: () => 'content' };
  };
  const headersOf = async (path: string, query = {}) => {
    const described = edition();
    const adapter = new Adapter('A', new Router(described.groups), described);
    const context = await service().context();
    const plan = await adapter.plan({ edition: 'A', method: 'GET', path, query }, context);
    if ('code' in plan) throw new Error(plan.message);
    return (await adapter.run(plan, context, service().url)).headers;
  };

  it('says so in the headers of its answers and refusals', async () => {
    const told = { Deprecation: '@1773100800', Sunset: 'Wed, 10 Mar 2027 00:00:00 GMT' };
    expect(await headersOf('/v1/posts')).toMatchObject(told);
    expect(await headersOf('/v1/posts', { per_page: 'x' })).toMatchObject(told);
    const others = await headersOf('/v1/pages');
    expect([others.Deprecation, others.Sunset]).toStrictEqual([undefined, undefined]);
  });

  it('says so in OpenAPI, with what to use instead', async () => {
    const { paths } = (await editionDocument('A', edition())) as {
      paths: Record<string, { get: Operation }>;
    };
    const { deprecated, description, responses } = (paths['/v1/posts'] as { get: Operation }).get;
    expect(deprecated).toBe(true);
    expect(Object.keys(responses[200]?.headers ?? {})).toContain('Sunset');
    expect(description).toMatch(
      /^Deprecated since 2026-03-10. It ends on 2027-03-10. Read events instead.\n\n/,
    );
    expect(paths['/v1/pages']?.get).not.toHaveProperty('deprecated');
  });
});

describe('The metric of uses', () => {
  const service = useService();
  const counted = async () => {
    const { text } = await service().fetch('/metrics', {});
    return text.split('\n').filter((line) => line.startsWith('care_route_uses_total{'));
  };

  it('tells the versions of an app apart', async () => {
    const headers = { 'user-agent': 'Care-App/2.3.1 (iOS 19)' };
    await service().rest('GET', '/v1/posts', { headers, edition: 'B' });
    expect(await counted()).toContainEqual(
      'care_route_uses_total{edition="B",method="GET",route="/v1/posts",app="Care-App/2.3"} 1',
    );
  });

  it('has a bound, whatever callers name themselves', async () => {
    for (let i = 0; i < 60; i++)
      await service().rest('GET', '/', { headers: { 'user-agent': `Made-Up/${i}` } });
    await service().rest('GET', '/', { headers: { 'user-agent': 'Mozilla/5.0"} 1\\n' } });
    const apps = new Set((await counted()).map((line) => /app="([^"]*)"/.exec(line)?.[1]));
    expect(apps.has('other')).toBe(true);
    expect(apps.size).toBeLessThanOrEqual(52);
  });
});
