// What introspection says of types, as far as the builder needs it.

/** A type with its wrappers: lists and non-null. */
export interface TypeRef {
  readonly kind: string;
  readonly name: string | null;
  readonly ofType?: TypeRef | null;
}

/** A field of an object, an argument, or a field of an input. */
export interface Member {
  readonly name: string;
  readonly description: string | null;
  readonly type: TypeRef;
}

/** A field of the Query type. */
export interface RootField extends Member {
  readonly args: readonly Member[];
}

/** A type of the schema by its name. */
export interface NamedType {
  readonly name: string;
  readonly kind: string;
  readonly fields: readonly Member[] | null;
  readonly inputFields: readonly Member[] | null;
  readonly enumValues:
    | readonly { readonly name: string; readonly description: string | null }[]
    | null;
}

/** Sends a document, and returns its data. */
export type Ask = (query: string) => Promise<Record<string, unknown>>;

const REF = 'kind name ofType { kind name ofType { kind name ofType { kind name } } }';
const MEMBER = `name description type { ${REF} }`;

/** Reads the fields of the Query type. */
export async function readRoots(ask: Ask): Promise<readonly RootField[]> {
  const data = await ask(
    `query Roots { __schema { queryType { fields { ${MEMBER} args { ${MEMBER} } } } } }`,
  );
  return (data.__schema as { queryType: { fields: readonly RootField[] } }).queryType.fields;
}

/** Types that one document asks for: the service refuses more aliases. */
const AT_ONCE = 10;

/** Reads the types of members: objects, inputs and enums, but for those that are known. */
export async function readTypes(
  ask: Ask,
  members: readonly Member[],
  known: ReadonlyMap<string, NamedType>,
): Promise<ReadonlyMap<string, NamedType>> {
  const refs = members.map(({ type }) => namedType(type)).filter(({ kind }) => kind !== 'SCALAR');
  const names = [...new Set(refs.map(({ name }) => name ?? ''))].filter((name) => !known.has(name));
  const parts = Array.from({ length: Math.ceil(names.length / AT_ONCE) }, (_, part) =>
    names.slice(part * AT_ONCE, (part + 1) * AT_ONCE),
  );
  const answers = await Promise.all(parts.map((part) => ask(typesDocument(part))));
  const found = answers.flatMap((data) => Object.values(data as Record<string, NamedType>));
  return new Map([...known, ...found.map((type) => [type.name, type] as const)]);
}

const typesDocument = (names: readonly string[]): string => `query Types {
  ${names.map((name) => `${name}: __type(name: "${name}") { ...Named }`).join('\n  ')}
}
fragment Named on __Type { name kind fields { ${MEMBER} } inputFields { ${MEMBER} }
  enumValues { name description } }`;

/** Returns a type without its wrappers. */
export const namedType = (type: TypeRef): TypeRef => (type.ofType ? namedType(type.ofType) : type);

/** Returns the name of a type without its wrappers. */
export const typeName = (type: TypeRef): string => namedType(type).name ?? '';
