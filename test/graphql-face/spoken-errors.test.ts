import { isScalarType } from 'graphql';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { makeSchema } from '../../src/app/schema/schema.js';
import { REASONS, type Reason } from '../../src/core/reasons.js';
import { boundsOf } from '../../src/core/scalars/scalar.js';
import { GERMAN } from '../../src/graphql/spoken/german.js';
import { germanOfValue } from '../../src/graphql/spoken/german-values.js';
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

  it('are German for values that do not fit, alone and together', async () => {
    const [one, several] = [
      { name: 'x', startTime: '25 Uhr' },
      { name: '', medicineType: 'x'.repeat(70_000), startTime: '25 Uhr', endsOn: '2026-13-01' },
    ];
    const told = async (input: object) =>
      (await ask(mutation('createMedicineReminder', '__typename'), 'de', input)).body.errors[0];
    const { message, extensions } = await told(one);
    expect(message).toBe('input.startTime muss eine Uhrzeit wie 08:00 sein.');
    expect(extensions).toStrictEqual({
      code: 'BAD_USER_INPUT',
      problems: [
        {
          path: ['input', 'startTime'],
          code: 'BAD_USER_INPUT',
          message: 'muss eine Uhrzeit wie 08:00 sein',
        },
      ],
    });
    expect((await told(several)).message).toBe(
      'input.startTime muss eine Uhrzeit wie 08:00 sein. ' +
        'input.endsOn muss ein Tag wie 2026-03-01 sein. ' +
        'input.medicineType muss ein Text von höchstens 65.536 Bytes ohne NUL sein.',
    );
  });

  it('are German of subscriptions too, by a stream and by a WebSocket', async () => {
    const query =
      'subscription { changes(subjects: [{ feed: CALENDAR, memberId: "4711" }]) { version } }';
    const stream = await service().fetch('/graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'accept-language': 'de',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({ query }),
    });
    const client = createClient({
      url: `${service().url.replace('http', 'ws')}/graphql`,
      webSocketImpl: class extends WebSocket {
        constructor(address: string, protocols: string[]) {
          super(address, protocols, { headers: { 'accept-language': 'de' } });
        }
      },
    });
    for (const wrong of [query, 'subscription { pollResults(id: 4711) { participantCount } }']) {
      const { value } = await client
        .iterate({ query: wrong })
        .next()
        .catch((errors) => ({ value: { errors } }));
      const [{ message, extensions }] = value.errors;
      expect(message).toBe(GERMAN[extensions.code as Reason]);
    }
    await client.dispose();
    expect(stream.text).toContain(GERMAN.UNAUTHENTICATED);
  });

  it('have German words for every bound of a value', () => {
    const bounds = Object.values(makeSchema().getTypeMap()).flatMap((type) => {
      const bounded = isScalarType(type) ? boundsOf(type) : undefined;
      return bounded?.expected ? [bounded.expected] : [];
    });
    expect(bounds.length).toBeGreaterThan(60);
    const untold = bounds.filter((expected) => !germanOfValue(`must be ${expected}`));
    expect(untold).toStrictEqual([]);
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
