import type { Json } from './json.js';

/** The schemas of a document that have a name. */
export class Components {
  readonly schemas: Record<string, Json> = {};
  readonly #names = new Map<string, string>();

  /**
   * Names a schema of a type and returns a reference to it: the first of `names` that is free.
   * Equal schemas of a type have one name.
   */
  add(type: string, names: readonly string[], schema: Json): Json {
    const text = `${type} ${JSON.stringify(schema)}`;
    const name = this.#names.get(text) ?? names.find((free) => !(free in this.schemas));
    if (!name) throw new Error(`${names.join(', ')} name other schemas already.`);
    this.#names.set(text, name);
    this.schemas[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  }
}
