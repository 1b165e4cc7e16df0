import { firstStart } from '../../src/app/seed/first-start.js';
import { mutation, useService } from '../support/harness.js';

const service = useService();
const B = { edition: 'B' } as const;

const BERLIN = { latitude: 52.52, longitude: 13.405 };
const PRAXIS = {
  name: 'Praxis am Park',
  description: 'Zähne und Zahnfleisch',
  place: { address: 'Parkstraße 1, Berlin', ...BERLIN },
  timeZone: 'Europe/Berlin',
  openingHours: [{ weekday: 'TUESDAY', opens: '08:00', closes: '18:00' }],
  languageCodes: ['de', 'en-GB'],
  phone: '+4930901820',
  email: 'praxis@example.com',
  url: 'https://praxis.example/',
  accessibility: ['WHEELCHAIR', 'LIFT'],
};
const makeType = async (name: string, parentId?: number): Promise<number> =>
  (
    await service().data(
      mutation('createHealthcareServiceType', 'type { databaseId }'),
      { input: { name, ...(parentId && { parentId: String(parentId) }) } },
      'editor',
    )
  ).createHealthcareServiceType.type.databaseId;
const make = async (input: object): Promise<number> =>
  (
    await service().data(
      mutation('createHealthcareService', 'service { databaseId }'),
      { input: { ...PRAXIS, ...input } },
      'editor',
    )
  ).createHealthcareService.service.databaseId;
const list = (query: Record<string, string> | string = {}) =>
  service().rest('GET', '/v1/healthcare/services', { ...B, query });
const names = async (query: Record<string, string> | string = {}) =>
  (await list(query)).body.map(({ name }: { name: string }) => name);

describe('GET /v1/healthcare/services', () => {
  it('answers an array of services with everything that people need', async () => {
    service().at('2026-03-10T07:30:00Z'); // a Tuesday, 08:30 in Berlin
    const dentists = await makeType('Dentists', await makeType('Clinics'));
    await make({ typeIds: [String(dentists)] });
    const { status, body, headers } = await list();
    expect([status, headers.get('x-wp-total')]).toStrictEqual([200, '1']);
    expect(body).toStrictEqual([
      {
        id: 1,
        name: 'Praxis am Park',
        description: 'Zähne und Zahnfleisch',
        types: [{ id: dentists, name: 'Dentists' }],
        place: { address: 'Parkstraße 1, Berlin', ...BERLIN },
        distance: null,
        time_zone: 'Europe/Berlin',
        opening_hours: [{ weekday: 'tuesday', opens: '08:00', closes: '18:00' }],
        is_open: true,
        opens_at: null,
        closes_at: '2026-03-10T17:00:00.000Z',
        languages: ['de', 'en-GB'],
        phone: '+49 30 901820',
        email: 'praxis@example.com',
        url: 'https://praxis.example/',
        accessibility: ['wheelchair', 'lift'],
      },
    ]);
  });

  it('is not taken for a healthcare item, nor for an autosave of one', async () => {
    for (const path of ['services', 'service-types', 'services/', 'SERVICES']) {
      const { status, body } = await service().rest('GET', `/v1/healthcare/${path}`, B);
      expect([status, body]).toStrictEqual([200, []]);
    }
    expect((await service().rest('POST', '/v1/healthcare/services', B)).status).toBe(404);
    expect((await service().rest('GET', '/v1/healthcare/services')).status).toBe(404);
  });

  it('is by name; around a place the nearest come first, with their distance in meters', async () => {
    await make({ name: 'Ärzte im Hof', place: { latitude: 48.137, longitude: 11.575 } });
    await make({ name: 'Zentrum', place: { latitude: 52.53, longitude: 13.405 } });
    await make({ name: 'Help line', place: null });
    await make({ name: 'beta', place: { latitude: 53.55, longitude: 9.993 } });
    expect(await names()).toStrictEqual(['Ärzte im Hof', 'beta', 'Help line', 'Zentrum']);
    const near = { latitude: '52.52', longitude: '13.405' };
    const { body } = await list(near);
    expect(
      body.map(({ name, distance }: { name: string; distance: number }) => [
        name,
        Math.round(distance / 1000),
      ]),
    ).toStrictEqual([
      ['Zentrum', 1],
      ['beta', 255],
      ['Ärzte im Hof', 504],
    ]);
    expect(await names({ ...near, radius: '300000' })).toStrictEqual(['Zentrum', 'beta']);
    expect(await names({ ...near, radius: '1000' })).toStrictEqual([]);
  });

  it('is right across the antimeridian and at the poles', async () => {
    await make({ name: 'Fiji', place: { latitude: -17, longitude: 179.9 } });
    await make({ name: 'Samoa', place: { latitude: -17, longitude: -172 } });
    await make({ name: 'Pole', place: { latitude: 89.9, longitude: 0 } });
    await make({ name: 'Beyond', place: { latitude: 89.9, longitude: 180 } });
    const near = { latitude: '-17', longitude: '-179.9' };
    expect((await names(near)).slice(0, 2)).toStrictEqual(['Fiji', 'Samoa']);
    expect(await names({ latitude: '89.95', longitude: '0', radius: '20000' })).toStrictEqual([
      'Pole',
      'Beyond',
    ]);
  });

  it('searches words by their beginnings, without case and accents, in all texts together', async () => {
    await make({});
    await make({ name: 'Apotheke', description: '', place: { address: 'Ring 2, Köln' } });
    for (const search of ['zahn', 'PARK berlin', 'zaehne park', '"am park"', 'strasse -park'])
      expect([search, await names({ search })]).toStrictEqual([
        search,
        search === 'zaehne park' || search.includes('-') || search.startsWith('strasse')
          ? []
          : ['Praxis am Park'],
      ]);
    expect(await names({ search: 'koln' })).toStrictEqual(['Apotheke']);
    expect(await names({ search: '-park' })).toStrictEqual(['Apotheke']);
    for (const search of ["'", "a':*|b", '!!', '& |', '\\', '%', '-', "''", '<->', ':A'])
      expect((await list({ search })).status).toBe(200);
  });

  it('filters by type with those below it, by language in any region, by all accessibility', async () => {
    const clinics = await makeType('Clinics');
    const dentists = await makeType('Dentists', clinics);
    await make({ name: 'a', typeIds: [String(dentists)] });
    await make({ name: 'b', typeIds: [String(clinics)], languageCodes: ['ar'] });
    await make({ name: 'c', languageCodes: ['pt-BR'], accessibility: ['LIFT'] });
    expect(await names({ types: String(clinics) })).toStrictEqual(['a', 'b']);
    expect(await names({ types: String(dentists) })).toStrictEqual(['a']);
    expect(await names({ languages: 'pt,ar' })).toStrictEqual(['b', 'c']);
    expect(await names({ languages: 'en' })).toStrictEqual(['a']);
    expect(await names('accessibility[]=lift&accessibility[]=wheelchair')).toStrictEqual([
      'a',
      'b',
    ]);
    expect(await names({ types: String(clinics), languages: 'de', search: 'park' })).toStrictEqual([
      'a',
    ]);
  });

  it('keeps to those that are open now, by the clocks of each zone', async () => {
    service().at('2026-03-10T07:30:00Z');
    await make({ name: 'Berlin' });
    await make({ name: 'New York', timeZone: 'America/New_York' });
    await make({ name: 'Unknown', openingHours: [] });
    expect(await names({ open_now: 'true' })).toStrictEqual(['Berlin']);
    service().at('2026-03-10T20:00:00Z');
    expect(await names({ open_now: 'true' })).toStrictEqual(['New York']);
  });

  it('names every parameter that does not fit at once', async () => {
    const { status, body } = await list({
      latitude: '91',
      longitude: 'x',
      radius: '0',
      types: 'clinic',
      languages: '??',
      accessibility: 'stairs',
      per_page: '1000',
    });
    expect(status).toBe(400);
    expect(Object.keys(body.data.params).sort()).toStrictEqual([
      'accessibility',
      'languages',
      'latitude',
      'longitude',
      'per_page',
      'radius',
      'types',
    ]);
    const half = await list({ latitude: '52' });
    expect([half.status, Object.keys(half.body.data.params)]).toStrictEqual([400, ['longitude']]);
  });

  it('takes the same number of statements for one service and for a hundred', async () => {
    service().at('2026-03-10T07:30:00Z');
    const type = await makeType('Clinics');
    const query = 'latitude=52&longitude=13&search=praxis&open_now=true';
    await make({ typeIds: [String(type)] });
    await list(query);
    const few = await service().statements(() => list(query));
    for (let i = 0; i < 99; i++) await make({ typeIds: [String(type)] });
    expect((await list(query)).body).toHaveLength(100);
    expect(await service().statements(() => list(query))).toBe(few);
    expect(few).toBe(4); // zones, services, their count, types
  });
});

describe('GET /v1/healthcare/service-types', () => {
  it('answers an array: each type before those below it, siblings by name', async () => {
    const pharmacies = await makeType('Pharmacies');
    const clinics = await makeType('Clinics');
    const eyes = await makeType('Eyes', clinics);
    const children = await makeType('Ärzte für Kinder', clinics);
    const { status, body } = await service().rest('GET', '/v1/healthcare/service-types', B);
    expect(status).toBe(200);
    expect(body).toStrictEqual([
      { id: clinics, name: 'Clinics', description: '', parent: null },
      { id: children, name: 'Ärzte für Kinder', description: '', parent: clinics },
      { id: eyes, name: 'Eyes', description: '', parent: clinics },
      { id: pharmacies, name: 'Pharmacies', description: '', parent: null },
    ]);
  });
});

test('the demo has a directory with types, some of it open by day', async () => {
  const seeding = await service().under({ SEED: 'demo' });
  await firstStart(seeding.app);
  const { body } = await seeding.rest('GET', '/v1/healthcare/services', B);
  expect(body.length).toBeGreaterThan(5);
  const types = await seeding.rest('GET', '/v1/healthcare/service-types', B);
  expect(types.body.some(({ parent }: { parent: number | null }) => parent !== null)).toBe(true);
  await seeding.stop();
});
