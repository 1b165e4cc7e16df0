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

  beforeAll(async () => {
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
  afterAll(async () => {
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
    expect(status).toBe(expected);
    expect(body).toStrictEqual({
      code: 'rest_forbidden',
      message: 'Sorry, you are not allowed to do that.',
      data: { status: expected },
    });
  };

  for (const edition of ['A', 'B'] as const) {
    it(`connects the mailbox and shows a small page, at the address of edition ${edition}`, async () => {
      const { status, headers, text } = await callback(await visited(), 'anonymous', edition);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/html; charset=UTF-8');
      expect(headers.get('cache-control') ?? '').toMatch(/no-store/);
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy') ?? '').toMatch(/default-src 'none'/);
      expect(text).toMatch(
        /^<!doctype html>.*<h1>Mailbox connected<\/h1>.*clinic@outlook\.example.*<\/html>\n$/s,
      );
      expect(await connected()).toBe(1);
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
    expect(await connected()).toBe(0);
  });

  it('takes a state once, however many come back with it at the same time', async () => {
    const query = await visited();
    const answers = await Promise.all([callback(query), callback(query), callback(query)]);
    expect(answers.map(({ status }) => status).sort()).toStrictEqual([200, 401, 401]);
    refused(await callback(query), 401);
    expect(await connected()).toBe(1);
  });

  it("takes no state that is older than ten minutes, that another account began, or whose beginner's rights are gone", async () => {
    const foreign = await visited();
    refused(await callback(foreign, 'editor'), 403);
    expect((await callback(foreign, 'administrator')).status, 'the beginner may be signed in').toBe(
      200,
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
    expect(query.error).toBe('access_denied');
    const { status, text } = await callback(query);
    expect(status).toBe(200);
    expect(text).toMatch(/<h1>Mailbox not connected<\/h1>.*permission was not given/s);
    expect(await connected()).toBe(0);
  });

  it('connects nothing with a code that is wrong, that belongs to another beginning, or that names another issuer', async () => {
    const [mine, other] = [await visited(), await visited()];
    expect((await callback({ ...mine, code: other.code ?? '' })).text).toMatch(/not connected/);
    expect((await callback({ ...other, iss: 'https://evil.example' })).text).toMatch(
      /not connected/,
    );
    expect((await callback({ ...(await visited()), code: '<script>' })).text).toMatch(
      /not connected/,
    );
    const { code: _code, ...without } = await visited();
    expect((await callback(without)).text).toMatch(/not connected/);
    expect(await connected()).toBe(0);
  });

  it('says on the page when Microsoft does not answer', async () => {
    const query = await visited();
    microsoft.answering = false;
    const { status, text } = await callback(query);
    expect(status).toBe(200);
    expect(text).toMatch(/not connected.*did not answer/s);
  });

  it('puts nothing that was sent onto the page, and escapes what it does put there', async () => {
    const { text } = await callback({
      ...(await visited()),
      code: '<script>alert(1)</script>',
      error_description: '<b>x</b>',
    });
    expect(!text.includes('<script') && !text.includes('<b>')).toBe(true);
    microsoft.mailbox = '"<b>"@outlook.example';
    expect((await callback(await visited())).text).toMatch(
      /&quot;&lt;b&gt;&quot;@outlook\.example/,
    );
  });

  it('answers OPTIONS without parameters, and is no address for POST or HEAD', async () => {
    const { status, body, headers } = await beside.rest('OPTIONS', CALLBACK);
    expect(status).toBe(200);
    expect(body.endpoints).toStrictEqual([{ methods: ['GET'], args: {} }]);
    expect(headers.get('allow')).toBe('GET');
    expect((await beside.rest('POST', CALLBACK, { body: await visited() })).status).toBe(404);
    expect((await beside.rest('HEAD', CALLBACK, { query: await visited() })).status).toBe(404);
    expect(await connected()).toBe(0);
  });

  it('refuses every state of a service that has no client at Microsoft', async () => {
    refused(await service().rest('GET', CALLBACK, { query: { state: 'x', code: 'y' } }), 401);
  });
});
