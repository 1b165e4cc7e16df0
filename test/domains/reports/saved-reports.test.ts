import { MOST_SAVED } from '../../../src/domains/reports/saved/saved-report.service.js';
import { type By, errorCode, useService } from '../../support/harness.js';

const service = useService();
const QUERY = 'query Own { viewer { username } }';
const FIELDS = 'id name query variables view isShared isOwn version';
const create = (input: object, by: By = 'analyst') =>
  service().ask(
    `mutation Save($input: CreateSavedReportInput!) {
      createSavedReport(input: $input) { savedReport { ${FIELDS} } } }`,
    { input: { name: 'Mine', query: QUERY, ...input } },
    by,
  );
const created = async (input: object = {}, by?: By) =>
  (await create(input, by)).data.createSavedReport.savedReport;
const update = (input: object, by: By = 'analyst') =>
  service().ask(
    `mutation Change($input: UpdateSavedReportInput!) {
      updateSavedReport(input: $input) { savedReport { ${FIELDS} } } }`,
    { input },
    by,
  );
const names = async (by: By) =>
  (await service().data('{ savedReports { nodes { name isOwn } totalCount } }', {}, by))
    .savedReports;

describe('A saved report', () => {
  it('is seen by who saved it, and by staff and analysts when it is shared', async () => {
    await created({ name: 'Secret' });
    await created({ name: 'Shared', isShared: true, view: 'LINE' });
    expect(await names('analyst')).toStrictEqual({
      nodes: [
        { name: 'Shared', isOwn: true },
        { name: 'Secret', isOwn: true },
      ],
      totalCount: 2,
    });
    expect(await names('clinician')).toStrictEqual({
      nodes: [{ name: 'Shared', isOwn: false }],
      totalCount: 1,
    });
  });

  it('is read by its id by who may see it alone', async () => {
    const { id } = await created();
    const read = async (by: By) =>
      (
        await service().data(
          'query Q($id: ID!) { node(id: $id) { ... on SavedReport { name } } }',
          { id },
          by,
        )
      ).node;
    expect(await read('analyst')).toStrictEqual({ name: 'Mine' });
    expect(await read('administrator')).toBeNull();
    await update({ id, isShared: true });
    expect(await read('administrator')).toStrictEqual({ name: 'Mine' });
    expect(await read('subscriber')).toBeNull();
  });

  it.each([
    ['mutation { signOut { __typename } }', 'A report is a query.'],
    ['{ site { titel } }', 'Cannot query field "titel" on type "Site". Did you mean "title"?'],
    ['query A { site { title } } query B { site { title } }', 'A report is one operation.'],
    ['{ site { title }', 'Syntax Error: Expected Name, found <EOF>.'],
  ])('is refused when it is no query that fits the schema: %s', async (query, message) => {
    const { errors } = await create({ query });
    expect([errors[0].extensions.code, errors[0].message]).toStrictEqual([
      'REPORT_DOCUMENT_INVALID',
      message,
    ]);
  });

  it('has variables that are a JSON object', async () => {
    expect(errorCode(await create({ variables: '[1]' }))).toBe('REPORT_DOCUMENT_INVALID');
    expect((await created({ variables: '{"a":1}' })).variables).toBe('{"a":1}');
  });

  it('is changed and deleted by who saved it alone', async () => {
    const { id, version } = await created({ isShared: true });
    expect(errorCode(await update({ id, name: 'Yours' }, 'administrator'))).toBe('FORBIDDEN');
    const { data } = await update({ id, version, name: 'Ours', view: 'BAR' });
    expect(data.updateSavedReport.savedReport).toMatchObject({ name: 'Ours', view: 'BAR' });
    expect(errorCode(await update({ id, version, name: 'Late' }))).toBe('CONFLICT');
    const remove =
      'mutation D($id: ID!) { deleteSavedReport(input: { id: $id }) { savedReport { name } } }';
    expect(errorCode(await service().ask(remove, { id }, 'clinician'))).toBe('FORBIDDEN');
    await service().data(remove, { id }, 'analyst');
    expect((await names('analyst')).totalCount).toBe(0);
  });

  it(`is one of ${MOST_SAVED} at most of an account`, async () => {
    const { id } = await service().account('analyst');
    await service().database.query(
      `INSERT INTO saved_report (account_id, name, query, variables, is_shared, modified_at)
       SELECT $1, 'x', 'x', '{}', false, now() FROM generate_series(1, $2::int)`,
      [id, MOST_SAVED],
    );
    expect(errorCode(await create({}))).toBe('SAVED_REPORTS_FULL');
  });
});
