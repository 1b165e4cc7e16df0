import { serviceContext } from '../../src/core/service-context.js';
import { forgetRetries } from '../../src/core/transact.js';
import { errorCode, mutation, type RoleName, useService } from '../support/harness.js';

/** A noun that is deleted for good: what makes one, and what a client sees of it. */
interface Noun {
  readonly noun: string;
  readonly as: RoleName;
  readonly input: object;
  readonly fields: string;
  /** The field of the payload. Default: as the noun, in small letters. */
  readonly part?: string;
  readonly missing: string;
}

const LATER = '2099-01-01T00:00:00Z';
const NOUNS: readonly Noun[] = [
  {
    noun: 'Quote',
    as: 'editor',
    input: { text: 'Walk.', author: 'Ada', languageCode: 'en' },
    fields: 'id databaseId text author languageCode version',
    missing: 'QUOTE_NOT_FOUND',
  },
  {
    noun: 'Video',
    as: 'editor',
    input: {
      title: 'Walking',
      url: 'https://vimeo.com/76979871',
      durationSeconds: 90,
      languageCode: 'en',
      captions: [{ languageCode: 'en', label: 'English', url: 'https://cdn.example/a.vtt' }],
    },
    fields:
      'id title url embedUrl provider publishedAt captions { languageCode label url } version',
    missing: 'VIDEO_NOT_FOUND',
  },
  {
    noun: 'HealthcareServiceType',
    part: 'type',
    as: 'editor',
    input: { name: 'Pharmacy', description: 'Sells medicines.' },
    fields: 'id name description version',
    missing: 'SERVICE_TYPE_NOT_FOUND',
  },
  {
    noun: 'HealthcareService',
    part: 'service',
    as: 'editor',
    input: {
      name: 'Corner',
      place: { address: 'High Street 1', latitude: 1.5, longitude: 2.5 },
      openingHours: [{ weekday: 'MONDAY', opens: '08:00', closes: '12:00' }],
    },
    fields:
      'id name place { address latitude longitude } openingHours { weekday opens closes } updatedAt',
    missing: 'SERVICE_NOT_FOUND',
  },
  {
    noun: 'SavedReport',
    part: 'savedReport',
    as: 'administrator',
    input: { name: 'Mine', query: 'query Own { viewer { username } }' },
    fields: 'id name query variables isOwn ownerName modifiedAt version',
    missing: 'SAVED_REPORT_NOT_FOUND',
  },
  {
    noun: 'Policy',
    as: 'administrator',
    input: { languageId: 1, title: 'Privacy', text: '<p>All.</p>', effectiveAt: LATER },
    fields: 'id number title text effectiveAt agreementCount language { id name }',
    missing: 'POLICY_NOT_FOUND',
  },
  {
    noun: 'Poll',
    as: 'administrator',
    input: { question: 'How?', options: ['Well', 'So so'] },
    fields: 'id question opensAt options { id text votes } participantCount version',
    missing: 'POLL_NOT_FOUND',
  },
  {
    noun: 'Term',
    as: 'editor',
    input: { taxonomy: 'TAG', name: 'Sleep', description: 'All about it.' },
    fields: 'id name slug url description taxonomy',
    missing: 'TERM_NOT_FOUND',
  },
];

describe('A deletion that comes again under its Idempotency-Key', () => {
  const service = useService();
  const KEY = { 'idempotency-key': 'one' };
  const ANEW = { 'idempotency-key': 'another' };

  const send = (name: string, fields: string, input: object, as: RoleName, headers = {}) =>
    service().graphql(mutation(name, fields), { input }, { as, headers });

  async function made({ noun, as, input, part = noun.toLowerCase(), fields }: Noun) {
    const { body } = await send(`create${noun}`, `${part} { id }`, input, as);
    const id: string = body.data[`create${noun}`][part].id;
    return (headers: object) => send(`delete${noun}`, `${part} { ${fields} }`, { id }, as, headers);
  }

  it.each(NOUNS.map((noun) => [noun.noun, noun] as const))(
    'answers a %s as the first time, over GraphQL',
    async (_, noun) => {
      const remove = await made(noun);
      const first = await remove(KEY);
      expect([first.status, first.body.errors]).toStrictEqual([200, undefined]);
      expect(await remove(KEY)).toMatchObject({ status: 200, body: first.body });
      expect(errorCode((await remove(ANEW)).body)).toBe(noun.missing);
    },
  );

  it('answers a model as the first time, over REST', async () => {
    const made = await service().rest('POST', '/models/v1/pods', {
      as: 'administrator',
      body: { name: 'book', label: 'Books', type: 'post_type' },
    });
    expect(made.status).toBe(200);
    const remove = (headers: Record<string, string>) =>
      service().rest('POST', '/models/v1/pods/book', {
        query: { _method: 'DELETE' },
        as: 'administrator',
        headers,
      });
    const first = await remove(KEY);
    expect(first.status).toBe(200);
    expect(await remove(KEY)).toMatchObject({ status: 200, body: first.body });
    expect((await remove(ANEW)).status).toBe(404);
  });

  it('is another deletion for another account, and after a day', async () => {
    const quote = NOUNS[0] as Noun;
    const remove = await made(quote);
    await remove(KEY);
    const { idempotentChange } = service().database.prisma;
    const [known] = await idempotentChange.findMany({});
    const input = { id: 1 };
    const other = await send('deleteQuote', 'quote { id }', input, 'administrator', KEY);
    expect(errorCode(other.body)).toBe(quote.missing);
    const day = 24 * 60 * 60 * 1000;
    service().at((known?.createdAt.getTime() ?? 0) + day + 1);
    expect(errorCode((await remove(KEY)).body)).toBe(quote.missing);
  });

  it('is forgotten with what was deleted after a day', async () => {
    await (await made(NOUNS[0] as Noun))(KEY);
    const { deps } = await serviceContext(service().app.deps, 'test');
    const { idempotentChange } = service().database.prisma;
    const [known] = await idempotentChange.findMany({});
    const forget = async (after: number) => {
      service().at((known?.createdAt.getTime() ?? 0) + after);
      await forgetRetries(deps, new AbortController().signal);
      return idempotentChange.count();
    };
    expect(await forget(24 * 60 * 60 * 1000)).toBe(1);
    expect(await forget(24 * 60 * 60 * 1000 + 1)).toBe(0);
  });
});
