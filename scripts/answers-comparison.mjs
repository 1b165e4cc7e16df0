// Compares an answer with what a running original answered, as the runner of the transcripts does.

/** Keys that a theme or a plugin decides, as the runner of the transcripts leaves them out. */
const IGNORED = new Set([
  'avatar_urls',
  'class_list',
  'guid',
  'permalink_template',
  'generated_slug',
  'yoast_head',
  'jetpack_featured_media_url',
  'wp_pattern_sync_status',
  'preview_link',
]);
const LINKS =
  /^(self|collection|author|up|version-history|predecessor-version|wp:(term|featuredmedia|action-.*))$/;

/** Returns a body without what legitimately differs between two deployments. */
export function normal(value, base, key = '') {
  if (IGNORED.has(key)) return undefined;
  if (key === '_embedded') return normal(withoutLinks(value), base);
  if (key === '_links' && !('allow' in value)) return linksOf(value);
  if (typeof value === 'string')
    return value
      .replaceAll(base, '{base}')
      .replaceAll('{base}/v3/', '{base}/')
      .trim()
      .replaceAll(/(?:\r?\n)+/g, '\n');
  if (Array.isArray(value))
    return value.map((one) => normal(one, base, 'entry')).filter((one) => one !== undefined);
  if (value === null || typeof value !== 'object') return value;
  const isRefusal = typeof value.code === 'string' && 'message' in value;
  const entries = Object.entries(value)
    .map(([name, one]) => [
      name,
      isRefusal && name === 'message' ? Boolean(one) : normal(one, base, name),
    ])
    .filter(([, one]) => one !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 && key !== '' ? [] : Object.fromEntries(entries);
}

/** Of links the transcripts compare which there are, and what one may do. */
const linksOf = (links) => ({
  ...Object.fromEntries(
    Object.keys(links)
      .filter((name) => LINKS.test(name))
      .map((name) => [name, true]),
  ),
  allow: [...(links.self?.[0]?.targetHints?.allow ?? [])].sort().join(),
});
/** Returns what is embedded without its links, which are compared where it is asked itself. */
const withoutLinks = (embedded) =>
  JSON.parse(JSON.stringify(embedded, (name, value) => (name === '_links' ? undefined : value)));

/** Headers of an answer that are compared. */
const HEADERS = ['x-wp-total', 'x-wp-totalpages', 'link', 'allow'];

const relations = (link) =>
  [...(link ?? '').matchAll(/rel="([^"]+)"/g)].map(([, rel]) => rel).join();

const header = (name, value) =>
  name === 'link'
    ? relations(value)
    : name === 'allow'
      ? value?.split(/,\s*/).sort().join()
      : value;

/** Returns the headers that were recorded, as they are compared; `read` reads those of an answer. */
export const headersOf = (recorded, read) =>
  Object.fromEntries(
    HEADERS.filter((name) => recorded[name] !== undefined).map((name) => [
      name,
      header(name, read(name)),
    ]),
  );

/** Returns where two values differ: a path, and what stands there. */
export function differences(expected, found, path = '') {
  if (JSON.stringify(expected) === JSON.stringify(found)) return [];
  const isObject = (one) => one !== null && typeof one === 'object';
  if (!isObject(expected) || !isObject(found) || Array.isArray(expected) !== Array.isArray(found))
    return [{ path, expected, found }];
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])];
  return names.flatMap((name) => differences(expected[name], found[name], `${path}/${name}`));
}

/** Returns the list that a path is of, and its query. */
function listOf(path) {
  const [list, query] = path.split('?');
  return { list: list.replace(/\/$/, ''), query: new URLSearchParams(query) };
}

/** Texts that sort alike: the collation of the original knows no accents and no case, and ß is ss. */
const folded = (text) =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss').trim();

/** What lists are ordered by, as a value of an item that was read in full. Others have no ties. */
const KEYS = {
  date: ({ date }) => date,
  modified: ({ modified }) => modified,
  // Every answer with a title has it as shown, of which equal titles are equal too.
  title: ({ title }) => folded(title.rendered),
  name: ({ name }) => folded(name),
  label: ({ label }) => folded(label),
  author: ({ author }) => author,
  parent: ({ parent }) => parent,
  menu_order: ({ menu_order: order }) => order,
  slug: ({ slug }) => slug,
  // Without slugs that are asked for there is nothing to order by.
  include_slugs: () => '',
};

/** The vocabularies whose terms an item shows. */
const TERMS = ['categories', 'tags'];

/** The property of a body that holds the list, where models, groups or fields are listed. */
const PARTS = ['pods', 'groups', 'fields'];
const partsIn = (body) => PARTS.find((name) => Array.isArray(body?.[name]));

/** What is known of items from all answers, to tell which ones have equal sort keys. */
export class Ties {
  #items = new Map();

  /** Notes the items that an answer to a path shows. */
  learn(path, body) {
    const { list } = listOf(path);
    const parts = partsIn(body);
    const items = parts ? body[parts] : Array.isArray(body) ? body : undefined;
    const of = items ? list : list.replace(/\/\d+$/, '');
    for (const item of items ?? [body])
      if (item !== null && typeof item === 'object')
        for (const key of parts ? [item.id, item.name] : [item.id])
          this.#items.set(`${of} ${key}`, { ...this.#items.get(`${of} ${key}`), ...item });
  }

  #keyOf({ list, query }, id) {
    const item = this.#items.get(`${list} ${id}`);
    if (!item) return undefined;
    if (query.get('orderby') === 'include_slugs' && query.has('slug')) return undefined;
    const usual = 'object_type' in item ? 'label' : 'taxonomy' in item ? 'name' : 'date';
    try {
      return JSON.stringify([KEYS[query.get('orderby') ?? usual](item)]);
    } catch {
      return undefined;
    }
  }

  /**
   * Returns the body that was found, in the order of the one that was expected, where only the order of
   * equal keys differs. `elsewhere` reads an item of the list that another page has; undefined when
   * none has it.
   */
  async ordered(path, expected, found, elsewhere) {
    const parts = partsIn(expected);
    if (parts && partsIn(found) === parts)
      return {
        ...found,
        [parts]: await this.#sorted(path, expected[parts], found[parts], async () => undefined),
      };
    if (!Array.isArray(expected) || !Array.isArray(found)) return this.#filed(expected, found);
    const sorted = await this.#sorted(path, expected, found, elsewhere);
    return sorted.map((one, i) => this.#filed(expected[i], one));
  }

  /** Returns an item whose terms, which go by name, stand as in another where equal names alone differ. */
  #filed(expected, found) {
    const filed = TERMS.filter((list) => this.#areTied(list, expected?.[list], found?.[list]));
    return filed.length === 0
      ? found
      : { ...found, ...Object.fromEntries(filed.map((list) => [list, expected[list]])) };
  }

  #areTied(list, expected, found) {
    if (!Array.isArray(expected) || !Array.isArray(found)) return false;
    const nameOf = (id) => folded(this.#items.get(`/api/wp/v2/${list} ${id}`)?.name ?? `${id}`);
    return (
      [...expected].sort().join() === [...found].sort().join() &&
      expected.map(nameOf).join('\n') === found.map(nameOf).join('\n')
    );
  }

  async #sorted(path, expected, found, elsewhere) {
    const ids = (list) =>
      list.map((one) => (one === null || typeof one !== 'object' ? one : one.id));
    const [wanted, seen] = [ids(expected), ids(found)];
    if (wanted.length !== seen.length || wanted.join() === seen.join()) return found;
    const where = listOf(path);
    const alike = wanted.every((id, i) => {
      const key = this.#keyOf(where, id);
      return id === seen[i] || (key !== undefined && key === this.#keyOf(where, seen[i]));
    });
    if (!alike) return found;
    return Promise.all(
      wanted.map(async (id, i) => found[seen.indexOf(id)] ?? (await elsewhere(id)) ?? found[i]),
    );
  }
}
