import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../src/app/app.js';
import type { RequestContext } from '../../src/core/context.js';
import { executing } from '../../src/graphql/executing.js';
import { Admitted } from '../../src/graphql/execution/admitted.js';
import { GraphqlFace, type Page } from '../../src/graphql/graphql-face.js';
import { Overload } from '../../src/platform/http/overload.js';
import { makeLog } from '../../src/platform/log.js';
import { registry } from '../../src/platform/metrics/metrics.js';
import { useService } from '../support/harness.js';

describe('A page for browsers at /graphql', () => {
  const service = useService();

  /** Asks as a browser, of a face with this page. */
  async function asking(page: Page): Promise<{ status: number; body: unknown; log: string }> {
    const lines: string[] = [];
    const log = makeLog('info', { write: (line: string) => void lines.push(line) });
    const http = createServer();
    const app = createApp({ ...service().app.deps, log });
    const face = await GraphqlFace.of(app, http, 'http://care.example', new Overload(), page);
    http.on('request', (request, response) => void face.handle(request, response));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const { port } = http.address() as AddressInfo;
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/graphql?query={__typename}`, {
        headers: { accept: 'text/html, */*;q=0.1', 'apollo-require-preflight': '1' },
      });
      return { status: answer.status, body: await answer.json(), log: lines.join('') };
    } finally {
      await face.endStreams();
      http.close();
    }
  }

  it('that fails is answered 500 and logged, and tells nothing', async () => {
    const { status, body, log } = await asking((_request, _response, pass) =>
      pass(new Error('no such file: /secret/place')),
    );
    expect(status).toBe(500);
    expect(body).toMatchObject({ errors: [{ extensions: { code: 'INTERNAL_ERROR' } }] });
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(log).toContain('no such file');
  });

  it('that passes a request on leaves it to GraphQL', async () => {
    const { status, body } = await asking((_request, _response, pass) => pass());
    expect([status, body]).toStrictEqual([200, { data: { __typename: 'Query' } }]);
  });
});

describe('An execution that fails as a whole', () => {
  const service = useService();

  it('is answered 500 and logged, and tells nothing', async () => {
    const lines: string[] = [];
    const log = makeLog('info', { write: (line: string) => void lines.push(line) });
    const app = createApp({ ...service().app.deps, log });
    const { http, body } = await executing(app, new Admitted())({} as RequestContext);
    expect(http.status).toBe(500);
    expect(body).toMatchObject({
      singleResult: { errors: [{ extensions: { code: 'INTERNAL_ERROR' } }] },
    });
    expect(JSON.stringify(body)).not.toContain('admitted');
    expect(lines.join('')).toContain('An operation was not admitted.');
  });
});

describe('A field that fails by a fault of the service', () => {
  const service = useService();
  const counted = async (status: number): Promise<number> => {
    const labels = `method="POST",route="graphql",operation="query",status="${status}"`;
    const line = new RegExp(`^care_request_duration_seconds_count{${labels}} (.+)$`, 'm');
    return Number(line.exec(await registry.metrics())?.[1] ?? 0);
  };

  it('counts as status 500, which alerts look at, while HTTP says 200', async () => {
    const query = '{ posts(first: 1) { nodes { databaseId } } __typename }';
    await service().data(query);
    const before = [await counted(200), await counted(500)] as const;
    await service().database.query('ALTER TABLE content_item RENAME TO gone');
    try {
      const { status, body } = await service().graphql(query, {}, { as: 'subscriber' });
      expect([status, body.errors?.[0]?.extensions?.code]).toStrictEqual([200, 'INTERNAL_ERROR']);
    } finally {
      await service().database.query('ALTER TABLE gone RENAME TO content_item');
    }
    expect([await counted(200), await counted(500)]).toStrictEqual([before[0], before[1] + 1]);
    await service().ask('{ nothing }');
    expect(await counted(500), 'a mistake of the caller is none').toBe(before[1] + 1);
  });
});
