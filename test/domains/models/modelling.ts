import type { Answer, By, Harness } from '../../support/harness.js';

type Body = Answer['body'];

/** A field of a test: its type, and options. */
export type FieldSpec = string | { type: string; options?: Record<string, string> };

export const optionList = (options: Record<string, string> = {}) =>
  Object.entries(options).map(([name, value]) => ({ name, value }));

/** Asks as the administrator. Returns the data. */
export const manage = (service: Harness, query: string, variables: object = {}): Promise<Body> =>
  service.data(query, variables, 'administrator');

/** Makes a model with fields over GraphQL. Returns its id, its version and its fields by name. */
export async function makeModel(
  service: Harness,
  name: string,
  fields: Record<string, FieldSpec> = {},
  options: Record<string, string> = {},
): Promise<{ id: number; version: number; fields: Record<string, number> }> {
  const { createModel } = await manage(
    service,
    'mutation($input: CreateModelInput!) { createModel(input: $input) { model { databaseId } } }',
    { input: { name, label: name, type: 'POST_TYPE', options: optionList(options) } },
  );
  const id: number = createModel.model.databaseId;
  const ids: Record<string, number> = {};
  let version = 1;
  for (const [field, spec] of Object.entries(fields)) {
    const made = await addField(service, id, version, field, spec);
    version = made.version;
    ids[field] = made.id;
  }
  return { id, version, fields: ids };
}

/** Adds a field to a model. Returns its id and the next version of the model. */
export async function addField(
  service: Harness,
  modelId: number,
  version: number,
  name: string,
  spec: FieldSpec,
): Promise<{ id: number; version: number }> {
  const { type, options } = typeof spec === 'string' ? { type: spec, options: {} } : spec;
  const { createModelField } = await manage(
    service,
    `mutation($input: CreateModelFieldInput!) {
      createModelField(input: $input) { field { databaseId } model { version } } }`,
    { input: { modelId, version, name, label: name, type, options: optionList(options) } },
  );
  return {
    id: createModelField.field.databaseId,
    version: createModelField.model.version,
  };
}

export const valueList = (values: Record<string, unknown>) =>
  Object.entries(values).map(([field, value]) => ({ field, value }));

/** Makes an item, as an editor unless told. Returns its number, version and values. */
export async function makeItem(
  service: Harness,
  modelId: number,
  values: Record<string, unknown>,
  by: By = 'editor',
): Promise<Body> {
  const { createModelItem } = await service.data(
    `mutation($input: CreateModelItemInput!) {
      createModelItem(input: $input) { item { databaseId version values } } }`,
    { input: { modelId, values: valueList(values) } },
    by,
  );
  return createModelItem.item;
}

/** Asks for the items of a model. Returns the connection. */
export async function itemsOf(
  service: Harness,
  name: string,
  args = '',
  by: By = 'editor',
  fields = 'totalCount nodes { databaseId values } pageInfo { endCursor hasNextPage }',
): Promise<Body> {
  const { model } = await service.data(
    `{ model(name: "${name}") { items${args && `(${args})`} { ${fields} } } }`,
    {},
    by,
  );
  return model.items;
}
