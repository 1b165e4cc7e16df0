import type { Selected } from '../operation/selected.js';
import type { Components } from './components.js';
import type { Json } from './json.js';

/** One entry of a relation. */
const LINK: Json = {
  type: 'object',
  required: ['href'],
  properties: {
    href: { type: 'string' },
    embeddable: {
      type: 'boolean',
      description: 'Whether `_embed` puts its target into the response.',
    },
    templated: { type: 'boolean' },
    name: { type: 'string' },
    taxonomy: { type: 'string' },
    count: { type: 'integer' },
    id: { type: 'integer' },
    targetHints: {
      type: 'object',
      properties: { allow: { type: 'array', items: { type: 'string' } } },
    },
  },
};

/** Links by relation. */
const LINKS: Json = {
  type: 'object',
  description: 'Addresses by relation. Relations with a prefix are spelt out by `curies`.',
  additionalProperties: { type: 'array', items: { $ref: '#/components/schemas/Link' } },
};

/** Which hidden fields make links. */
const LINKED = new Set(['_kind', '_of', '_term', '_user', '_medium']);

/**
 * Returns the properties that are made of hidden fields: `_links`, and `_embedded` where relations
 * can be embedded. `describe` makes the schema of what is embedded.
 */
export function hiddenSchemas(
  fields: readonly Selected[],
  components: Components,
  describe: (field: Selected) => Json,
): Record<string, Json> {
  if (!fields.some(({ name }) => LINKED.has(name))) return {};
  const links = linksSchema(components);
  if (fields.some(({ name }) => name === '_term')) return { _links: links, parent: PARENT };
  const embedded = fields.filter(({ name }) => name.startsWith('_embed_'));
  if (embedded.length === 0) return { _links: links };
  const missing = { $ref: '#/components/schemas/Error' };
  const lists = embedded.map((field) => {
    const relation = field.name.slice('_embed_'.length).replace(/^wp_/, 'wp:');
    const list = { type: 'array', items: describeItem(describe(field), missing, relation) };
    return [relation, list];
  });
  const properties = Object.fromEntries(lists);
  return { _links: links, _embedded: { type: 'object', properties } };
}

/** The term above; flat taxonomies have none. */
const PARENT: Json = { type: 'integer', description: 'The term above; 0 for none.' };

/** Returns a reference to the schema of `_links`. */
export function linksSchema(components: Components): Json {
  components.add('Link', ['Link'], LINK);
  return components.add('Links', ['Links'], LINKS);
}

/** Terms are embedded as a list for each taxonomy; what may be missing, as an item or a refusal. */
const describeItem = (item: Json, missing: Json, relation: string): Json =>
  relation === 'wp:term' ? { type: 'array', items: item } : { anyOf: [item, missing] };
