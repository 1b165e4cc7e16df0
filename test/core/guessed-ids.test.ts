// What one member has, by ids that others guess: each of them is answered what they are answered
// about ids of nothing, by every field with an id and every route with one.
import { getNamedType } from 'graphql';
import { ROUTES } from '../../src/rest/routes/index.js';
import { argumentPlaces } from '../graphql-face/argument-places.js';
import { makeAppointment, makeCarer, makeDevice, makeMedicine } from '../support/factories.js';
import { type RoleName, useService } from '../support/harness.js';

/** Ids that rows of the member have, and the member and a carer, and one that nothing has. */
const GUESSED = [1, 2];
const NOTHING = 987_654;
/** Strangers of all that access tells apart, except who may see accounts. */
const STRANGERS: readonly RoleName[] = process.env.NIGHTLY
  ? ['contributor', 'guest', 'clinician', 'editor', 'analyst']
  : ['contributor', 'clinician', 'editor'];
/** What is no member's: content, what everybody shares, and reports. */
const SHARED =
  /author|content|post|page|healthcare|media|term|revision|model|poll|polic|quote|video|form$|SavedReport|ReportEmbed/i;
const SHARED_PATHS = /\/(?:posts|pages|media|categories|tags|users|models|types|taxonomies)/;

describe('A guessed id', () => {
  const service = useService();

  async function world() {
    await service().clean();
    service().at('2026-03-10T12:00:00Z');
    const { id: memberId } = await service().account('subscriber');
    const { id: carerId } = await service().account('subscriber', 'carer');
    for (let i = 0; i < 2; i++) {
      await makeMedicine(service());
      await makeAppointment(service(), { date: '2026-03-11', time: '10:00' });
      await makeDevice(service(), `phone${i}`);
    }
    await makeCarer(service(), { memberId, carerId });
    const { prisma } = service().database;
    const createdAt = new Date(service().now());
    await prisma.careInvitation.create({
      data: {
        memberId,
        to: 'x',
        toKey: 'x',
        right: 'see',
        codeHash: 'x',
        createdAt,
        expiresAt: new Date(service().now() + 60_000),
      },
    });
    await prisma.dose.createMany({
      data: [1, 2].map(() => ({
        accountId: memberId,
        answer: 'taken',
        at: createdAt,
        name: 'x',
        loggedById: memberId,
        loggedAt: createdAt,
      })),
    });
    await prisma.notification.createMany({
      data: [1, 2].map(
        () =>
          ({
            accountId: memberId,
            kind: 'reminder',
            title: 'x',
            body: 'x',
            messageId: crypto.randomUUID(),
            createdAt,
            sendAt: createdAt,
            state: 'sent',
          }) as never,
      ),
    });
    await service().accounts(STRANGERS.map((role) => [role, role]));
    const sessions = STRANGERS.map(async (role) => [role, await service().session(role)] as const);
    return new Map(await Promise.all(sessions));
  }
  /** An answer about an id as it would be about another, without places and ids of requests. */
  const about = (text: string, id: number, asked = id) =>
    text
      .replaceAll(/"locations":\[[^\]]*\],?/g, '')
      .replaceAll(String(asked), String(id))
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'U');

  it('over GraphQL', async () => {
    let sessions = await world();
    const told: string[] = [];
    let compared = 0;
    for (const place of argumentPlaces(service().app.schema, 2)) {
      const isId =
        getNamedType(place.type).name === 'ID' && !/language\w*: N/.test(place.with('N'));
      if (!isId || SHARED.test(place.field) || place.operation === 'subscription') continue;
      const ask = async (id: number, role: RoleName) => {
        const headers = sessions.get(role) ?? {};
        const query = place.operation + place.with(String(id));
        const { text, body } = await service().graphql(query, {}, { headers });
        // What was done may show in the next answer.
        const isDone = Object.values(body.data ?? {}).some(Boolean);
        if (place.operation === 'mutation' && isDone) sessions = await world();
        return text;
      };
      for (const role of STRANGERS) {
        const nothing = await ask(NOTHING, role);
        for (const id of GUESSED) {
          const [one, other] = [about(await ask(id, role), id), about(nothing, id, NOTHING)];
          compared++;
          if (one !== other) told.push(`${role}: ${place.with(String(id))}: ${one} / ${other}`);
        }
      }
    }
    expect(told).toStrictEqual([]);
    expect(compared).toBeGreaterThan(300);
  }, 1_800_000);

  it('over REST', async () => {
    const sessions = await world();
    const told: string[] = [];
    let compared = 0;
    for (const { on, edition } of ROUTES) {
      const [methods = '', path = ''] = on.split(' ');
      if (!/\{\w+\}/.test(path) || SHARED_PATHS.test(path)) continue;
      for (const method of methods.split('|'))
        for (const face of edition ? [edition] : (['A', 'B'] as const))
          for (const role of STRANGERS) {
            const ask = async (id: number) => {
              const headers = sessions.get(role) ?? {};
              const sent = { edition: face, headers, described: false };
              const address = path.replaceAll(/\{\w+\}/g, String(id));
              const body = method === 'GET' ? {} : { body: {} };
              const { status, text } = await service().rest(method, address, { ...sent, ...body });
              return `${status} ${text}`;
            };
            const nothing = await ask(NOTHING);
            for (const id of GUESSED) {
              const [one, other] = [about(await ask(id), id), about(nothing, id, NOTHING)];
              compared++;
              if (one !== other) told.push(`${role}: ${face} ${method} ${path}: ${one} / ${other}`);
            }
          }
    }
    expect(told).toStrictEqual([]);
    expect(compared).toBeGreaterThan(50);
  });
});
