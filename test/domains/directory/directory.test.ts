import { setTimeout as sleep } from 'node:timers/promises';
import { transact } from '../../../src/core/transact.js';
import { parseCsv } from '../../../src/platform/csv.js';
import { errorCode, mutation, useService } from '../../support/harness.js';

// The embedded database runs one transaction at a time.
const onServer = process.env.TEST_DATABASE_URL ? it : it.skip;
const service = useService();
const SERVICE = `service { id databaseId version name phone languageCodes place { latitude }
  types { name } openingHours { weekday } }`;

const run = (name: string, input: object, fields = SERVICE) =>
  service().ask(mutation(name, fields), { input }, 'editor');
const makeType = async (name: string, parentId?: string): Promise<string> =>
  (await run('createHealthcareServiceType', { name, parentId }, 'type { id }')).data
    .createHealthcareServiceType.type.id;
const make = async (input: object = {}) =>
  (await run('createHealthcareService', { name: 'x', ...input })).data.createHealthcareService
    .service;
const found = async (args: string): Promise<string[]> =>
  (
    await service().data(`{ healthcareServices(${args}) { nodes { name } } }`)
  ).healthcareServices.nodes.map(({ name }: { name: string }) => name);

describe('Healthcare services', () => {
  it('are changed on the version that was read; what is absent stays and null empties', async () => {
    const { id, version } = await make({
      phone: '0049 30 901820',
      languageCodes: ['de'],
      place: { latitude: 1, longitude: 2 },
    });
    const { data } = await run('updateHealthcareService', { id, version, phone: null });
    expect(data.updateHealthcareService.service).toMatchObject({
      version: 1,
      phone: null,
      languageCodes: ['de'],
      place: { latitude: 1 },
    });
    expect(errorCode(await run('updateHealthcareService', { id, version, name: 'y' }))).toBe(
      'CONFLICT',
    );
    await run('updateHealthcareService', { id, place: null });
    expect(await found('near: { latitude: 1, longitude: 2 }')).toStrictEqual([]);
  });

  it('tell all mistakes at once', async () => {
    const wrong = { name: 'x', phone: '12345678', place: { latitude: 4 } };
    const { errors } = await run('createHealthcareService', wrong);
    expect(errors[0].extensions.problems.map(({ code }: { code: string }) => code)).toStrictEqual([
      'NEAR_INVALID',
      'PHONE_INVALID',
    ]);
    const many = Array(51).fill({ weekday: 'MONDAY', opens: '08:00', closes: '09:00' });
    expect(errorCode(await run('createHealthcareService', { name: 'x', openingHours: many }))).toBe(
      'TOO_MANY',
    );
    expect(errorCode(await run('createHealthcareService', { name: 'x', typeIds: ['4711'] }))).toBe(
      'SERVICE_TYPE_NOT_FOUND',
    );
    const quote = Buffer.from('Quote:1').toString('base64url');
    expect(errorCode(await run('deleteHealthcareService', { id: quote }))).toBe('ID_INVALID');
    expect(errorCode(await run('deleteHealthcareService', { id: '4711' }))).toBe(
      'SERVICE_NOT_FOUND',
    );
  });

  it('page both ways around a place, without a gap and without the same one twice', async () => {
    for (let i = 0; i < 7; i++) await make({ name: `${i}`, place: { latitude: 0, longitude: i } });
    // Two at the same distance
    await make({ name: '3b', place: { latitude: 0, longitude: 3 } });
    const near = 'near: { latitude: 0, longitude: 0 }';
    const page = async (args: string) =>
      (
        await service().data(`{ healthcareServices(${near}, ${args}) {
          nodes { name } pageInfo { endCursor startCursor hasNextPage hasPreviousPage } } }`)
      ).healthcareServices;
    const names = (nodes: { name: string }[]) => nodes.map(({ name }) => name).join(' ');
    let after = '';
    const seen: string[] = [];
    for (;;) {
      const { nodes, pageInfo } = await page(`first: 3${after}`);
      seen.push(names(nodes));
      after = `, after: "${pageInfo.endCursor}"`;
      if (!pageInfo.hasNextPage) break;
    }
    expect(seen).toStrictEqual(['0 1 2', '3 3b 4', '5 6']);
    const last = await page('last: 2');
    expect(names(last.nodes)).toBe('5 6');
    expect(names((await page(`last: 2, before: "${last.pageInfo.startCursor}"`)).nodes)).toBe(
      '3b 4',
    );
    const { body } = await service().graphql(
      `{ healthcareServices(first: 1${after}) { nodes { id } } }`,
    );
    expect(errorCode(body)).toBe('CURSOR_INVALID');
  });

  it('are read again by their global ids', async () => {
    const { id } = await make({ name: 'Here' });
    const { node, healthcareService } = await service().data(
      `{ node(id: "${id}") { ... on HealthcareService { name } } healthcareService(id: "${id}") { name } }`,
    );
    expect([node, healthcareService]).toStrictEqual([{ name: 'Here' }, { name: 'Here' }]);
    expect(
      (await service().data('{ healthcareService(id: "4711") { id } }')).healthcareService,
    ).toBe(null);
  });
});

describe('Types of services', () => {
  it('move with those below them, and searches find services by the new place', async () => {
    const clinics = await makeType('Clinics');
    const other = await makeType('Other');
    const eyes = await makeType('Eyes', clinics);
    await make({ name: 'Optician', typeIds: [eyes] });
    const by = (id: string) => found(`filter: { typeIds: ["${id}"] }`);
    expect(await by(clinics)).toStrictEqual(['Optician']);
    await run('updateHealthcareServiceType', { id: eyes, parentId: other }, 'type { id }');
    expect([await by(clinics), await by(other), await by(eyes)]).toStrictEqual([
      [],
      ['Optician'],
      ['Optician'],
    ]);
    const { data } = await service().ask(
      '{ healthcareServiceTypes { name parent { name } children { name } } }',
    );
    expect(data.healthcareServiceTypes).toStrictEqual([
      { name: 'Clinics', parent: null, children: [] },
      { name: 'Other', parent: null, children: [{ name: 'Eyes' }] },
      { name: 'Eyes', parent: { name: 'Other' }, children: [] },
    ]);
  });

  it('that are deleted hand their services and the types below them to the type above', async () => {
    const clinics = await makeType('Clinics');
    const eyes = await makeType('Eyes', clinics);
    const laser = await makeType('Laser', eyes);
    const { id } = await make({ name: 'Optician', typeIds: [eyes] });
    await make({ name: 'Both', typeIds: [eyes, clinics, laser] });
    await run('deleteHealthcareServiceType', { id: eyes }, 'type { id }');
    expect(await found(`filter: { typeIds: ["${clinics}"] }`)).toStrictEqual(['Both', 'Optician']);
    const { healthcareService } = await service().data(
      `{ healthcareService(id: "${id}") { types { name } } }`,
    );
    expect(healthcareService.types).toStrictEqual([{ name: 'Clinics' }]);
    const { healthcareServiceTypes } = await service().data(
      '{ healthcareServiceTypes { name parent { name } } }',
    );
    expect(healthcareServiceTypes[1]).toStrictEqual({ name: 'Laser', parent: { name: 'Clinics' } });
  });

  it('never stand below themselves, nor deeper than eight', async () => {
    const ids = [await makeType('0')];
    for (let i = 1; i < 8; i++) ids.push(await makeType(`${i}`, ids[i - 1]));
    const move = (id = '', parentId = '') =>
      run('updateHealthcareServiceType', { id, parentId }, 'type { id }');
    expect(errorCode(await move(ids[0], ids[3]))).toBe('SERVICE_TYPE_PARENT_INVALID');
    expect(errorCode(await move(ids[0], ids[0]))).toBe('SERVICE_TYPE_PARENT_INVALID');
    for (const parentId of ['0', '4711']) {
      expect(errorCode(await move(ids[0], parentId))).toBe('SERVICE_TYPE_NOT_FOUND');
      const input = { name: 'x', parentId };
      expect(errorCode(await run('createHealthcareServiceType', input, 'type { id }'))).toBe(
        'SERVICE_TYPE_NOT_FOUND',
      );
    }
    const deep = await run(
      'createHealthcareServiceType',
      { name: 'x', parentId: ids[7] },
      'type { id }',
    );
    expect(errorCode(deep)).toBe('SERVICE_TYPE_PARENT_INVALID');
  });
});

describe('An import', () => {
  const FIELDS = 'created updated unchanged failed problems { line column message }';
  const HEADER =
    'external_id,name,types,latitude,longitude,time_zone,opening_hours,languages,phone';
  const send = async (csv: string, dryRun = false) =>
    (await run('importHealthcareServices', { csv, dryRun }, FIELDS)).data.importHealthcareServices;

  it('creates, updates and leaves alone, found again by the id of elsewhere', async () => {
    await makeType('Dentists', await makeType('Clinics'));
    const rows = (name: string) =>
      `${HEADER}\r\n1,${name},Clinics > Dentists,52.5,13.4,Europe/Berlin,"Mo-Fr 08:00-12:00,14:00-18:00",de|en,+49 30 901820\r\n` +
      '2,"Praxis ""Am\nPark""",dentists,,,,24/7,,\r\n';
    const counts = { failed: 0, problems: [] };
    expect(await send(rows('A'), true)).toMatchObject({ ...counts, created: 2 });
    expect(await found('first: 5')).toStrictEqual([]);
    expect(await send(rows('A'))).toMatchObject({ ...counts, created: 2 });
    expect(await send(rows('A'))).toMatchObject({ ...counts, unchanged: 2, created: 0 });
    expect(await send(rows('B'))).toMatchObject({ ...counts, updated: 1, unchanged: 1 });
    expect(await found('first: 5')).toStrictEqual(['B', 'Praxis "Am\nPark"']);
    expect(await send('external_id;name\n1;C')).toMatchObject({ updated: 1 });
    const { healthcareServices } = await service().data(
      '{ healthcareServices(first: 1) { nodes { name types { name } openingHours { opens } } } }',
    );
    expect(healthcareServices.nodes[0]).toMatchObject({ name: 'C', types: [{ name: 'Dentists' }] });
    expect(healthcareServices.nodes[0].openingHours).toHaveLength(10);
  });

  it('reports rows that are broken by line and column, and imports the others', async () => {
    const answer = await send(
      `${HEADER}\nok,Good,,,,,,,\n,No id,,,,,,,\nok,Twice,,,,,,,\nx1,,,,,,,,\n` +
        'x2,Bad,Nowhere,91,13,Mars/Phobos,Mo 8-12,??,12345678\nx3,Half,,52,,,,,\nx4,Short\nlast,Fine,,,,,,,\n',
    );
    expect([answer.created, answer.failed]).toStrictEqual([2, 6]);
    expect(
      answer.problems.map(
        ({ line, column }: { line: number; column: string }) => `${line} ${column}`,
      ),
    ).toStrictEqual([
      '3 external_id',
      '4 external_id',
      '5 name',
      '6 types',
      '6 latitude',
      '6 time_zone',
      '6 opening_hours',
      '6 languages',
      '6 phone',
      '7 longitude',
      '8 null',
    ]);
    expect(await found('first: 5')).toStrictEqual(['Fine', 'Good']);
  });

  it('refuses what is no CSV, has other columns, or none for the id', async () => {
    for (const csv of [
      'name\nx',
      'external_id,colour\n1,red',
      'external_id,name\n1,"x',
      '\n',
      '"',
      'external_id,external_id\n1,1',
    ])
      expect(errorCode(await run('importHealthcareServices', { csv }, FIELDS))).toBe('CSV_INVALID');
  });

  onServer('keeps what an editor changes meanwhile', async () => {
    await send('external_id,name\n1,Clinic');
    const { id } = await service().database.prisma.healthcareService.findFirstOrThrow();
    let imported: Promise<unknown> | undefined;
    await transact(await service().context('editor'), async ({ db }) => {
      const data = { phone: '+4930901820', version: { increment: 1 } };
      await db.healthcareService.update({ where: { id }, data });
      imported = send('external_id,name\n1,Hospital');
      await sleep(300);
    });
    expect(await imported).toMatchObject({ updated: 1 });
    const row = await service().database.prisma.healthcareService.findFirstOrThrow();
    expect([row.name, row.phone]).toStrictEqual(['Hospital', '+4930901820']);
  });

  it('stores halves of characters as U+FFFD, as every text', async () => {
    expect(await send('external_id,name,description\nx\ud800,A\ud800,\udc00')).toMatchObject({
      created: 1,
    });
    expect((await make({ name: 'B\ud800', description: '\udc00' })).name).toBe('B\uFFFD');
    expect(await found('first: 5')).toStrictEqual(['A\uFFFD', 'B\uFFFD']);
  });

  it('takes a constant number of statements', async () => {
    const csv = (count: number) =>
      `external_id,name\n${Array.from({ length: count }, (_, i) => `${i},n${i}`).join('\n')}`;
    await send(csv(1));
    const few = await service().statements(() => send(csv(2)));
    const many = await service().statements(() => send(csv(300)));
    expect(many).toBe(few);
  });

  it('reads CSV with any line ends, quotes and a byte order mark', () => {
    expect(parseCsv('\ufeffa,b\r\n"x,\n""y""",\r\n\r\n1,2').map((row) => row)).toStrictEqual([
      { line: 1, fields: ['a', 'b'] },
      { line: 2, fields: ['x,\n"y"', ''] },
      { line: 5, fields: ['1', '2'] },
    ]);
  });
});
