import { registerEnumType } from 'type-graphql';
import { ModelKind, ModelMode, ModelStorage } from './model-kinds.js';

/** What a list of REST responses. */
export enum PodReturn {
  FULL = 'full',
  NAMES = 'names',
  NAMES_IDS = 'names_ids',
  IDS = 'ids',
  KEY_NAMES = 'key_names',
  COUNT = 'count',
}

registerEnumType(ModelKind, {
  name: 'ModelKind',
  description: 'What a model is of. It decides the first options; items are the same for all.',
  valuesConfig: {
    POST_TYPE: { description: 'A kind of content.' },
    TAXONOMY: { description: 'A vocabulary.' },
    CPT: { description: 'A kind of content, in short.' },
    CT: { description: 'A vocabulary, in short.' },
    USER: { description: 'Further fields of accounts.' },
    MEDIA: { description: 'Further fields of media.' },
    COMMENT: { description: 'Further fields of comments.' },
    POD: { description: 'Items of its own; it begins with a group of usual fields.' },
    SETTINGS: { description: 'Settings.' },
    TABLE: { description: 'A table of its own.' },
    INTERNAL: { description: 'Something of the service.' },
  },
});
registerEnumType(ModelStorage, {
  name: 'ModelStorage',
  description: 'Where apps believe that values are stored. It changes nothing.',
  valuesConfig: {
    META: { description: 'Beside the rows that a model extends, or of its own rows.' },
    TABLE: { description: 'In a table of its own.' },
    NONE: { description: 'Nowhere.' },
  },
});
registerEnumType(ModelMode, {
  name: 'ModelMode',
  description: 'Whether a model is new, or adds fields to something that there is.',
  valuesConfig: {
    CREATE: { description: 'It is new.' },
    EXTEND: { description: 'It adds fields to something that there is.' },
  },
});
registerEnumType(PodReturn, { name: 'PodReturn', description: 'What a list answers.' });
