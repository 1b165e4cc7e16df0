import { REASONS } from '../../src/core/reasons.js';
import { GERMAN } from '../../src/graphql/spoken/german.js';
import { mutation, useService } from '../support/harness.js';

describe('Messages of refusals', () => {
  const service = useService();
  const ask = async (query: string, language: string | undefined, input: object = {}) => {
    const headers: Record<string, string> = language ? { 'accept-language': language } : {};
    return service().graphql(query, { input }, { headers, as: 'subscriber' });
  };
  const missing = 'query { medicineReminder(id: 4711) { id } }';
  const messageIn = async (language: string | undefined) =>
    (await ask(missing, language)).body.errors[0].message;

  it.each([
    ['de', true],
    ['de-AT,en;q=0.5', true],
    ['en;q=0.4, de;q=0.9', true],
    ['fr, de;q=0.3', true],
    [undefined, false],
    ['en, de', false],
    ['de;q=0', false],
    ['fr', false],
    ['*', false],
    [`${'x-y, '.repeat(200)}de`, false],
    ['§;q=de,,,;;', false],
  ])('are German where that is preferred: %s', async (language, isGerman) => {
    const english = await messageIn('en');
    expect(await messageIn(language)).toBe(isGerman ? GERMAN.REMINDER_NOT_FOUND : english);
    expect(english).not.toBe(GERMAN.REMINDER_NOT_FOUND);
  });

  it('are German for each problem, with codes and paths as ever', async () => {
    const input = { title: 'x', recipientIds: [4711], sendAt: 'never' };
    const [english, german] = [
      await ask(mutation('sendNotification', '__typename'), 'en', input),
      await ask(mutation('sendNotification', '__typename'), 'de', input),
    ];
    const told = ({ body }: typeof english) =>
      body.errors.map(({ path, extensions }: { path: unknown; extensions: { code: string } }) => [
        path,
        extensions.code,
      ]);
    expect(told(german)).toStrictEqual(told(english));
    expect(german.headers.get('content-language')).toBe('de');
    expect(english.headers.get('content-language')).toBeNull();
  });

  it('are a sentence for people in German for every reason', () => {
    expect(Object.keys(GERMAN).sort()).toStrictEqual(Object.keys(REASONS).sort());
    for (const [reason, sentence] of Object.entries(GERMAN))
      expect(sentence, reason).toMatch(/^[A-ZÄÖÜ`].{10,118}\.$/u);
  });

  it('stay English over REST, whatever is preferred', async () => {
    const { body } = await service().rest('GET', '/v1/posts/4711', {
      headers: { 'accept-language': 'de' },
    });
    expect(body.message).toBe('Invalid post ID.');
  });
});
