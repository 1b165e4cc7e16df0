import { indexAllModels } from '../../../domains/models/item/item-index.service.js';
import type { ItemValues } from '../../../domains/models/item/model-item.row.js';
import { columnsOf } from '../../../domains/models/item/model-item-write.service.js';
import type { LineKind } from './line.js';
import { documentsHere } from './model-document.service.js';

/** Models with their former versions, those in the trash too. */
export const MODEL_LINES: LineKind = {
  name: 'model',
  table: 'model_definition',
  fields: {
    name: 'text',
    document: 'json',
    version: 'integer',
    createdAt: 'instant',
    updatedAt: 'instant',
    removedAt: 'instant?',
  },
  parts: {
    numbers: {
      table: 'model_part',
      of: 'definition_id',
      order: 'p.id',
      isReferredTo: true,
      fields: { id: 'integer', kind: 'text' },
    },
    versions: {
      table: 'model_version',
      of: 'definition_id',
      order: 'p.number',
      fields: {
        number: 'integer',
        document: 'json',
        change: 'text',
        accountId: 'integer?',
        createdAt: 'instant',
      },
    },
  },
  finish: ({ context }) => indexAllModels(context),
};

/** Items of models. Their values have the numbers of fields for names. */
export const MODEL_ITEM_LINES: LineKind = {
  name: 'modelItem',
  table: 'model_item',
  fields: {
    definitionId: 'integer',
    values: 'json',
    version: 'integer',
    authorId: 'integer?',
    createdAt: 'instant',
    updatedAt: 'instant',
  },
  filled: ['keys'],
  fill: async ({ definitionId, values }, run) => {
    const document = (await documentsHere(run)).get(Number(definitionId));
    return { keys: document ? columnsOf(document, values as ItemValues).keys : {} };
  },
};
