// A secret has one spelling: another that decodes to the same bytes, or differs by its case, is answered
// as one that was never given.
import { unsubscribeAddress } from '../../src/domains/reports/mailing/unsubscribing.service.js';
import { mutation, useService } from '../support/harness.js';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const swapped = (text: string) =>
  text.replaceAll(/\p{L}/gu, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );

/** Other spellings of a text: by case, padding, the alphabet, the unused bits of its end, and spaces. */
function spellings(secret: string): string[] {
  const place = LETTERS.indexOf(secret.at(-1) ?? '');
  const twins = [1, 2, 3, 4, 8, 16, 32].map(
    (bit) => secret.slice(0, -1) + (LETTERS[place ^ bit] ?? LETTERS[0]),
  );
  const all = [
    ...[secret.toUpperCase(), secret.toLowerCase(), swapped(secret)],
    ...[`${secret}=`, `${secret}==`, `=${secret}`, `${secret}.`, `.${secret}`, `${secret}A`],
    ...[secret.replaceAll('-', '+').replaceAll('_', '/'), secret.replaceAll('.', '..')],
    ...[`${secret.slice(0, 9)} ${secret.slice(9)}`, `${secret.slice(0, 9)}\t${secret.slice(9)}`],
    ...[`${secret.slice(0, 9)}+${secret.slice(9)}`, `${secret.slice(0, 9)}%00${secret.slice(9)}`],
    ...[secret.slice(0, -1), secret.slice(1), [...secret].reverse().join(''), secret + secret],
    ...twins,
  ];
  return [...new Set(all)].filter((other) => other !== secret);
}

describe('A secret that is spelled otherwise', () => {
  const service = useService();
  const VIEWER = '{ viewer { username } }';
  const plain = ({ status, text }: { status: number; text: string }) =>
    `${status} ${text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')}`;
  /** Expects each other spelling to be answered as a secret that nobody has, before and after it is used. */
  async function expectOne(
    secret: string,
    ask: (secret: string) => Promise<{ status: number; text: string }>,
    isGood: (answer: { status: number; text: string }) => boolean,
  ) {
    const none = plain(await ask(`x${secret.slice(1)}`));
    const taken: string[] = [];
    for (const other of spellings(secret)) if (isGood(await ask(other))) taken.push(other);
    expect(isGood(await ask(secret)), 'the secret itself').toBe(true);
    for (const other of spellings(secret)) {
      const answer = await ask(other);
      if (isGood(answer)) taken.push(other);
      else expect(answer.status, other).toBe(Number(none.slice(0, 3)));
    }
    expect(taken).toStrictEqual([]);
  }
  const namesSubscriber = ({ text }: { text: string }) => text.includes('"username":"subscriber"');

  it('is no access token, on either face', async () => {
    const { authorization } = await service().session('subscriber');
    const token = authorization.replace('Bearer ', '');
    const headers = (secret: string) => ({ headers: { authorization: `Bearer ${secret}` } });
    await expectOne(
      token,
      (secret) => service().graphql(VIEWER, {}, headers(secret)),
      namesSubscriber,
    );
    await expectOne(
      token,
      (secret) => service().rest('GET', '/v1/medicine_reminder', headers(secret)),
      ({ status }) => status === 200,
    );
  });

  it('is no application password', async () => {
    const { username, password } = await service().account('subscriber');
    const ask = (secret: string) => {
      const basic = Buffer.from(`${username}:${secret}`).toString('base64');
      return service().graphql(VIEWER, {}, { headers: { authorization: `Basic ${basic}` } });
    };
    // Signs that are neither letters nor digits do not count, as in the original.
    const counted = (text: string) => text.replaceAll(/[^a-z\d]/gi, '');
    const others = spellings(password).filter((other) => counted(other) !== password);
    for (const other of others) expect(namesSubscriber(await ask(other)), other).toBe(false);
    expect(namesSubscriber(await ask(password))).toBe(true);
    for (const other of others) expect(namesSubscriber(await ask(other)), other).toBe(false);
  });

  it('is no refresh token', async () => {
    const { authorization } = await service().session('subscriber');
    expect(authorization).toBeTruthy();
    const [{ id = '' } = {}] = await service().database.prisma.session.findMany();
    const token = service().app.deps.tokens.signRefresh(id, 0);
    const ask = (refreshToken: string) =>
      service().rest('GET', '/v1/refreshToken', { query: { refreshToken } });
    for (const other of spellings(token)) expect((await ask(other)).status, other).toBe(401);
    expect((await ask(token)).status).toBe(200);
    for (const other of spellings(token)) expect((await ask(other)).status, other).toBe(401);
  });

  it('is no address of a calendar, nor the end of a mailing', async () => {
    const made = await service().data(
      mutation('createCalendarFeed', 'calendarFeed { url }'),
      { input: {} },
      { headers: await service().session('subscriber') },
    );
    const reading = (url: string) => {
      const { pathname } = new URL(url, service().url);
      const cut = pathname.search(/[^/]*$/);
      const [secret = '', end = ''] = pathname.slice(cut).split(/(?=\.ics$)/);
      const ask = (other: string) =>
        service().fetch(pathname.slice(0, cut) + encodeURI(other) + end, { method: 'GET' });
      return [secret, ask] as const;
    };
    const [secret, ask] = reading(made.createCalendarFeed.calendarFeed.url);
    await expectOne(secret, ask, ({ status }) => status === 200);
    const by = { headers: await service().session('administrator') };
    const { id: me } = await service().account('administrator');
    const change = (name: string, fields: string, input: object) =>
      service().data(mutation(name, fields), { input }, by);
    const query = '{ doseReport(range: THIS_YEAR) { rows { month taken } } }';
    const saved = await change('createSavedReport', 'savedReport { id }', { name: 'Mine', query });
    await change('setReportMailing', 'reportMailing { every }', {
      ...{ every: 'WEEK', day: 1, recipientIds: [me] },
      reportId: saved.createSavedReport.savedReport.id,
    });
    const { reportId } = await service().database.prisma.reportMailing.findFirstOrThrow();
    const recipient = { reportId, accountId: me };
    const [link, visit] = reading(unsubscribeAddress(await service().context(), recipient));
    await expectOne(link, visit, ({ text }) => text.includes('Mine'));
  });

  it('and one of an account that has left is nobody’s, spelled as it was', async () => {
    const { id, username, password } = await service().account('subscriber');
    const bearer = await service().session('subscriber');
    const basic = {
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
    };
    const [{ id: session = '' } = {}] = await service().database.prisma.session.findMany();
    const made = await service().data(
      mutation('createCalendarFeed', 'calendarFeed { url }'),
      { input: {} },
      { headers: bearer },
    );
    const feed = new URL(made.createCalendarFeed.calendarFeed.url).pathname;
    const refresh = service().app.deps.tokens.signRefresh(session, 0);
    const asked = async () => [
      namesSubscriber(await service().graphql(VIEWER, {}, { headers: bearer })),
      namesSubscriber(await service().graphql(VIEWER, {}, { headers: basic })),
      (await service().fetch(feed, { method: 'GET' })).status === 200,
    ];
    expect(await asked()).toStrictEqual([true, true, true]);
    await service().database.prisma.account.delete({ where: { id } });
    expect(await asked()).toStrictEqual([false, false, false]);
    const { status } = await service().rest('GET', '/v1/refreshToken', {
      query: { refreshToken: refresh },
    });
    expect(status).toBe(401);
  });
});
