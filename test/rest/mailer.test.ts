import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Outlook } from '../../src/platform/mail/outlook.js';
import type { Answer, Caller, Harness, RoleName } from '../support/harness.js';
import { useService } from '../support/harness.js';
import { Microsoft } from '../support/microsoft.js';

const MINUTE = 60_000;
const CALLBACK = '/mailer/outlook_callback';

describe('GET /mailer/outlook_callback', () => {
  const service = useService();
  let microsoft: Microsoft;
  let beside: Harness;

  before(async () => {
    microsoft = await Microsoft.start();
    beside = await service().beside({ outlook: new Outlook(microsoft.options) });
    microsoft.register(`${beside.url}/api${CALLBACK}`);
  });
  beforeEach(() => {
    Object.assign(microsoft, {
      consents: true,
      answering: true,
      mailbox: 'clinic@outlook.example',
    });
  });
  after(async () => {
    await beside.stop();
    await microsoft.stop();
  });

  const begin = async (as: RoleName = 'administrator'): Promise<string> =>
    (
      await beside.graphql(
        'mutation { connectOutlook { url } }',
        {},
        { headers: await beside.session(as) },
      )
    ).body.data.connectOutlook.url;
  /** What the browser brings back from the authorization page. */
  const visited = async () =>
    Object.fromEntries((await microsoft.visit(await begin())).searchParams);
  const callback = (
    query: Record<string, string> | string,
    as: Caller = 'anonymous',
    edition: 'A' | 'B' = 'A',
  ) => beside.rest('GET', CALLBACK, { query, as, edition });
  const connected = () => service().database.prisma.mailConnection.count();
  const refused = ({ status, body }: Answer, expected: number) => {
    assert.equal(status, expected);
    assert.deepEqual(body, {
      code: 'rest_forbidden',
      message: 'Sorry, you are not allowed to do that.',
      data: { status: expected },
    });
  };

  for (const edition of ['A', 'B'] as const) {
    it(`connects the mailbox and shows a small page, at the address of edition ${edition}`, async () => {
      const { status, headers, text } = await callback(await visited(), 'anonymous', edition);
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'text/html; charset=UTF-8');
      assert.match(headers.get('cache-control') ?? '', /no-store/);
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
      assert.match(
        text,
        /^<!doctype html>.*<h1>Mailbox connected<\/h1>.*clinic@outlook\.example.*<\/html>\n$/s,
      );
      assert.equal(await connected(), 1);
    });
  }

  it('refuses a wrong or missing state: 401, or 403 for the signed in', async () => {
    const { code = '' } = await visited();
    for (const query of [
      {},
      { code },
      { code, state: '' },
      { code, state: 'x'.repeat(43) },
      { code, state: 'x'.repeat(5000) },
      { code, state: 'a\u0000b' },
      'state[]=a',
      'state[a]=b',
    ]) {
      refused(await callback(query as Record<string, string>), 401);
      refused(await callback(query as Record<string, string>, 'administrator'), 403);
    }
    assert.equal(await connected(), 0);
  });

  it('takes a state once, however many come back with it at the same time', async () => {
    const query = await visited();
    const answers = await Promise.all([callback(query), callback(query), callback(query)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401]);
    refused(await callback(query), 401);
    assert.equal(await connected(), 1);
  });

  it("takes no state that is older than ten minutes, that another account began, or whose beginner's rights are gone", async () => {
    const foreign = await visited();
    refused(await callback(foreign, 'editor'), 403);
    assert.equal(
      (await callback(foreign, 'administrator')).status,
      200,
      'the beginner may be signed in',
    );
    const late = await visited();
    service().now = () => Date.now() + 10 * MINUTE;
    refused(await callback(late), 401);
    service().now = Date.now;
    const former = await visited();
    await service().database.prisma.account.updateMany({ data: { roles: ['subscriber'] } });
    refused(await callback(former), 401);
  });

  it('says on the page that the permission was not given, and connects nothing', async () => {
    microsoft.consents = false;
    const query = await visited();
    assert.equal(query.error, 'access_denied');
    const { status, text } = await callback(query);
    assert.equal(status, 200);
    assert.match(text, /<h1>Mailbox not connected<\/h1>.*permission was not given/s);
    assert.equal(await connected(), 0);
  });

  it('connects nothing with a code that is wrong, that belongs to another beginning, or that names another issuer', async () => {
    const [mine, other] = [await visited(), await visited()];
    assert.match((await callback({ ...mine, code: other.code ?? '' })).text, /not connected/);
    assert.match((await callback({ ...other, iss: 'https://evil.example' })).text, /not connected/);
    assert.match(
      (await callback({ ...(await visited()), code: '<script>' })).text,
      /not connected/,
    );
    const { code: _code, ...without } = await visited();
    assert.match((await callback(without)).text, /not connected/);
    assert.equal(await connected(), 0);
  });

  it('says on the page when Microsoft does not answer', async () => {
    const query = await visited();
    microsoft.answering = false;
    const { status, text } = await callback(query);
    assert.equal(status, 200);
    assert.match(text, /not connected.*did not answer/s);
  });

  it('puts nothing that was sent onto the page, and escapes what it does put there', async () => {
    const { text } = await callback({
      ...(await visited()),
      code: '<script>alert(1)</script>',
      error_description: '<b>x</b>',
    });
    assert.ok(!text.includes('<script') && !text.includes('<b>'));
    microsoft.mailbox = '"<b>"@outlook.example';
    assert.match((await callback(await visited())).text, /&quot;&lt;b&gt;&quot;@outlook\.example/);
  });

  it('answers OPTIONS without parameters, and is no address for POST or HEAD', async () => {
    const { status, body, headers } = await beside.rest('OPTIONS', CALLBACK);
    assert.equal(status, 200);
    assert.deepEqual(body.endpoints, [{ methods: ['GET'], args: {} }]);
    assert.equal(headers.get('allow'), 'GET');
    assert.equal((await beside.rest('POST', CALLBACK, { body: await visited() })).status, 404);
    assert.equal((await beside.rest('HEAD', CALLBACK, { query: await visited() })).status, 404);
    assert.equal(await connected(), 0);
  });

  it('refuses every state of a service that has no client at Microsoft', async () => {
    refused(await service().rest('GET', CALLBACK, { query: { state: 'x', code: 'y' } }), 401);
  });
});
