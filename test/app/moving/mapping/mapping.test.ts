import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readMapping } from '../../../../src/app/moving/mapping/mapping.js';
import { projectRoot } from '../../../../src/platform/root.js';

describe('A mapping file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'care-mapping-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const read = (text: string) => {
    writeFileSync(join(folder, 'mapping'), text);
    return readMapping(join(folder, 'mapping'));
  };
  const poll = {
    kind: 'poll',
    from: 'polls',
    query: 'SELECT id, text FROM {polls}',
    columns: { key: 'id', question: 'text' },
  };
  const json = (query: object, more = {}) =>
    JSON.stringify({ version: 1, queries: [{ ...poll, ...query }], ...more });

  it('may be YAML or JSON', async () => {
    const asJson = await read(json({}));
    const asYaml = await read(`version: 1
queries:
  - kind: poll
    from: polls
    query: SELECT id, text FROM {polls}
    columns: { key: id, question: text }`);
    expect(asYaml).toStrictEqual(asJson);
    expect(asJson).toStrictEqual([{ ...poll, dates: 'in-doubt' }]);
  });

  it('is the example of the documentation, whose kinds come in the order of their references', async () => {
    const kinds = (await readMapping(join(projectRoot, 'docs/import-mapping.yaml'))).map(
      ({ kind }) => kind,
    );
    expect(kinds).toStrictEqual([
      ...['policy', 'poll', 'option', 'form', 'medicine', 'appointment', 'device', 'answer'],
      ...['agreement', 'submission'],
    ]);
  });

  it.each([
    ['a kind that there is not', json({ kind: 'dose' }), /\/queries\/0.*kind/],
    [
      'a field that the kind does not have',
      json({ columns: { ...poll.columns, votes: 'v' } }),
      /votes/,
    ],
    ['no column for a field that is needed', json({ columns: { key: 'id' } }), /question/],
    ['a statement that changes something', json({ query: 'DELETE FROM {polls}' }), /query/],
    ['an order of dates that there is not', json({}, { dates: 'year-first' }), /dates/],
    ['another version', JSON.stringify({ version: 2, queries: [poll] }), /version/],
    ['no YAML', 'a: [1', /no YAML or JSON/],
    ['many references', `a: &a [1]\nb: [${'*a,'.repeat(50)}]`, /no YAML or JSON/],
  ])('is refused with %s, and the place is named', async (_, text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  it('is refused where there is none', async () => {
    await expect(readMapping(join(folder, 'gone'))).rejects.toThrow(/cannot be read/);
  });
});
