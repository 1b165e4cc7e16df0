// What `viewerCan` and `viewer.can` say is what the mutations do: each is asked and then called, by
// callers of all roles.
import { randomUUID } from 'node:crypto';
import { globalId } from '../../src/core/node.js';
import { CALLERS } from '../core/access-matrix/rules.js';
import { type Caller, errorCode, type Harness, mutation, useService } from '../support/harness.js';

/** Rows of a type, and the inputs of the mutations that its rights are about. */
interface Case {
  readonly type: string;
  readonly make: (service: Harness) => Promise<string>;
  /** By right: the mutation and its input beside the id. */
  readonly rights: Readonly<Record<string, readonly [mutation: string, input?: object]>>;
  /** The field of the inputs that has the id. Default: `id`. */
  readonly key?: string;
  /** Whether the callers come with sessions, where an application password is not enough. */
  readonly bySession?: boolean;
}

/** Makes a row by a mutation of the administrator's; returns its global id. */
const by =
  (name: string, part: string, input: object) =>
  async (service: Harness): Promise<string> =>
    (await service.data(mutation(name, `${part} { id }`), { input }, 'administrator'))[name][part]
      .id;

const changing = (type: string, input: object) => ({
  update: [`update${type}`, input] as const,
  delete: [`delete${type}`] as const,
});

const content = (type: string, one: string, status: string, author?: Caller) => ({
  type,
  make: async (service: Harness) => {
    const authorId = author && (await service.account(author as 'author')).id;
    const trash = status === 'TRASH';
    const input = { title: 'x', status: trash ? 'PUBLISH' : status, ...(authorId && { authorId }) };
    const id = await by(`create${type}`, one, input)(service);
    if (trash) await by(`trash${type}`, one, { id })(service);
    return id;
  },
  rights: {
    edit: [`update${type}`, { title: 'y' }] as const,
    publish: [`update${type}`, { status: 'PUBLISH' }] as const,
    trash: [`trash${type}`] as const,
    restore: [`restore${type}`] as const,
    delete: [`delete${type}`] as const,
  },
});

async function revision(service: Harness): Promise<string> {
  const { id } = await service.post({ title: 'One', author: (await service.account('author')).id });
  await service.data(
    mutation('updatePost', 'post { id }'),
    { input: { id, title: 'Two' } },
    'editor',
  );
  const [row] = await service.database.query<{ id: number }>('SELECT max(id) AS id FROM revision');
  return globalId('Revision', row?.id ?? 0);
}

async function modelItem(service: Harness): Promise<string> {
  const name = `m${service.now()}`.toLowerCase();
  const modelId = await by('createModel', 'model', { name, type: 'POST_TYPE' })(service);
  return by('createModelItem', 'item', { modelId, values: [] })(service);
}

const media = (as: 'author' | 'editor') => async (service: Harness) => {
  const input = { url: 'https://cdn.example/x.jpg', mimeType: 'image/jpeg' };
  const { createMedia } = await service.data(
    mutation('createMedia', 'media { id }'),
    { input },
    as,
  );
  return createMedia.media.id;
};

const MOMENT = '2099-01-01T00:00:00Z';

/** Makes a reminder of a member whom a contributor sees and an author cares for. */
const reminder = (type: string, input: object) => async (service: Harness) => {
  const { id: memberId } = await service.account('subscriber');
  for (const [carer, right] of [
    ['contributor', 'see'],
    ['author', 'edit'],
  ] as const) {
    const { id: carerId } = await service.account(carer);
    const carers = { memberId, carerId, right, position: 1, createdAt: new Date() };
    const where = { memberId_carerId: { memberId, carerId } };
    await service.database.prisma.careRelation.upsert({ where, create: carers, update: {} });
  }
  const { [`create${type}`]: made } = await service.data(
    mutation(`create${type}`, 'reminder { id }'),
    { input },
    'subscriber',
  );
  return made.reminder.id;
};

async function sharedReport(service: Harness): Promise<string> {
  const input = { name: 'x', query: '{ viewer { id } }', isShared: true };
  const text = mutation('createSavedReport', 'savedReport { id }');
  const { createSavedReport } = await service.data(text, { input }, 'analyst');
  return createSavedReport.savedReport.id;
}

const policyFrom = (effectiveAt: string) => async (service: Harness) => {
  const input = { languageId: 1, title: 'x', text: 'y', effectiveAt };
  return by('createPolicy', 'policy', input)(service);
};

const account = async (service: Harness) => {
  const { id } = await service.account('subscriber', `other-${service.database.statements}`);
  return globalId('Account', id);
};

async function suspended(service: Harness): Promise<string> {
  const userId = await account(service);
  const by = { headers: await service.session('administrator') };
  await service.data(mutation('suspendUser', '__typename'), { input: { userId } }, by);
  return userId;
}

async function device(service: Harness): Promise<string> {
  const input = { token: `ExponentPushToken[${randomUUID().slice(0, 22)}]` };
  const text = mutation('registerDevice', 'device { id }');
  return (await service.data(text, { input }, 'subscriber')).registerDevice.device.id;
}

/** Makes the relation of a member and a carer. */
async function relation(service: Harness): Promise<string> {
  const { id: memberId } = await service.account('subscriber');
  const { id: carerId } = await service.account('author');
  const { prisma } = service.database;
  await prisma.careRelation.deleteMany();
  const data = { memberId, carerId, right: 'edit', position: 1, createdAt: new Date() };
  return globalId('CareRelation', (await prisma.careRelation.create({ data })).id);
}

const modelPart = (part: 'Field' | 'Group', more: object) => async (service: Harness) => {
  const name = `m${service.database.statements}`;
  const modelId = await by('createModel', 'model', { name, type: 'POST_TYPE' })(service);
  const input = { modelId, version: 1, name: 'x', label: 'x', ...more };
  return by(`createModel${part}`, part.toLowerCase(), input)(service);
};

const CASES: readonly Case[] = [
  {
    type: 'CareRelation',
    make: relation,
    bySession: true,
    rights: { changeRight: ['changeCareRight', { right: 'SEE' }], end: ['endCare'] },
  },
  {
    type: 'ModelField',
    make: modelPart('Field', { type: 'TEXT' }),
    rights: {
      update: ['updateModelField', { version: 2, label: 'y' }],
      delete: ['deleteModelField', { version: 2 }],
    },
  },
  {
    type: 'ModelGroup',
    make: modelPart('Group', {}),
    rights: {
      update: ['updateModelGroup', { version: 2, label: 'y' }],
      delete: ['deleteModelGroup', { version: 2 }],
    },
  },
  ...[account, suspended].map((make) => ({
    type: 'Account',
    make,
    key: 'userId',
    bySession: true,
    rights: {
      update: ['updateUser', { name: 'y' }],
      setRoles: ['setRoles', { roles: ['EDITOR'] }],
      suspend: ['suspendUser'],
      reinstate: ['reinstateUser'],
      endSessions: ['endSessionsOf'],
      sendPasswordReset: ['sendPasswordReset'],
      delete: ['deleteUser', { content: 'TRASH' }],
    } as const,
  })),
  {
    type: 'Account',
    make: async (service) => globalId('Account', (await service.account('administrator')).id),
    key: 'userId',
    bySession: true,
    rights: {
      update: ['updateUser', { name: 'y' }],
      suspend: ['suspendUser'],
      delete: ['deleteUser', { content: 'TRASH' }],
    },
  },
  { type: 'Device', make: device, rights: { remove: ['removeDevice'] } },
  {
    type: 'Model',
    make: (service) =>
      by('createModel', 'model', { name: `m${service.database.statements}`, type: 'POST_TYPE' })(
        service,
      ),
    rights: {
      update: ['updateModel', { version: 1, name: 'y' }],
      delete: ['deleteModel', { version: 1, itemCount: 0 }],
    },
  },
  {
    type: 'MedicineReminder',
    make: reminder('MedicineReminder', { name: 'x', frequency: 'daily' }),
    rights: changing('MedicineReminder', { name: 'y' }),
  },
  {
    type: 'AppointmentReminder',
    make: reminder('AppointmentReminder', { title: 'x', date: '2099-01-01' }),
    rights: changing('AppointmentReminder', { title: 'y' }),
  },
  { type: 'SavedReport', make: sharedReport, rights: changing('SavedReport', { name: 'y' }) },
  { type: 'Policy', make: policyFrom(MOMENT), rights: { delete: ['deletePolicy'] } },
  ...['DRAFT', 'PENDING', 'PUBLISH', 'PRIVATE', 'TRASH'].flatMap((status) =>
    ([undefined, 'author', 'contributor'] as const).map((author) =>
      content('Post', 'post', status, author),
    ),
  ),
  content('Page', 'page', 'PUBLISH'),
  content('HealthcareItem', 'healthcareItem', 'PUBLISH'),
  {
    type: 'Revision',
    make: revision,
    rights: { restore: ['restoreRevision'], delete: ['deleteRevision'] },
  },
  { type: 'Media', make: media('author'), rights: changing('Media', { title: 'y' }) },
  { type: 'Media', make: media('editor'), rights: changing('Media', { title: 'y' }) },
  {
    type: 'Term',
    make: (service) =>
      by('createTerm', 'term', { taxonomy: 'TAG', name: `t${service.database.statements}` })(
        service,
      ),
    rights: changing('Term', { name: 'y' }),
  },
  { type: 'Term', make: async () => globalId('Term', 1), rights: { delete: ['deleteTerm'] } },
  {
    type: 'ModelItem',
    make: modelItem,
    rights: {
      update: ['updateModelItem', { version: 1, values: [] }],
      delete: ['deleteModelItem', { version: 1 }],
    },
  },
  {
    type: 'Quote',
    make: by('createQuote', 'quote', { text: 'x', author: 'y', languageCode: 'en' }),
    rights: changing('Quote', { text: 'z' }),
  },
  {
    type: 'Video',
    make: by('createVideo', 'video', {
      title: 'x',
      url: 'https://vimeo.com/76979871',
      durationSeconds: 9,
      languageCode: 'en',
    }),
    rights: changing('Video', { title: 'z' }),
  },
  {
    type: 'Poll',
    make: by('createPoll', 'poll', { question: 'x', options: ['a'] }),
    rights: changing('Poll', { question: 'z' }),
  },
  {
    type: 'Form',
    make: by('createForm', 'form', { name: 'x', scoreLeast: 0, scoreMost: 9 }),
    rights: { update: ['updateForm', { name: 'z' }] },
  },
  {
    type: 'HealthcareServiceKind',
    make: by('createHealthcareServiceType', 'type', { name: 'x' }),
    rights: changing('HealthcareServiceType', { name: 'z' }),
  },
  {
    type: 'HealthcareService',
    make: by('createHealthcareService', 'service', { name: 'x' }),
    rights: changing('HealthcareService', { name: 'z' }),
  },
];

/** The rights of the viewer that concern no object, with an input that is right. */
const CAN: Readonly<Record<string, readonly [mutation: string, input: object]>> = {
  createCategory: ['createTerm', { taxonomy: 'CATEGORY', name: 'x' }],
  createForm: ['createForm', { name: 'x', scoreLeast: 0, scoreMost: 9 }],
  createHealthcareItem: ['createHealthcareItem', { title: 'x' }],
  createHealthcareService: ['createHealthcareService', { name: 'x' }],
  createHealthcareServiceType: ['createHealthcareServiceType', { name: 'x' }],
  createMedia: ['createMedia', { url: 'https://cdn.example/x.jpg', mimeType: 'image/jpeg' }],
  createModel: ['createModel', { name: 'x', type: 'POST_TYPE' }],
  createPage: ['createPage', { title: 'x' }],
  createPolicy: [
    'createPolicy',
    { languageId: 1, title: 'x', text: 'y', effectiveAt: '2099-01-01T00:00:00Z' },
  ],
  createPoll: ['createPoll', { question: 'x', options: ['a'] }],
  createPost: ['createPost', { title: 'x' }],
  createQuote: ['createQuote', { text: 'x', author: 'y', languageCode: 'en' }],
  createTag: ['createTerm', { taxonomy: 'TAG', name: 'y' }],
  createVideo: [
    'createVideo',
    { title: 'x', url: 'https://vimeo.com/76979871', durationSeconds: 9, languageCode: 'en' },
  ],
  updateSite: ['updateSite', { tagline: 'x' }],
};

/** Types that are the viewer's own alone, and the site, of which `can` of the viewer says it. */
const OWN = ['CalendarFeed', 'NotificationPreference', 'ReportMailing', 'Site'];

describe('What the viewer may do', () => {
  const service = useService();

  for (const [place, { type, make, rights, key = 'id', bySession }] of CASES.entries())
    it(`with an object is what the mutations accept: ${type}, ${place}`, async () => {
      const names = Object.keys(rights);
      const query = `query($id: ID!) { node(id: $id) { ... on ${type} { viewerCan { ${names.join(' ')} } } } }`;
      const told: string[] = [];
      const done: string[] = [];
      for (const as of CALLERS)
        for (const right of names) {
          const by =
            bySession && as !== 'anonymous' ? { headers: await service().session(as) } : as;
          const [name, input = {}] = rights[right] as readonly [string, object?];
          const id = await make(service());
          const { node } = await service().data(query, { id }, by);
          const sent = await service().ask(
            mutation(name, '__typename'),
            { input: { [key]: id, ...input } },
            by,
          );
          // What cannot be seen says nothing, and nothing is accepted of it.
          if (node?.viewerCan[right]) told.push(`${as} ${right}`);
          if (!errorCode(sent)) done.push(`${as} ${right}`);
        }
      expect(told).toStrictEqual(done);
      expect(new Set(told.map((line) => line.split(' ')[0])).size, 'not everybody').toBeLessThan(
        CALLERS.length,
      );
    });

  it('is on every type that a mutation changes or ends by its id', async () => {
    const { __schema: schema } = await service().data(
      '{ __schema { types { name fields { name } } mutationType { fields { name } } } }',
      {},
      'administrator',
    );
    const verb = /^(?:update|delete|end|revoke|remove|withdraw|unlink|change)/;
    const changed = schema.mutationType.fields.map(({ name }: { name: string }) =>
      name.replace(verb, ''),
    );
    const without = schema.types.filter(
      ({ name, fields }: { name: string; fields: { name: string }[] | null }) =>
        changed.includes(name) && fields && !fields.some((field) => field.name === 'viewerCan'),
    );
    expect(without.map(({ name }: { name: string }) => name).sort()).toStrictEqual(OWN);
  });

  it('with the settings of a member is what a carer may change', async () => {
    await relation(service());
    const { id: memberId } = await service().account('subscriber');
    const may = async (as: Caller) =>
      (
        await service().data(
          'query($memberId: ID) { careSettings(memberId: $memberId) { viewerCan { update } } }',
          { memberId },
          as,
        )
      ).careSettings.viewerCan.update;
    expect([await may('subscriber'), await may('author')]).toStrictEqual([true, true]);
    await service().database.prisma.careRelation.updateMany({ data: { right: 'see' } });
    expect(await may('author')).toBe(false);
  });

  it('with an identity is to unlink it, but for the last way to sign in', async () => {
    const { id: accountId } = await service().account('subscriber');
    const { prisma } = service().database;
    const link = (subject: string) =>
      prisma.identity.create({
        data: {
          accountId,
          issuer: 'https://idp.example',
          subject,
          createdAt: new Date(),
          usedAt: new Date(),
        },
      });
    const rights = async () =>
      (
        await service().data(
          '{ viewer { identities { id viewerCan { unlink } } } }',
          {},
          'subscriber',
        )
      ).viewer.identities.map(
        ({ viewerCan }: { viewerCan: { unlink: boolean } }) => viewerCan.unlink,
      );
    await prisma.account.update({ where: { id: accountId }, data: { passwordHash: null } });
    await link('one');
    expect(await rights()).toStrictEqual([false]);
    await link('two');
    expect(await rights()).toStrictEqual([true, true]);
  });

  it('without an object is what the mutations accept', async () => {
    const told: string[] = [];
    const done: string[] = [];
    for (const as of CALLERS.slice(1))
      for (const [right, [name, input]] of Object.entries(CAN)) {
        const { viewer } = await service().data(`{ viewer { can { ${right} } } }`, {}, as);
        const sent = await service().ask(
          mutation(name, '__typename'),
          {
            input: {
              ...input,
              ...('name' in input && name !== 'createModel' && { name: `${as} ${right}` }),
            },
          },
          as,
        );
        if (viewer.can[right]) told.push(`${as} ${right}`);
        if (!errorCode(sent)) done.push(`${as} ${right}`);
      }
    expect(told).toStrictEqual(done);
    expect(told).toContain('administrator createPost');
    expect(told).not.toContain('subscriber createPost');
  });
});
