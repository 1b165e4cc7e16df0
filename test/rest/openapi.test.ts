import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { projectRoot } from '../../src/platform/root.js';
import { contractOf } from '../support/contract.js';
import { useService } from '../support/harness.js';

const EDITIONS = ['A', 'B'] as const;
type Parameter = { editions: string[]; method: string; path: string };
const { routes } = JSON.parse(
  readFileSync(join(projectRoot, 'test/conformance/routes.json'), 'utf8'),
) as { routes: Parameter[] };

/** What a document has against the specification and the recommended rules, by severity. */
async function faultsOf(source: string): Promise<string[]> {
  const rules = {
    'no-invalid-schema-examples': 'error',
    'no-invalid-media-type-examples': 'error',
  } as const;
  const config = await createConfig({ extends: ['recommended'], rules });
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  return problems.map(({ ruleId, message, location }) =>
    [ruleId, message, location[0]?.pointer].join(': '),
  );
}

const JSON_TYPE = 'application/json';
/** A path without the names of its variables. */
const shapeOf = (path: string) => path.replace(/\{\w+\}|\(\?P<\w+>[^)]*\)+/g, '{}');

describe('The document of an edition', () => {
  const service = useService();
  const read = (edition: 'A' | 'B', headers = {}) =>
    service().rest('GET', '/openapi.json', { edition, headers });

  it.each(EDITIONS)(
    'is OpenAPI 3.1 without a fault, with examples that fit, in %s',
    async (edition) => {
      const { text, body } = await read(edition);
      expect(body.openapi).toBe('3.1.0');
      expect(await faultsOf(text)).toStrictEqual([]);
    },
  );

  it.each(EDITIONS)('is the committed one in %s', async (edition) => {
    const { body } = await read(edition);
    const file = join(projectRoot, `schema/openapi.${edition.toLowerCase()}.json`);
    expect(body).toStrictEqual(JSON.parse(readFileSync(file, 'utf8')));
  });

  it.each(EDITIONS)('has every route of the specification in %s', async (edition) => {
    const { body } = await read(edition);
    const described = new Set(
      Object.entries(body.paths).flatMap(([path, item]) =>
        Object.keys(item as object).map((method) => `${method.toUpperCase()} ${shapeOf(path)}`),
      ),
    );
    const specified = routes.filter(({ editions }) => editions.includes(edition));
    expect(specified.length).toBeGreaterThan(50);
    const missing = specified
      .map(({ method, path }) => `${method} ${shapeOf(path)}`)
      .filter((route) => !described.has(route));
    expect(missing).toStrictEqual([]);
  });

  it('names the parameters that are read and listed nowhere else', async () => {
    const { paths } = (await read('B')).body;
    const { schema } = paths['/v1/notify'].post.requestBody.content['application/json'];
    expect(Object.keys(schema.properties)).toContain('push_token');
    const names = paths['/v1/medicine_reminder'].get.parameters.map(
      ({ name }: { name?: string }) => name,
    );
    expect(names).toContain('page');
  });

  it('shows the operation that each route runs', async () => {
    const { paths } = (await read('A')).body;
    const text: string = paths['/v1/posts/{id}'].get['x-graphql-operation'];
    expect(text).toMatch(/^query GetPost\(/);
    expect(text).toMatch(/^fragment PostFields on Post/m);
  });

  it('asks for credentials where the anonymous are refused, and for none where they sign in', async () => {
    const { paths } = (await read('A')).body;
    const signedIn = [{ applicationPassword: [] }, { accessToken: [] }];
    expect(paths['/v1/medicine_reminder'].get.security).toStrictEqual(signedIn);
    expect(paths['/v1/posts'].get.security).toStrictEqual([{}, ...signedIn]);
    expect(paths['/v1/login'].post.security).toStrictEqual([]);
  });

  it('is sent once: a caller who has it gets 304', async () => {
    const { headers } = await read('A');
    const again = await read('A', { 'if-none-match': headers.get('etag') });
    expect(again.status).toBe(304);
    expect(again.text).toBe('');
  });

  it('needs no statement', async () => {
    expect(await service().statements(() => read('A'))).toBe(0);
  });
});

describe('What judges every answer of these suites', () => {
  const service = useService();
  const of = async (changes: object, address = '/v1/posts/1') => {
    await service().post();
    const { body } = await service().rest('GET', '/v1/posts/1');
    const exchange = { method: 'GET', address, sent: undefined, status: 200, type: JSON_TYPE };
    return contractOf('A').fault({ ...exchange, body: { ...body, ...changes } });
  };

  it('takes what is described', async () => {
    expect(await of({})).toBeUndefined();
    expect(await of({ date: undefined }, '/v1/posts/1?_fields=id')).toBeUndefined();
  });

  it.each([
    ['a field too many', { colour: 'red' }, 'must NOT have additional properties'],
    ['one too many within a field', { title: { rendered: '', words: 1 } }, 'additional properties'],
    ['a field too few', { date: undefined }, "must have required property 'date'"],
    ['a value of another type', { author: '1' }, 'must be integer'],
    ['a value that is no choice', { status: 'lost' }, 'must be equal to one of'],
    ['a time with an offset', { date: '2026-03-10T08:00:00Z' }, 'must match format'],
  ])('refuses %s', async (_what, changes, fault) => {
    expect(await of(changes)).toContain(fault);
  });

  it('refuses a status, a method and a path that nothing describes', () => {
    const exchange = { sent: undefined, type: JSON_TYPE, body: {} };
    const fault = (method: string, address: string, status: number) =>
      contractOf('A').fault({ ...exchange, method, address, status });
    expect(fault('GET', '/v1/posts/1', 206)).toContain('206 of /v1/posts/{id} is not described');
    expect(fault('POST', '/v1/events', 200)).toContain('POST /v1/events is not described');
    expect(fault('GET', '/v1/quote', 200)).toContain('GET /v1/quote is not described');
    expect(fault('GET', '/v1/nothing', 404)).toContain("required property 'code'");
  });
});

describe('The reference', () => {
  const service = useService();

  it.each(['/api', '/v3/api'])('below %s loads nothing from elsewhere', async (api) => {
    const { status, headers, text } = await service().fetch(`${api}/reference`, {});
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self';/,
    );
    const links = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link]) => link as string);
    expect(links).toHaveLength(3);
    for (const link of links) {
      expect(link.startsWith(`${api}/reference/`)).toBe(true);
      expect((await service().fetch(link, {})).status).toBe(200);
    }
    expect((await service().fetch(`${api}/reference/start.js`, {})).text).toContain(
      `url: '${api}/openapi.json'`,
    );
  });

  it('has nothing else below its address', async () => {
    const { status } = await service().fetch('/api/reference/package.json', {});
    expect(status).toBe(404);
  });
});
