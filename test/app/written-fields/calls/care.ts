import { globalId } from '../../../../src/core/node.js';
import { makeCarer } from '../../../support/factories.js';
import { mutation, type RoleName } from '../../../support/harness.js';
import { type Call, refused, type Stage } from '../calling.js';

const accountOf = async ({ service }: Stage, role: RoleName, name?: string) =>
  globalId('Account', (await service.account(role, name)).id);

/** The two carers of the subscriber, in their order. */
async function carers({ service }: Stage): Promise<string[]> {
  const memberId = (await service.account('subscriber')).id;
  const found = await service.database.prisma.careRelation.findMany({
    orderBy: { position: 'asc' },
  });
  if (found.length > 0) return found.map(({ id }) => globalId('CareRelation', id));
  const ids: string[] = [];
  for (const position of [1, 2]) {
    const carerId = (await service.account('subscriber', `carer-${position}`)).id;
    ids.push(globalId('CareRelation', await makeCarer(service, { memberId, carerId, position })));
  }
  return ids;
}

/** An invitation that another member sent to who calls: the code that its mail tells. */
const invited = async (stage: Stage) => {
  const { service, world } = stage;
  const headers = await service.session('subscriber', 'member');
  const input = { to: 'subscriber@example.com', right: 'SEE' };
  await world.ask(mutation('inviteCarer', '__typename'), { input }, { headers });
  const where = { template: 'care_invitation' };
  const mail = await service.database.prisma.outgoingMail.findFirst({ where });
  return { code: JSON.parse(mail?.values ?? '{}').code };
};

const assigned = async (stage: Stage) => ({
  memberId: await accountOf(stage, 'subscriber'),
  clinicianId: await accountOf(stage, 'clinician'),
});

export const CARE: readonly Call[] = [
  {
    as: 'subscriber',
    name: 'orderCarers',
    make: async (stage) => ({ ids: await carers(stage) }),
    shown: 'carers { id }',
    lines: {
      ids: async (stage) => {
        const ids = await carers(stage);
        return [ids, [...ids].reverse()].map(
          (order) => [order, { carers: order.map((id) => ({ id })) }] as const,
        );
      },
    },
  },
  {
    as: 'subscriber',
    name: 'changeCareRight',
    make: async (stage) => ({ id: (await carers(stage))[0], right: 'ANSWER' }),
    shown: 'careRelation { right }',
    lines: {
      right: ['ANSWER', 'EDIT'].map((right) => [right, { careRelation: { right } }] as const),
    },
  },
  {
    as: 'subscriber',
    name: 'inviteCarer',
    make: () => ({ to: 'one@example.com', right: 'SEE' }),
    shown: 'careInvitation { to right }',
    lines: {
      to: ['one@example.com', 'two@example.com'].map(
        (to) => [to, { careInvitation: { to } }] as const,
      ),
      right: ['SEE', 'EDIT'].map((right) => [right, { careInvitation: { right } }] as const),
    },
  },
  ...['acceptCareInvitation', 'declineCareInvitation'].map((name): Call => {
    return {
      as: 'subscriber',
      name,
      make: invited,
      lines: {
        code: (_, { code }) => [
          [code, {}],
          ['no-such-code-of-anybody', refused('')],
        ],
      },
    };
  }),
  ...['assignClinician', 'unassignClinician'].map((name): Call => {
    return {
      name,
      make: async (stage) => {
        const input = await assigned(stage);
        if (name !== 'assignClinician')
          await stage.world.ask(mutation('assignClinician', '__typename'), { input });
        return input;
      },
      shown: 'careAssignment { member { id } clinician { id } }',
    };
  }),
  {
    name: 'breakGlass',
    make: async (stage) => ({
      memberId: await accountOf(stage, 'subscriber'),
      reason: 'It is a test.',
    }),
    shown: 'breakGlass { reason }',
    lines: {
      reason: ['It is a test.', 'An accident.'].map(
        (reason) => [reason, { breakGlass: { reason } }] as const,
      ),
    },
  },
];
