// Content models: administrators define them, editors write their items, everyone reads public ones.
import { type AccessTable, ADMINISTRATORS, EDITORS, EVERYONE, only } from './rules.js';

export const models: AccessTable = {
  lines: [
    ['models', '{ models { totalCount } }', EVERYONE],
    ['model', '{ model(name: "nothing") { name } }', EVERYONE, 'MODEL_NOT_FOUND'],
    ['modelItem', '{ modelItem(id: 4711) { id } }', EVERYONE, 'MODEL_NOT_FOUND'],
    [
      'modelFieldChange',
      '{ modelFieldChange(id: 4711) { lost } }',
      ADMINISTRATORS,
      'MODEL_NOT_FOUND',
    ],
    [
      'createModel',
      'mutation { createModel(input: { name: "x", type: POST_TYPE }) { model { id options { name } } } }',
      ADMINISTRATORS,
    ],
    [
      'updateModel',
      'mutation { updateModel(input: { id: 4711, version: 1 }) { model { id } } }',
      ADMINISTRATORS,
      'MODEL_NOT_FOUND',
    ],
    [
      'deleteModel',
      'mutation { deleteModel(input: { id: 4711, version: 1, itemCount: 0 }) { databaseId } }',
      ADMINISTRATORS,
      'MODEL_NOT_FOUND',
    ],
    [
      'restoreModel',
      'mutation { restoreModel(input: { id: 4711 }) { model { id } } }',
      ADMINISTRATORS,
      'MODEL_NOT_FOUND',
    ],
    [
      'returnModel',
      'mutation { returnModel(input: { id: 4711, version: 1, to: 1 }) { model { id } } }',
      ADMINISTRATORS,
      'MODEL_NOT_FOUND',
    ],
    [
      'createModelGroup',
      'mutation { createModelGroup(input: { modelId: 4711, version: 1, label: "x" }) { model { id } } }',
      ADMINISTRATORS,
      'MODEL_NOT_FOUND',
    ],
    [
      'updateModelGroup',
      'mutation { updateModelGroup(input: { id: 4711, version: 1 }) { model { id } } }',
      ADMINISTRATORS,
      'MODEL_NOT_FOUND',
    ],
    [
      'deleteModelGroup',
      'mutation { deleteModelGroup(input: { id: 4711, version: 1 }) { model { id } } }',
      ADMINISTRATORS,
      'MODEL_NOT_FOUND',
    ],
    [
      'createModelField',
      'mutation { createModelField(input: { modelId: 4711, version: 1, label: "x", type: TEXT }) { ' +
        'model { id } } }',
      ADMINISTRATORS,
      'MODEL_NOT_FOUND',
    ],
    [
      'updateModelField',
      'mutation { updateModelField(input: { id: 4711, version: 1 }) { model { id } } }',
      ADMINISTRATORS,
      'MODEL_NOT_FOUND',
    ],
    [
      'deleteModelField',
      'mutation { deleteModelField(input: { id: 4711, version: 1 }) { model { id } } }',
      ADMINISTRATORS,
      'MODEL_NOT_FOUND',
    ],
    [
      'restoreModelField',
      'mutation { restoreModelField(input: { id: 4711, version: 1 }) { model { id } } }',
      ADMINISTRATORS,
      'MODEL_NOT_FOUND',
    ],
    [
      'createModelItem',
      'mutation { createModelItem(input: { modelId: 4711, values: [] }) { item { id } } }',
      only(EDITORS, 'FORBIDDEN', 'UNAUTHENTICATED'),
      'MODEL_NOT_FOUND',
    ],
    [
      'updateModelItem',
      'mutation { updateModelItem(input: { id: 4711, version: 1, values: [] }) { item { id } } }',
      only(EDITORS, 'FORBIDDEN', 'UNAUTHENTICATED'),
      'MODEL_NOT_FOUND',
    ],
    [
      'deleteModelItem',
      'mutation { deleteModelItem(input: { id: 4711, version: 1 }) { item { id } } }',
      only(EDITORS, 'FORBIDDEN', 'UNAUTHENTICATED'),
      'MODEL_NOT_FOUND',
    ],
    [
      'deleteModelItems',
      'mutation { deleteModelItems(input: { ids: [4711], versions: [1] }) { results { error { code } } } }',
      only(EDITORS, 'FORBIDDEN', 'UNAUTHENTICATED'),
    ],
  ],
};
