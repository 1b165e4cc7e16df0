import { createConfig, lintFromString } from '@redocly/openapi-core';
import { ModelFieldType } from '../../../src/domains/models/field/field-types.js';
import { type FieldSpec, makeModel } from '../../domains/models/modelling.js';
import { useService } from '../../support/harness.js';

/** Returns what a document of OpenAPI has against the specification: a line for each fault. */
async function faultsOf(document: string): Promise<string[]> {
  const config = await createConfig({ extends: ['spec'] });
  const problems = await lintFromString({
    source: document,
    absoluteRef: 'openapi.json',
    config,
  });
  return problems.map(({ ruleId, message, location }) =>
    [ruleId, message, location[0]?.pointer].join(': '),
  );
}

/** A field of each type, and of each kind of target and of list. */
const FIELDS: Readonly<Record<string, FieldSpec>> = {
  ...Object.fromEntries(Object.keys(ModelFieldType).map((type) => [type.toLowerCase(), type])),
  bounded: { type: 'NUMBER', options: { number_min: '1', number_max: '9', required: '1' } },
  price: { type: 'CURRENCY', options: { currency_min: '0', currency_max: '99.5' } },
  files: { type: 'FILE', options: { file_format_type: 'multi', file_limit: '3' } },
  people: { type: 'PICK', options: { pick_object: 'user', pick_format_type: 'multi' } },
  word: { type: 'PICK', options: { pick_object: 'custom-simple', pick_custom: 'a|A\nb' } },
  words: {
    type: 'PICK',
    options: { pick_object: 'custom-simple', pick_custom: 'a\nb\na', pick_format_type: 'multi' },
  },
  wordless: { type: 'PICK', options: { pick_object: 'custom-simple' } },
};

describe('The description of models over REST (docs/behaviour.md 14.7)', () => {
  const service = useService();
  const doc = (edition: 'A' | 'B') =>
    service().rest('GET', '/models/v1/doc', { as: 'administrator', edition });

  it.each(['A', 'B'] as const)('is valid OpenAPI 3.1 in edition %s', async (edition) => {
    await makeModel(service(), 'everything', FIELDS);
    const { text, body } = await doc(edition);
    const { properties } = body.components.schemas.everything;
    expect(Object.keys(properties)).toHaveLength(Object.keys(FIELDS).length - 2);
    expect(await faultsOf(text)).toStrictEqual([]);
  });

  it('names what a pod is read and renamed by, its number or its name, in one path', async () => {
    const { paths } = (await doc('A')).body;
    const { get, post } = paths['/pods/{id_or_slug}'];
    const named = get.parameters.filter((parameter: object) => 'name' in parameter);
    const names = named.map((parameter: { name: string }) => parameter.name);
    const { properties } = post.requestBody.content['application/json'].schema;
    expect(names).toStrictEqual([
      'id_or_slug',
      'include_fields',
      'include_groups',
      'include_group_fields',
    ]);
    expect(Object.keys(properties)).toStrictEqual(['name', 'label', 'args', 'new_name']);
  });
});
