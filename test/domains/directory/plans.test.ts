import type { HealthcareServicesArgs } from '../../../src/domains/directory/service/healthcare-service.inputs.js';
import { listServices } from '../../../src/domains/directory/service/service-list.service.js';
import { useService } from '../../support/harness.js';
import { plansOf } from '../../support/plans.js';

const service = useService();
const NEAR = { latitude: 52.5, longitude: 13.4 };

/** Makes services at many places, of ten types, each with a word of its own. */
async function makeServices(): Promise<void> {
  const { database } = service();
  await database.query(`INSERT INTO healthcare_service (id, name, latitude, longitude, time_zone,
      type_ids, language_codes, accessibility, updated_at)
    SELECT i, 'n' || i, 47 + (i * 7919 % 8000) / 1000.0, 6 + (i * 104729 % 9000) / 1000.0, 'UTC',
      ARRAY[1 + i % 10], ARRAY['en'], '{}', now() FROM generate_series(1, 20000) i`);
  await database.query(`INSERT INTO service_search SELECT id, name,
      cube(ARRAY[cos(radians(latitude)) * cos(radians(longitude)),
        cos(radians(latitude)) * sin(radians(longitude)), sin(radians(latitude))]),
      array_to_tsvector(ARRAY[name, 'clinic']), type_ids, language_codes, accessibility, time_zone,
      '{}' FROM healthcare_service`);
  await database.query('ANALYZE service_search');
}

/** How PostgreSQL means to find a page of the directory. */
const planOf = (args: Partial<HealthcareServicesArgs>): Promise<string> =>
  plansOf(service(), 'service_search', (context) => listServices(context, { first: 20, ...args }));

describe('The indexes of the directory', () => {
  it('find the nearest services without reading the others', async () => {
    await makeServices();
    const plan = await planOf({ near: NEAR });
    expect(plan).toMatch(/Index Scan using service_search_position/);
    expect(plan).not.toMatch(/Seq Scan on service_search/);
  });

  it('find words and filters together, beside a look at the nearest services', async () => {
    await makeServices();
    const filter = { typeIds: [3], languageCodes: ['en'] };
    const plan = await planOf({ near: NEAR, search: 'n777', filter });
    expect(plan).toMatch(/Index Scan using service_search_position/);
    expect(plan).toMatch(/Bitmap Index Scan on service_search_filters/);
    expect(plan).not.toMatch(/Seq Scan on service_search/);
    expect(await planOf({ search: 'n777', filter })).toMatch(/service_search_filters/);
  });

  it('find services by name', async () => {
    await makeServices();
    expect(await planOf({})).toMatch(/Index (Only )?Scan using service_search_name/);
  });
});
