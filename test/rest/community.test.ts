import { firstStart } from '../../src/app/seed/first-start.js';
import { mutation, useService } from '../support/harness.js';

const service = useService();
const B = { edition: 'B' } as const;

const VIDEO = {
  title: 'Insulin, step by step',
  description: 'With a pen',
  url: 'https://youtu.be/dQw4w9WgXcQ',
  durationSeconds: 212,
  languageCode: 'EN-us',
  captions: [{ languageCode: 'de', label: 'Deutsch', url: 'https://cdn.example/de.vtt' }],
  thumbnailUrl: 'https://cdn.example/thumb.jpg',
};
const make = (input: object) =>
  service().data(mutation('createVideo', 'video { id databaseId version }'), { input }, 'editor');

describe('GET /v1/videos', () => {
  it('answers an array of what was published, newest first, with provider and captions', async () => {
    service().at('2026-03-10T12:00:00Z');
    await make({ ...VIDEO, publishedAt: '2026-03-01T10:00:00Z' });
    await make({
      title: 'Chair',
      url: 'https://cdn.example/chair.mp4',
      durationSeconds: 60,
      languageCode: 'de',
    });
    await make({ ...VIDEO, title: 'Tomorrow', publishedAt: '2026-03-11T10:00:00Z' });
    const { status, body, headers } = await service().rest('GET', '/v1/videos', B);
    expect(status).toBe(200);
    expect(headers.get('x-wp-total')).toBe('2');
    expect(body).toMatchObject([{ title: 'Chair', provider: 'file' }, { id: 1 }]);
    expect(body[0]).toMatchObject({ embed_url: null, thumbnail: null, captions: [] });
    expect(body[1]).toStrictEqual({
      id: 1,
      title: 'Insulin, step by step',
      description: 'With a pen',
      provider: 'youtube',
      url: 'https://youtu.be/dQw4w9WgXcQ',
      embed_url: 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
      duration: 212,
      language: 'en-US',
      captions: [{ language: 'de', label: 'Deutsch', url: 'https://cdn.example/de.vtt' }],
      thumbnail: 'https://cdn.example/thumb.jpg',
      published: '2026-03-01T10:00:00.000Z',
    });
  });

  it('is paged by `per_page` and `page`; a page beyond the last is 400', async () => {
    service().at('2026-03-10T12:00:00Z');
    for (const title of ['a', 'b', 'c']) await make({ ...VIDEO, title });
    const page = (query: Record<string, string>) =>
      service().rest('GET', '/v1/videos', { ...B, query });
    const second = await page({ per_page: '2', page: '2' });
    expect(second.body.map(({ title }: { title: string }) => title)).toStrictEqual(['a']);
    expect((await page({ per_page: '2', page: '3' })).status).toBe(400);
    expect((await page({ per_page: '101' })).body.data.params).toHaveProperty('per_page');
  });

  it('takes the same number of statements for one video and for fifty', async () => {
    const list = () => service().rest('GET', '/v1/videos', B);
    await make(VIDEO);
    await list();
    const few = await service().statements(list);
    for (let i = 0; i < 49; i++) await make(VIDEO);
    expect((await list()).body).toHaveLength(50);
    expect(await service().statements(list)).toBe(few);
    expect(few).toBe(2);
  });

  it('does not exist in edition A', async () => {
    expect((await service().rest('GET', '/v1/videos')).status).toBe(404);
    expect((await service().rest('GET', '/v1/quote')).status).toBe(404);
  });
});

describe('GET /v1/quote', () => {
  const quote = (text: string, languageCode = 'en', author?: string) =>
    service().data(
      mutation('createQuote', 'quote { databaseId }'),
      { input: { text, languageCode, author } },
      'editor',
    );
  const shown = async (sending = {}) =>
    (await service().rest('GET', '/v1/quote', { ...B, ...sending })).body;

  it('answers one object; 404 while there are no quotes', async () => {
    const { status, body } = await service().rest('GET', '/v1/quote', B);
    expect([status, body.code]).toStrictEqual([404, 'rest_quote_invalid_id']);
    await quote('Well begun is half done.', 'en', 'Aristotle');
    expect(await shown()).toStrictEqual({
      id: 1,
      text: 'Well begun is half done.',
      author: 'Aristotle',
      language: 'en',
    });
  });

  it('is the same for everybody all day, and another on the next', async () => {
    service().at('2026-03-09T09:00:00Z');
    for (let i = 0; i < 9; i++) await quote(`Quote ${i}`);
    const ids = new Set<number>();
    let last: number | undefined;
    for (let day = 11; day < 25; day++) {
      const of = [];
      for (const time of ['00:00:00', '08:30:00', '23:59:59']) {
        service().at(`2026-03-${day}T${time}Z`);
        for (const as of ['anonymous', 'subscriber'] as const) of.push((await shown({ as })).id);
      }
      expect(new Set(of).size).toBe(1);
      expect(of[0]).not.toBe(last);
      last = of[0];
      ids.add(of[0] as number);
    }
    expect(ids.size).toBeGreaterThan(4);
  });

  it('follows the day of the zone: of the site for the anonymous, else of the account', async () => {
    service().at('2026-03-09T09:00:00Z');
    for (let i = 0; i < 8; i++) await quote(`Quote ${i}`);
    service().at('2026-03-12T20:00:00Z'); // in Auckland it is the 13th
    const today = (await shown()).id;
    await service().data(
      'mutation { updateProfile(input: { timeZone: "Pacific/Auckland" }) { viewer { id } } }',
    );
    const theirs = (await shown({ as: 'subscriber' })).id;
    const { quoteOfTheDay } = await service().data('{ quoteOfTheDay { date timeZone } }');
    expect(quoteOfTheDay).toStrictEqual({ date: '2026-03-13', timeZone: 'Pacific/Auckland' });
    expect((await shown()).id).toBe(today);
    service().at('2026-03-13T02:00:00Z');
    expect((await shown()).id).toBe(theirs);
    expect(theirs).not.toBe(today);
  });

  it('stays when quotes are made or others deleted on that day', async () => {
    service().at('2026-03-01T09:00:00Z');
    for (let i = 0; i < 6; i++) await quote(`Quote ${i}`);
    service().at('2026-03-12T20:00:00Z');
    const { id } = await shown();
    for (let i = 0; i < 20; i++) await quote(`New ${i}`);
    for (const other of [1, 2, 3, 4, 5, 6].filter((each) => each !== id))
      await service().data(
        mutation('deleteQuote', 'quote { id }'),
        { input: { id: String(other) } },
        'editor',
      );
    expect((await shown()).id).toBe(id);
  });

  it('is in the language that is asked for, else of the account, else in English', async () => {
    await quote('Rest is not idleness.');
    await quote('Wer rastet, der rostet.', 'de');
    const german = await service().database.prisma.language.findFirst({ where: { code: 'de' } });
    expect((await shown({ query: { language: 'de-AT' } })).language).toBe('de');
    expect((await shown({ query: { language: 'fr' } })).language).toBe('en');
    expect((await shown({ query: { language: 'no language' } })).code).toBe('rest_invalid_param');
    expect((await shown({ as: 'subscriber' })).language).toBe('en');
    await service().data(mutation('updateProfile', 'viewer { id }'), {
      input: { language: german?.id },
    });
    expect((await shown({ as: 'subscriber' })).language).toBe('de');
  });
});

test('the demo has videos and a quote', async () => {
  const seeding = await service().under({ SEED: 'demo' });
  await firstStart(seeding.app);
  const videos = await seeding.rest('GET', '/v1/videos', B);
  expect(videos.body.length).toBeGreaterThan(2);
  expect((await seeding.rest('GET', '/v1/quote', B)).status).toBe(200);
  await seeding.stop();
});
