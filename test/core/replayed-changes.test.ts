// Changes that come again under their Idempotency-Key after something else has happened.
import { globalId } from '../../src/core/node.js';
import { Run } from '../app/written-fields/run.js';
import { RUNS, WRITERS } from '../app/written-fields/samples.js';
import { keepingSite, World } from '../app/written-fields/world.js';
import { type Writing, writingsOf } from '../app/written-fields/writing.js';
import { makeMedicine } from '../support/factories.js';
import { type Caller, errorCode, mutation, type RoleName, useService } from '../support/harness.js';
import { type Deletion, deletionsOf } from './replayed-deletions/deletions.js';

const MINUTE = 60_000;

describe('A change that comes again under its Idempotency-Key', () => {
  const service = useService();
  const KEY = { 'idempotency-key': 'one' };
  const prisma = () => service().database.prisma;
  const idOf = async (role: RoleName, name?: string) => (await service().account(role, name)).id;
  const asked = async (query: string, as: Caller) => service().data(query, {}, as);

  /** Sends a mutation under the key, and returns the body. */
  const send = async (name: string, fields: string, input: object, as: Caller = 'administrator') =>
    (await service().graphql(mutation(name, fields), { input }, { as, headers: KEY })).body;
  /** Sends a mutation without a key, and returns what it changed. */
  const change = async (
    name: string,
    fields: string,
    input: object,
    as: Caller = 'administrator',
  ) => (await service().data(mutation(name, fields), { input }, as))[name];
  /** Forgets the key, so that the next change may have it. */
  const forget = () => prisma().idempotentChange.deleteMany({});

  it('files a form once, however much later, and refuses another form', async () => {
    const post = (fields: object = {}) =>
      service().rest('POST', '/v1/ncsm', {
        edition: 'B',
        as: 'subscriber',
        headers: KEY,
        body: {
          ...{ form: 'x', name: 'Ada', email: 'ada@example.com', phone: '030 901820' },
          ...{ platform: 'iOS', score: '3', ...fields },
        },
      });
    service().at('2026-03-10T08:00:00Z');
    const first = await post();
    for (const minutes of [1, 11]) {
      service().at(Date.parse('2026-03-10T08:00:00Z') + minutes * MINUTE);
      expect((await post()).body, `${minutes} minutes later`).toStrictEqual(first.body);
    }
    expect((await post({ score: '4' })).status).toBe(422);
    expect(await prisma().formSubmission.count()).toBe(1);
  });

  it('submits a form once, and says when it came, also when the form is closed since', async () => {
    const { form } = await change('createForm', 'form { id }', {
      ...{ name: 'Wellbeing', scoreLeast: 0, scoreMost: 27 },
    });
    const input = {
      ...{ formId: form.id, name: 'Ada', email: 'ada@example.com', phone: '030 901820' },
      ...{ platform: 'ios', score: 3 },
    };
    const submit = () => send('submitForm', 'receivedAt', input, 'subscriber');
    service().at('2026-03-10T08:00:00Z');
    const first = await submit();
    expect(first.data.submitForm.receivedAt).toBe('2026-03-10T08:00:00.000Z');
    service().at('2026-03-10T09:00:00Z');
    await change('updateForm', 'form { id }', { id: form.id, open: false });
    expect(await submit()).toStrictEqual(first);
    expect(await prisma().formSubmission.count()).toBe(1);
  });

  it('agrees to no policy that came into force since', async () => {
    service().at('2026-03-10T08:00:00Z');
    const policy = (effectiveAt: string) =>
      change('createPolicy', 'policy { databaseId number }', {
        ...{ languageId: 1, title: 'Policy', text: 'Be kind.', effectiveAt },
      });
    await policy('2026-03-10T07:00:00Z');
    const next = await policy('2026-03-10T09:00:00Z');
    const agree = () =>
      service().rest('POST', '/v1/agree_policy', {
        ...{ edition: 'B', as: 'subscriber', headers: KEY, body: {} },
      });
    const first = await agree();
    expect(first.status).toBe(200);
    service().at('2026-03-10T10:00:00Z');
    expect((await agree()).body).toStrictEqual(first.body);
    const { policyToAgreeTo } = await asked('{ policyToAgreeTo { databaseId } }', 'subscriber');
    expect(policyToAgreeTo.databaseId).toBe(next.policy.databaseId);
  });

  it('agrees to no statement of a poll that it became since', async () => {
    const { poll } = await change('createPoll', 'poll { id }', {
      ...{ question: 'Who?', statement: 'I take part.' },
    });
    const agree = () =>
      send('agreeToPoll', 'poll { id viewerAgreedAt }', { pollId: poll.id }, 'subscriber');
    const first = await agree();
    expect(await agree()).toStrictEqual(first);
    await change('updatePoll', 'poll { id }', { id: poll.id, statement: 'I share my answers.' });
    expect(errorCode(await agree())).toBe('CONFLICT');
    expect(await prisma().pollAgreement.count()).toBe(0);
  });

  it('takes no dose back that was logged since', async () => {
    service().at('2026-03-10T08:05:00Z');
    const id = await makeMedicine(service(), { startDate: '2026-03-10T08:00:00' });
    const { calendar } = await asked(
      '{ calendar(from: "2026-03-10", to: "2026-03-10") { events { occurrenceId } } }',
      'subscriber',
    );
    const [input] = calendar.events;
    const take = () => change('takeDose', 'event { status }', input, 'subscriber');
    const undo = (of: object) => send('undoDose', 'event { status }', of, 'subscriber');
    await take();
    expect((await undo(input)).data.undoDose.event.status).not.toBe('TAKEN');
    await take();
    expect((await undo(input)).data.undoDose.event.status).toBe('TAKEN');
    expect(await prisma().dose.count()).toBe(1);
    await forget();
    const logged = await change(
      'logDose',
      'event { occurrenceId }',
      { reminderId: id },
      'subscriber',
    );
    const first = await undo(logged.event);
    expect(first.errors).toBeUndefined();
    expect(await undo(logged.event), 'of a dose that stood on its own').toStrictEqual(first);
  });

  it('does not put a dose off that was taken since', async () => {
    service().at('2026-03-10T08:05:00Z');
    await makeMedicine(service(), { startDate: '2026-03-10T08:00:00' });
    const { calendar } = await asked(
      '{ calendar(from: "2026-03-10", to: "2026-03-10") { events { occurrenceId } } }',
      'subscriber',
    );
    const [input] = calendar.events;
    const snooze = () => send('snoozeDose', 'event { status }', input, 'subscriber');
    await snooze();
    await change('takeDose', 'event { status }', input, 'subscriber');
    expect((await snooze()).data.snoozeDose.event.status).toBe('TAKEN');
  });

  it('assigns nobody again whose assignment has ended since', async () => {
    const input = {
      memberId: await idOf('subscriber'),
      clinicianId: await idOf('clinician'),
    };
    const session = { ...(await service().session('administrator')), ...KEY };
    const text = mutation('assignClinician', 'careAssignment { id }');
    const assign = async () =>
      (await service().graphql(text, { input }, { headers: session })).body;
    const first = await assign();
    expect(first.errors).toBeUndefined();
    expect(await assign()).toStrictEqual(first);
    const end =
      'mutation($input: AssignClinicianInput!) { unassignClinician(input: $input) { __typename } }';
    await service().data(end, { input }, 'administrator');
    expect(errorCode(await assign())).toBe('CARE_NOT_FOUND');
    expect(await prisma().careAssignment.count()).toBe(0);
  });

  it('changes no preference that was changed since', async () => {
    const update = () =>
      send(
        'updateNotificationPreference',
        'notificationPreference { lockScreenNames version }',
        { version: 0, lockScreenNames: true },
        'subscriber',
      );
    const first = await update();
    expect(first.errors).toBeUndefined();
    expect(await update()).toStrictEqual(first);
    const input = { lockScreenNames: false };
    await change('updateNotificationPreference', '__typename', input, 'subscriber');
    const again = (await update()).data.updateNotificationPreference.notificationPreference;
    expect(again).toStrictEqual({ lockScreenNames: false, version: 2 });
  });

  it('imports no services over what was changed since, and reports the same', async () => {
    const csv = 'external_id,name\n1,Clinic\n,None';
    const run = () =>
      send('importHealthcareServices', 'created updated failed problems { line }', { csv });
    const first = await run();
    expect(first.data.importHealthcareServices).toMatchObject({ created: 1, failed: 1 });
    const { healthcareServices } = await asked(
      '{ healthcareServices { nodes { id } } }',
      'administrator',
    );
    const [{ id }] = healthcareServices.nodes;
    await change('updateHealthcareService', '__typename', { id, name: 'Hospital' });
    expect(await run()).toStrictEqual(first);
    expect((await prisma().healthcareService.findFirstOrThrow()).name).toBe('Hospital');
  });

  it('writes an item whose template, author or parent is gone since', async () => {
    const author = await idOf('author');
    const make = () =>
      service().rest('POST', '/v1/pages', { as: 'administrator', body: { title: 'x' } });
    const [{ body: parent }, { body: page }] = [await make(), await make()];
    await prisma().contentItem.update({ where: { id: page.id }, data: { template: 'wide.php' } });
    const body = { template: 'wide.php', author, parent: parent.id, title: 'x' };
    const update = () =>
      service().rest('POST', `/v1/pages/${page.id}`, { as: 'administrator', headers: KEY, body });
    const first = await update();
    expect(first.status).toBe(200);
    const data = { template: '', parentId: null, authorId: await idOf('administrator') };
    await prisma().contentItem.update({ where: { id: page.id }, data });
    await prisma().contentItem.delete({ where: { id: parent.id } });
    await prisma().account.delete({ where: { id: author } });
    const again = await update();
    expect([again.status, again.body.template]).toStrictEqual([200, '']);
    await forget();
    expect((await update()).status).toBe(400);
  });

  describe('changes a model once:', () => {
    const MODEL = 'model { id name version }';
    const FIELD = 'field { id name }';
    let model: { id: string; version: number };
    const versionOf = async () => (await prisma().modelDefinition.findFirstOrThrow()).version;
    const based = async () => ({ modelId: model.id, version: await versionOf() });
    const field = async (name: string) => {
      const input = { ...(await based()), name, label: name, type: 'TEXT' };
      return (await change('createModelField', FIELD, input)).field.id as string;
    };
    beforeEach(async () => {
      const input = { name: 'book', label: 'Books', type: 'POST_TYPE' };
      model = (await change('createModel', MODEL, input)).model;
    });
    /** Sends a change twice; the second changes nothing, and says the same. */
    const expectOnce = async (name: string, fields: string, input: object) => {
      const first = await send(name, fields, input);
      expect(first.errors).toBeUndefined();
      const version = await versionOf();
      expect(await send(name, fields, input)).toStrictEqual(first);
      expect(await versionOf()).toBe(version);
      return first.data[name];
    };

    it('its name, also by the name that it had', async () => {
      await expectOnce('updateModel', MODEL, { id: model.id, name: 'novel', version: 1 });
      await forget();
      const rename = () =>
        service().rest('POST', '/models/v1/pods/novel', {
          ...{ as: 'administrator', headers: KEY, body: { name: 'tale', label: 'Tales' } },
        });
      expect((await rename()).status).toBe(200);
      expect((await rename()).status).toBe(200);
      expect(await versionOf()).toBe(3);
    });

    it('its groups', async () => {
      const made = await expectOnce('createModelGroup', 'group { id name }', {
        ...(await based()),
        ...{ name: 'print', label: 'Print' },
      });
      await forget();
      const { version } = await based();
      const input = { id: made.group.id, version, name: 'paper' };
      await expectOnce('updateModelGroup', 'group { id name }', input);
    });

    it('its fields', async () => {
      const input = { ...(await based()), name: 'isbn', label: 'ISBN', type: 'TEXT' };
      const { id } = (await expectOnce('createModelField', FIELD, input)).field;
      await forget();
      await expectOnce('updateModelField', FIELD, { id, version: await versionOf(), name: 'ean' });
      await forget();
      await change('deleteModelField', '__typename', { id, version: await versionOf() });
      await expectOnce('restoreModelField', FIELD, { id, version: await versionOf() });
    });

    it('by names that it and its groups have had', async () => {
      const input = { ...(await based()), name: 'print', label: 'Print' };
      const { group } = await change('createModelGroup', 'group { id }', input);
      await field('pages');
      const changes = [
        ['/models/v1/groups', { pod: 'book', label: 'New' }],
        ['/models/v1/fields', { pod: 'book', label: 'New', type: 'text', group: 'print' }],
        ['/models/v1/pods/book/fields/pages', { new_group: 'print' }],
      ] as const;
      const run = async () => {
        const answers = [];
        for (const [path, body] of changes) {
          const headers = { 'idempotency-key': path };
          answers.push(await service().rest('POST', path, { as: 'administrator', headers, body }));
        }
        return answers.map(({ status }) => status);
      };
      expect(await run()).toStrictEqual([200, 200, 200]);
      const renamed = { id: group.id, version: await versionOf(), name: 'paper' };
      await change('updateModelGroup', '__typename', renamed);
      expect(await run(), 'its group renamed').toStrictEqual([200, 200, 200]);
      const named = { id: model.id, version: await versionOf(), name: 'novel' };
      await change('updateModel', '__typename', named);
      const version = await versionOf();
      expect(await run(), 'the model renamed').toStrictEqual([200, 200, 200]);
      expect(await versionOf()).toBe(version);
      await forget();
      expect(await run(), 'no retry').not.toContain(200);
    });

    it('what it was before, and whether it is in the trash', async () => {
      await field('isbn');
      await expectOnce('returnModel', MODEL, { id: model.id, version: await versionOf(), to: 1 });
      await forget();
      await change('deleteModel', '__typename', {
        ...{ id: model.id, version: await versionOf(), itemCount: 0 },
      });
      await expectOnce('restoreModel', MODEL, { id: model.id });
    });
  });
});

describe('A change that comes again under its Idempotency-Key after its row was deleted', () => {
  const service = useService();
  const KEY = { 'idempotency-key': 'one' };
  const data = (name: string, fields: string, input: object, by: object) =>
    service().data(mutation(name, fields), { input }, by as { headers: Record<string, string> });

  async function beginning() {
    await service().clean();
    service().at('2026-03-01T08:00:00Z');
    const { id } = await service().account('administrator');
    const administrator = { headers: await service().session('administrator') };
    return { administrator, world: new World(service(), administrator, globalId('Account', id)) };
  }

  /** Runs a change of a row under the key, deletes the row, and returns the change that came again. */
  async function again(writing: Writing, creating: Writing | undefined, deletion: Deletion) {
    const { world } = await beginning();
    const by = {
      headers: await service().session((WRITERS[writing.noun] ?? 'administrator') as RoleName),
    };
    const left = RUNS[writing.noun]?.[0] ?? [];
    const made = creating && (await new Run(world, creating, left, by).write(1)).row.writtenId;
    const own = { ['userId' in writing.input.getFields() ? 'userId' : 'id']: made };
    const keyed = { headers: { ...by.headers, ...KEY } };
    let sent: [string, object | undefined] = ['', undefined];
    const ask = world.ask.bind(world);
    world.ask = (query, variables, as) => {
      if (as === keyed && query.startsWith('mutation')) sent = [query, variables];
      return ask(query, variables, as);
    };
    const { row } = await new Run(world, writing, left, keyed).write(0, made ? own : {});
    const fields = deletion.input?.getFields() ?? {};
    const isPart = /^Model(Field|Group)$/.test(writing.noun);
    const [type, at] = isPart ? ['Model', await world.model(0)] : [writing.noun, row.writtenId];
    const version = `query($id: ID!) { node(id: $id) { ... on ${type} { version } } }`;
    const input = {
      ['userId' in fields ? 'userId' : 'id']: row.writtenId,
      ...('version' in fields && { version: (await ask(version, { id: at })).node.version }),
      ...('itemCount' in fields && { itemCount: 0 }),
      ...('maxLost' in fields && { maxLost: 99 }),
      ...('content' in fields && { content: 'HAND_OVER' }),
    };
    await data(deletion.name, '__typename', input, by);
    return service().ask(sent[0], sent[1], keyed);
  }

  it('says that there is no such row, or shows what is kept of it, whatever was made or changed', async () => {
    const { schema } = service().app;
    const writings = writingsOf(schema);
    const answers: Record<string, string | undefined> = {};
    await keepingSite(service(), async () => {
      for (const writing of writings) {
        const { noun, name, isChange } = writing;
        const deletion = deletionsOf(schema).find(
          (one) => one.name.replace(/^(?:delete|remove|revoke)/, '') === noun,
        );
        const creating = writings.find((one) => one.noun === noun && !one.isChange);
        if (!deletion || (isChange && !creating) || WRITERS[noun] === 'anonymous') continue;
        if (deletion.input === undefined) continue;
        answers[name] = await again(writing, isChange ? creating : undefined, deletion).then(
          errorCode,
          ({ message }: Error) => message.slice(0, 400),
        );
      }
    });
    const other = Object.entries(answers).filter(
      ([, code]) => code !== undefined && !/^[A-Z_]+_NOT_FOUND$/.test(code),
    );
    expect(Object.fromEntries(other)).toStrictEqual({});
    expect(Object.keys(answers).length).toBeGreaterThan(35);
  });

  it.each([
    ['setRoles', { roles: ['AUTHOR'] }],
    ['suspendUser', {}],
    ['reinstateUser', {}],
    ['sendPasswordReset', {}],
    ['breakGlass', { reason: 'It is a test.' }],
    ['endBreakGlass', {}],
  ])('says so of %s after the person was erased', async (name, more) => {
    const { administrator } = await beginning();
    const { id } = await service().account('subscriber');
    let named: object = { userId: id };
    if (name === 'breakGlass') named = { memberId: id };
    if (name === 'endBreakGlass') {
      const input = { memberId: id, reason: 'It is a test.' };
      const made = await data('breakGlass', 'breakGlass { id }', input, administrator);
      named = { id: made.breakGlass.breakGlass.id };
    }
    const keyed = { headers: { ...administrator.headers, ...KEY } };
    const shown = /Glass/.test(name) ? 'breakGlass { id }' : 'account { id }';
    const text = mutation(name, name === 'sendPasswordReset' ? '__typename' : shown);
    const send = () => service().ask(text, { input: { ...named, ...more } }, keyed);
    expect(errorCode(await send())).toBeUndefined();
    await data('deleteUser', '__typename', { userId: id, content: 'HAND_OVER' }, administrator);
    expect(errorCode(await send())).toMatch(/^(?:USER|BREAK_GLASS)_NOT_FOUND$/);
  });

  it('says so of an invitation that is gone', async () => {
    service().at('2026-03-01T08:00:00Z');
    const headers = { ...(await service().session('subscriber')), ...KEY };
    const input = { to: 'carer@example.com', right: 'SEE' };
    const send = () =>
      service().ask(mutation('inviteCarer', 'careInvitation { id }'), { input }, { headers });
    expect(errorCode(await send())).toBeUndefined();
    await service().database.prisma.careInvitation.deleteMany();
    expect(errorCode(await send())).toBe('CARE_INVITATION_NOT_FOUND');
  });
});
