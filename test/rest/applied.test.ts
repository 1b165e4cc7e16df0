import type { Database } from '../../src/platform/database/database.js';
import { type Harness, useService } from '../support/harness.js';
import { standIn } from '../support/stand-in.js';

/**
 * A database that fails, once a transaction was committed or an item written, at every further read of a
 * table.
 */
function failingAfterwards(database: Database, table: string): Database {
  let committed = false;
  return standIn(database, {
    transaction: async (work) => {
      const made = await database.transaction(work);
      committed = true;
      return made;
    },
    query: async (text, ...rest) => {
      if (committed && text.includes(`FROM ${table} `)) throw new Error('The disk is gone.');
      const rows = await database.query(text, ...rest);
      committed ||= /(?:INSERT INTO|UPDATE|DELETE FROM) content_item /.test(text);
      return rows as never;
    },
  });
}

describe('A change that was applied', () => {
  const service = useService();
  /** Runs a test against the service on a database that fails after the first commit. */
  async function onFailing(
    test: (failing: Harness) => Promise<void>,
    table = 'content_item',
  ): Promise<void> {
    const failing = await service().beside({
      database: failingAfterwards(service().database, table),
    });
    await test(failing).finally(() => failing.stop());
  }
  const count = async () =>
    (await service().rest('GET', '/v1/posts', { as: 'editor', query: 'status=any' })).body.length;

  it('is answered when a literal of its document names an enum, Allow included', async () => {
    const made = await service().rest('POST', '/v1/healthcare', {
      as: 'editor',
      edition: 'B',
      body: { title: 'Clinic' },
    });
    const path = `/v1/healthcare/${made.body.id}/autosaves`;
    const saved = await service().rest('POST', path, {
      as: 'administrator',
      edition: 'B',
      body: { title: 'Typed' },
    });
    expect([saved.status, saved.body.title?.raw, saved.headers.get('allow')]).toStrictEqual([
      200,
      'Typed',
      'GET, POST',
    ]);
    expect(saved.body.meta).toStrictEqual({});
    const listed = await service().rest('GET', path, { as: 'administrator', edition: 'B' });
    expect(listed.body[0].meta).toStrictEqual({});
    expect([listed.status, listed.body.length, listed.headers.get('allow')]).toStrictEqual([
      200,
      1,
      'GET, POST',
    ]);
    const refused = await service().rest('GET', path, { edition: 'B' });
    expect([refused.status, refused.body.code, refused.headers.get('allow')]).toStrictEqual([
      401,
      'rest_cannot_read',
      null,
    ]);
  });

  it('is answered without Allow when Allow cannot be computed', async () => {
    const { id } = await service().posted();
    await onFailing(async (failing) => {
      const gone = await failing.rest('DELETE', `/v1/posts/${id}`, {
        as: 'editor',
        query: 'force=true',
      });
      expect([gone.status, gone.body.deleted, gone.headers.get('allow')]).toStrictEqual([
        200,
        true,
        null,
      ]);
    });
    expect(await count()).toBe(0);
  });

  it('is answered with its id and address when it cannot be read again', async () => {
    const body = { title: 'Kept' };
    const headers = { 'idempotency-key': 'one-and-the-same' };
    const sent = { as: 'editor', body, headers, described: false } as const;
    await service().rest('POST', '/v1/posts', sent);
    await onFailing(async (failing) => {
      const made = await failing.rest('POST', '/v1/posts', sent);
      expect([made.status, made.body]).toStrictEqual([201, { id: 1 }]);
      expect(made.headers.get('location')).toBe(`${failing.url}/api/v1/posts/1`);
    });
    expect(await count()).toBe(1);
  });

  it('is answered as it was written, without being read again', async () => {
    await service().account('editor');
    await onFailing(async (failing) => {
      const body = { title: 'Kept' };
      const made = await failing.rest('POST', '/v1/posts', { as: 'editor', body });
      expect([made.status, made.body.title.raw]).toStrictEqual([201, 'Kept']);
    });
    expect(await count()).toBe(1);
  });

  it('is answered with its id when its new terms cannot be read', async () => {
    const { id } = await service().posted();
    const tags = [await service().term('TAG', 'Sleep')];
    await onFailing(async (failing) => {
      const sent = { as: 'editor', body: { tags }, described: false } as const;
      const { status, body } = await failing.rest('POST', `/v1/posts/${id}`, sent);
      expect([status, body]).toStrictEqual([200, { id }]);
    });
    const { body } = await service().rest('GET', `/v1/posts/${id}`);
    expect(body.tags).toStrictEqual(tags);
  });

  it('keeps its success in a batch, in which a surprise is the answer of one request alone', async () => {
    const [{ id }, other] = [await service().posted(), await service().posted()];
    await onFailing(async (failing) => {
      const requests = [
        { method: 'DELETE', path: `/v1/posts/${id}?force=true` },
        { path: `/v1/posts/${other.id}`, body: { title: 'x' } },
        { path: '/v1/posts', body: { status: 'nonsense' } },
      ];
      const { status, body } = await failing.rest('POST', '/batch/v1', {
        as: 'editor',
        body: { requests },
      });
      const answers = body.responses.map((one: { status: number; body: { code?: string } }) => [
        one.status,
        one.body.code,
      ]);
      expect(status).toBe(207);
      expect(answers).toStrictEqual([
        [200, undefined],
        [500, 'internal_error'],
        [400, 'rest_invalid_param'],
      ]);
    });
  });

  it('is answered when what is embedded cannot be read', async () => {
    await service().account('editor');
    await onFailing(async (failing) => {
      const asked = { as: 'editor', query: '_embed=wp:term', described: false } as const;
      const sent = { ...asked, body: { title: 'Kept' } };
      const made = await failing.rest('POST', '/v1/posts', sent);
      expect([made.status, typeof made.body.id], made.text).toStrictEqual([201, 'number']);
    }, 'content_term');
  });
});
