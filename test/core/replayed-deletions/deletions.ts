import {
  type GraphQLInputObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { globalId } from '../../../src/core/node.js';
import { Run } from '../../app/written-fields/run.js';
import { RUNS, WRITERS } from '../../app/written-fields/samples.js';
import type { World } from '../../app/written-fields/world.js';
import { type Writing, writingsOf } from '../../app/written-fields/writing.js';
import { makeCarer } from '../../support/factories.js';
import { type By, type Harness, mutation, type RoleName } from '../../support/harness.js';
import { expoToken } from '../../support/provider.js';

/** A mutation that takes something away. */
export interface Deletion {
  readonly name: string;
  /** Its text, which selects all that it answers. */
  readonly text: string;
  readonly input: GraphQLInputObjectType | undefined;
  readonly creating: Writing | undefined;
}

const VERBS = /^(?:delete|remove|revoke|withdraw|unassign|unlink|undo|end|disconnect)(?=[A-Z])/;

/** Returns the mutations that take something away, but for those of many: see `app/bulk.test.ts`. */
export function deletionsOf(schema: GraphQLSchema): Deletion[] {
  const writings = writingsOf(schema);
  return Object.values(schema.getMutationType()?.getFields() ?? {}).flatMap((field) => {
    const { name, args, type } = field;
    const payload = getNamedType(type);
    if (!VERBS.test(name) || !isObjectType(payload) || payload.getFields().results) return [];
    const input = args[0] && (getNamedType(args[0].type) as GraphQLInputObjectType);
    const selection = selectionOf(type, 3);
    const noun = name.replace(VERBS, '');
    const creating = writings.find((one) => one.noun === noun && !one.isChange);
    const text = input
      ? `mutation($input: ${input.name}!) { ${name}(input: $input) { ${selection} } }`
      : `mutation { ${name} { ${selection} } }`;
    return [{ name, text, input, creating }];
  });
}

/** Selects the fields without arguments that must be given, and those of objects in them. */
function selectionOf(type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return '';
  const fields = Object.values(named.getFields()).filter(
    ({ name, args }) => !args.some(isRequiredArgument) && !DEAR.test(name),
  );
  const parts = fields.map(({ name, type: of }) => {
    if (isLeafType(getNamedType(of))) return name;
    const inner = depth > 1 ? selectionOf(of, depth - 1) : '';
    return inner && `${name} { ${inner} }`;
  });
  return `__typename ${parts.join(' ')}`;
}

/** What costs too much to be selected with all else, and what is by the time of the answer. */
const DEAR = /^(?:memberHome|query|viewer)$/;

/** What a deletion is sent, and by whom. */
export interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly input: object | undefined;
}

/** Makes what a deletion takes away: as `create…` does, or as the table says. */
export async function madeFor(
  service: Harness,
  world: World,
  { name, input, creating }: Deletion,
): Promise<Sent> {
  const own = OTHERS[name];
  const as = own?.as ?? WRITERS[creating?.noun ?? ''] ?? 'administrator';
  const by = { headers: await service.session(as as RoleName) };
  if (own) return { ...by, input: await own.make(service, world, by) };
  if (!input || !creating) throw new Error('Say in the table what it deletes.');
  const run = new Run(world, creating, RUNS[creating.noun]?.[0] ?? [], by);
  const { row } = await run.write(0);
  const id = String(row.writtenId);
  const isOfPart = /^Model(Field|Group)$/.test(creating.noun);
  const versioned = isOfPart ? ['Model', await world.model(0)] : [creating.noun, id];
  const version = 'version' in input.getFields() && (await versionOf(world, versioned));
  const counted = 'itemCount' in input.getFields() && { itemCount: 0 };
  return { ...by, input: { id, ...(version && { version }), ...counted } };
}

async function versionOf(world: World, [type, id]: string[]): Promise<number> {
  const query = `query($id: ID!) { node(id: $id) { ... on ${type} { version } } }`;
  return (await world.ask(query, { id })).node.version;
}

/** What is not made by a `create…` of its own, and who takes it away. */
interface Other {
  readonly as: RoleName;
  readonly make: (service: Harness, world: World, by: By) => Promise<object | undefined>;
}

const idOf = async (service: Harness, as: 'subscriber' | 'clinician' | 'author') =>
  (await service.account(as)).id;

const care = async (service: Harness) => {
  const carerId = (await service.account('subscriber', 'carer')).id;
  return makeCarer(service, { memberId: await idOf(service, 'subscriber'), carerId });
};

const device = async (service: Harness, kind: string) => {
  const accountId = await idOf(service, 'subscriber');
  const at = new Date(service.now());
  const token = { token: expoToken('x'), tokenHash: 'x' };
  const data = { accountId, kind, ...token, createdAt: at, lastSeenAt: at };
  return (await service.database.prisma.device.create({ data })).id;
};

const OTHERS: Readonly<Record<string, Other>> = {
  deleteFormSubmission: {
    as: 'administrator',
    make: async (service) => {
      const receivedAt = new Date(service.now());
      const data = { platform: 'web', sealed: '', keyId: '', emailHash: '', receivedAt };
      const { id } = await service.database.prisma.formSubmission.create({ data });
      return { id: globalId('FormSubmission', id) };
    },
  },
  deleteNotifications: {
    as: 'subscriber',
    make: async (service, world) => {
      const input = { recipientIds: [await idOf(service, 'subscriber')], title: 'x', body: 'y' };
      const sent = await world.ask(mutation('sendNotification', 'notificationIds'), { input });
      return { ids: sent.sendNotification.notificationIds };
    },
  },
  deleteReportMailing: {
    as: 'administrator',
    make: async (_, world) => {
      const reportId = await world.savedReport(0);
      const input = { reportId, recipientIds: [world.own], every: 'WEEK', day: 1, hour: 8 };
      await world.ask(mutation('setReportMailing', '__typename'), { input });
      return { reportId };
    },
  },
  deleteRevision: {
    as: 'administrator',
    make: async (_, world) => {
      const id = await world.post(0);
      for (const content of ['One', 'Two'])
        await world.ask(mutation('updatePost', 'post { id }'), { input: { id, content } });
      const query = `query($id: ID!) { node(id: $id) {
        ... on Post { revisions { nodes { id } } } } }`;
      return { id: (await world.ask(query, { id })).node.revisions.nodes[0].id };
    },
  },
  deleteUser: {
    as: 'administrator',
    make: async (service) => ({ userId: await idOf(service, 'author'), content: 'HAND_OVER' }),
  },
  disconnectOutlook: {
    as: 'administrator',
    make: async (service) => {
      const connectedAt = new Date(service.now());
      const data = { mailbox: 'a@b.example', status: 'connected', refreshToken: 'x', connectedAt };
      await service.database.prisma.mailConnection.create({ data: { id: 1, ...data } });
      return undefined;
    },
  },
  endBreakGlass: {
    as: 'administrator',
    make: async (service, world) => {
      const input = { memberId: await idOf(service, 'subscriber'), reason: 'It is a test.' };
      const data = await world.ask(mutation('breakGlass', 'breakGlass { id }'), { input });
      return { id: data.breakGlass.breakGlass.id };
    },
  },
  endCare: { as: 'subscriber', make: async (service) => ({ id: await care(service) }) },
  endSession: {
    as: 'subscriber',
    make: async (service, world, by) => {
      await service.session('subscriber');
      const query = '{ viewer { sessions { nodes { id isCurrent } } } }';
      const { nodes } = (await world.ask(query, {}, by)).viewer.sessions;
      return { id: nodes.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent).id };
    },
  },
  endSessionsOf: {
    as: 'administrator',
    make: async (service) => {
      await service.session('subscriber');
      return { userId: await idOf(service, 'subscriber') };
    },
  },
  removeChannel: {
    as: 'subscriber',
    make: async (service) => {
      const deviceId = await device(service, 'sms');
      await service.database.prisma.channel.create({ data: { deviceId } });
      return { id: globalId('Channel', deviceId) };
    },
  },
  removeDevice: {
    as: 'subscriber',
    make: async (service) => ({ id: globalId('Device', await device(service, 'expo')) }),
  },
  revokeCalendarFeed: {
    as: 'subscriber',
    make: async (_, world, by) => {
      await world.ask(mutation('createCalendarFeed', '__typename'), { input: {} }, by);
      return undefined;
    },
  },
  unassignClinician: {
    as: 'administrator',
    make: async (service, world) => {
      const memberId = await idOf(service, 'subscriber');
      const input = { memberId, clinicianId: await idOf(service, 'clinician') };
      await world.ask(mutation('assignClinician', '__typename'), { input });
      return input;
    },
  },
  undoDose: {
    as: 'subscriber',
    make: async (_, world, by) => {
      const made = {
        name: 'Aspirin',
        frequency: 'daily',
        startsOn: '2026-03-01',
        startTime: '08:00',
      };
      await world.ask(mutation('createMedicineReminder', '__typename'), { input: made }, by);
      const day = 'from: "2026-03-01", to: "2026-03-01"';
      const { calendar } = await world.ask(
        `{ calendar(${day}) { events { occurrenceId } } }`,
        {},
        by,
      );
      const [input] = calendar.events;
      await world.ask(mutation('takeDose', '__typename'), { input }, by);
      return input;
    },
  },
  unlinkIdentity: {
    as: 'subscriber',
    make: async (service) => {
      const accountId = await idOf(service, 'subscriber');
      const at = new Date(service.now());
      const rows = ['x', 'y'].map((subject) => ({
        ...{ accountId, issuer: 'https://issuer.example', subject },
        ...{ createdAt: at, usedAt: at },
      }));
      const { identity } = service.database.prisma;
      const [one] = await identity.createManyAndReturn({ data: rows });
      return { id: globalId('Identity', one?.id ?? 0) };
    },
  },
  withdrawCareInvitation: {
    as: 'subscriber',
    make: async (_, world, by) => {
      const input = { to: 'carer@example.com', right: 'SEE' };
      const data = await world.ask(mutation('inviteCarer', 'careInvitation { id }'), { input }, by);
      return { id: data.inviteCarer.careInvitation.id };
    },
  },
};
