// What one member has, by ids that others guess: each of them is answered what they are answered
// about ids of nothing, by every field with an id and every route with one.
import { getNamedType } from 'graphql';
import { NODES } from '../../src/app/schema/nodes.js';
import { globalId, readGlobalId } from '../../src/core/node.js';
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
/** Types of nodes that are no member's; submissions of forms are all staff's. */
const SHARED_TYPES =
  /Item|Media|Page|Pol|Post|Quote|Revision|Service|Term|Video|Language|Model|Viewer|^Form/;
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
    const devices = [1, 2].map((deviceId) => ({ deviceId, verifiedAt: createdAt }));
    await prisma.channel.createMany({ data: devices });
    await prisma.delivery.createMany({
      data: [1, 2].map((id) => ({
        ...{ notificationId: id, deviceId: id, kind: 'expo', state: 'sent' },
        ...{ dueAt: createdAt, expiresAt: createdAt, nextAt: createdAt },
      })),
    });
    await prisma.savedReport.createMany({
      data: [1, 2].map(() => ({
        ...{ accountId: memberId, name: 'x', query: '{ viewer { id } }', variables: '{}' },
        ...{ isShared: false, modifiedAt: createdAt },
      })),
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

  it('as a node of each type, by numbers and by what the member reads of it', async () => {
    const sessions = await world();
    const own = await service().data(
      `{ viewer { id } notifications { nodes { id } } devices { id } channels { id } carers { id }
        medicineReminders { nodes { id } } calendar { days { events { id } } } }`,
    );
    const { id: accountId } = await service().account('subscriber');
    await service().session('subscriber');
    const kept = await service().database.prisma.session.findMany({ where: { accountId } });
    const read = [
      ...[...JSON.stringify(own).matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id as string),
      ...kept.map(({ id }) => globalId('Session', id)),
    ];
    const types = Object.keys(NODES).filter((type) => !SHARED_TYPES.test(type));
    const told: string[] = [];
    for (const role of STRANGERS) {
      const headers = sessions.get(role) ?? {};
      const ask = async (ids: string[]) => {
        const query =
          'query($id: ID!, $ids: [ID!]!) { node(id: $id) { __typename id } nodes(ids: $ids) { id } }';
        return (await service().graphql(query, { id: ids[0], ids }, { headers })).text;
      };
      const ids = [...types.flatMap((type) => GUESSED.map((id) => globalId(type, id))), ...read];
      const nothing = new Map<string, string>();
      for (const type of types) nothing.set(type, await ask([globalId(type, NOTHING)]));
      for (const id of ids) {
        const type = readGlobalId(id)?.type ?? '';
        if (SHARED_TYPES.test(type)) continue;
        const [one, other] = [await ask([id]), nothing.get(type)];
        if (one.replaceAll(id, 'ID') !== other?.replaceAll(globalId(type, NOTHING), 'ID'))
          told.push(`${role}: ${type} ${id}: ${one} / ${other}`);
      }
      expect(new Set(read.map((id) => readGlobalId(id)?.type)).size).toBeGreaterThan(5);
    }
    expect(told).toStrictEqual([]);
  });

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
