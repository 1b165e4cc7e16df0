import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, validate } from 'graphql';
import { findRoute, type Route, readPasted } from '../../playground/rest/reading.js';
import { projectRoot } from '../../src/platform/root.js';
import { useService } from '../support/harness.js';

const SPECIFIED: readonly { editions: string[]; method: string; path: string }[] = JSON.parse(
  readFileSync(join(projectRoot, 'test/conformance/routes.json'), 'utf8'),
).routes;
const service = useService();
const listed = async (prefix: string): Promise<readonly Route[]> =>
  (await service().fetch(`${prefix}/reference/operations.json`, {})).body.routes;

/** What only REST has: its indexes, its batch, its document, and the way back of a browser. */
const REST_ALONE = [
  ...['/models/v1', '/openapi.json', '/batch/v1', '/mailer/outlook_callback'],
  ...['/v1', '/pwreset', '/pwreset/v1', '/mailer', '/oembed/1.0', '/wp/v2'],
];

describe('The list of routes for those who move to GraphQL', () => {
  it('has a valid operation of the served schema for every route but those of REST itself', async () => {
    for (const prefix of ['/api', '/v3/api']) {
      const routes = await listed(prefix);
      expect(routes.length).toBeGreaterThan(50);
      for (const { path, query, without } of routes) {
        if (query) expect(validate(service().app.schema, parse(query)), path).toStrictEqual([]);
        else {
          expect(REST_ALONE).toContain(path);
          expect(without, path).toMatch(/^[A-Z][^.]*\. ?/);
        }
      }
    }
  });

  it('has every route of the specification, in each edition', async () => {
    for (const [edition, prefix] of [
      ['A', '/api'],
      ['B', '/v3/api'],
    ] as const) {
      const routes = await listed(prefix);
      const bare = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');
      const known = new Set(
        routes.flatMap(({ methods, path }) => methods.map((method) => `${method} ${bare(path)}`)),
      );
      const specified = SPECIFIED.filter(({ editions }) => editions.includes(edition));
      expect(specified.length).toBeGreaterThan(90);
      for (const { method, path } of specified)
        expect([...known], path).toContain(`${method} ${bare(path)}`);
    }
  });

  it('leads from a pasted address to an operation that answers the same', async () => {
    const { id } = await service().posted({ title: 'Moved', status: 'publish' });
    const ask = async (text: string) => {
      const { route, variables } = findRoute(await listed('/api'), readPasted(text));
      return service().data(route.query ?? '', variables, 'anonymous');
    };
    const rest = await service().rest('GET', `/v1/posts/${id}`, { as: 'anonymous' });
    const { post } = await ask(`curl 'https://care.example/api/v1/posts/${id}'`);
    expect(post.title).toBe(rest.body.title.rendered);
    const { posts } = await ask('/api/v1/posts?per_page=1&status=publish&orderby=title&order=asc');
    expect(posts.nodes).toHaveLength(1);
  });

  it('has an operation where the document of REST asks for what GraphQL has not', async () => {
    const { id } = await service().posted({ title: 'First', status: 'publish' });
    await service().rest('POST', `/v1/posts/${id}`, {
      as: 'administrator',
      body: { title: 'Second' },
    });
    await service().rest('POST', '/models/v1/pods', {
      as: 'administrator',
      body: { name: 'ward', type: 'post_type' },
    });
    const ask = async (text: string, more: object = {}) => {
      const { route, variables, missing } = findRoute(await listed('/api'), readPasted(text));
      expect(missing, text).toStrictEqual(Object.keys(more));
      return service().data(route.query ?? '', { ...variables, ...more }, 'administrator');
    };
    const rest = await service().rest('GET', `/v1/posts/${id}/revisions`, { as: 'administrator' });
    const { content } = await ask(`/api/v1/posts/${id}/revisions?per_page=5`);
    const numbers = content.revisions.nodes.map(
      ({ databaseId }: { databaseId: number }) => databaseId,
    );
    expect(numbers).toStrictEqual(rest.body.map((revision: { id: number }) => revision.id));
    const [newest] = numbers;
    const { revision } = await ask(`/api/v1/posts/${id}/revisions/${newest}`);
    expect(revision.databaseId).toBe(newest);
    const { model } = await ask('/api/models/v1/pods/ward');
    const { version } = model;
    const change = `curl -X PUT '/api/models/v1/pods/${model.databaseId}' -d label=Wards`;
    const { updateModel } = await ask(change, { version });
    expect(updateModel.model).toMatchObject({ name: 'ward', label: 'Wards', version: version + 1 });
    const { site } = await ask('/api/');
    expect(site.title).toBe((await service().rest('GET', '/', { as: 'administrator' })).body.name);
  });
});
