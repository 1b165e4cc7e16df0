import type { Options } from './model.document.js';

/** What a definition is of, in the words of REST (docs/interface.md 10.9). */
export enum ModelKind {
  POST_TYPE = 'post_type',
  TAXONOMY = 'taxonomy',
  CPT = 'cpt',
  CT = 'ct',
  USER = 'user',
  MEDIA = 'media',
  COMMENT = 'comment',
  POD = 'pod',
  SETTINGS = 'settings',
  TABLE = 'table',
  INTERNAL = 'internal',
}

/** Where the original kept values. Here it is a word that clients read back. */
export enum ModelStorage {
  META = 'meta',
  TABLE = 'table',
  NONE = 'none',
}

export enum ModelMode {
  CREATE = 'create',
  EXTEND = 'extend',
}

const SHOWN: Options = [
  ['public', '1'],
  ['show_ui', '1'],
];
const QUERIED: Options = [
  ['publicly_queryable', '0'],
  ['dynamic_features_allow', 'inherit'],
  ['rest_enable', '1'],
];

/** Options that a new definition of a kind has, after its singular label. */
const OPTIONS: Readonly<Partial<Record<ModelKind, Options>>> = {
  [ModelKind.POST_TYPE]: [...SHOWN, ...QUERIED, ['supports_title', '1'], ['supports_editor', '1']],
  [ModelKind.TAXONOMY]: [...SHOWN, ['hierarchical', '1'], ...QUERIED],
  [ModelKind.POD]: [
    ['public', '0'],
    ['show_ui', '1'],
    ['pod_index', 'name'],
  ],
};

/** Returns the options of a new definition. */
export const optionsOfKind = (kind: ModelKind): Options => OPTIONS[kind] ?? SHOWN;

const AS_ASKED: ReadonlySet<ModelKind> = new Set([ModelKind.POST_TYPE, ModelKind.TAXONOMY]);

/** Returns the storage that a new definition of a kind reports (docs/behaviour.md 14.4). */
export function storageOfKind(kind: ModelKind, asked: ModelStorage): ModelStorage {
  if (AS_ASKED.has(kind)) return asked;
  return kind === ModelKind.SETTINGS ? ModelStorage.META : ModelStorage.TABLE;
}

/** Kinds that extend nothing. */
export const NOT_EXTENDING: ReadonlySet<ModelKind> = new Set([
  ModelKind.POD,
  ModelKind.SETTINGS,
  ModelKind.TABLE,
  ModelKind.INTERNAL,
]);

/** Labels of what there is to extend. */
export const EXTENDED_LABELS: Readonly<Record<string, string>> = {
  post: 'Posts',
  page: 'Pages',
  attachment: 'Media',
  media: 'Media',
  category: 'Categories',
  post_tag: 'Tags',
  user: 'Users',
  comment: 'Comments',
  healthcare: 'Healthcare',
};

/** Names of the service's own types of content and taxonomies, by the kind of definition. */
export const STANDING_NAMES: Readonly<Record<string, readonly string[]>> = {
  [ModelKind.POST_TYPE]: ['post', 'page', 'attachment', 'healthcare'],
  [ModelKind.TAXONOMY]: ['category', 'post_tag'],
};

/** The group and the fields that a new definition of kind `pod` has. */
export const FIRST_GROUP = { name: 'more_fields', label: 'More Fields' };
export const FIRST_FIELDS: readonly (readonly [
  name: string,
  label: string,
  type: string,
  options: Options,
])[] = [
  ['name', 'Name', 'text', [['required', '1']]],
  ['created', 'Date Created', 'datetime', []],
  ['modified', 'Date Modified', 'datetime', []],
  [
    'author',
    'Author',
    'pick',
    [
      ['pick_object', 'user'],
      ['pick_format_type', 'single'],
    ],
  ],
  ['permalink', 'Permalink', 'slug', []],
];
