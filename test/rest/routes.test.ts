import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DocumentNode,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  Kind,
  NoUnusedVariablesRule,
  type OperationDefinitionNode,
  parse,
  separateOperations,
  specifiedRules,
  validate,
  visit,
} from 'graphql';
import { projectRoot } from '../../src/platform/root.js';
import { dialectOf } from '../../src/rest/dialect.js';
import { ROUTES } from '../../src/rest/routes/index.js';
import { useService } from '../support/harness.js';

type Edition = 'A' | 'B';
type Schema = Readonly<Record<string, unknown>>;

/** A row of the specification (docs/interface.md 10): one method of one path. */
interface Row {
  editions: Edition[];
  method: string;
  path: string;
  args: Record<string, Schema>;
  args_open?: true;
  allow_batch?: true;
  form?: 'index' | 'collection';
}

/** A route as the descriptor prints it. */
interface Entry {
  methods: string[];
  endpoints: { methods: string[]; allow_batch?: { v1: boolean }; args: Record<string, Schema> }[];
}

const EDITIONS = ['A', 'B'] as const;
const specification = JSON.parse(
  readFileSync(join(projectRoot, 'test/conformance/routes.json'), 'utf8'),
) as {
  patterns: Record<string, string>;
  routes: Row[];
};
const nameOf = ({ method, path, form }: Pick<Row, 'method' | 'path' | 'form'>) =>
  `${method} ${path}${form ? ` (${form})` : ''}`;

/** Where the specification leaves these out, so must the descriptor. */
const COMPARED = [
  'enum',
  'default',
  'minimum',
  'maximum',
  'maxItems',
  'uniqueItems',
  'format',
  'readonly',
];

/**
 * What two schemas have to agree in: everything but words for people, and the type that stands
 * beside several schemas.
 */
function comparable({
  type,
  items,
  properties,
  oneOf,
  additionalProperties,
  ...schema
}: Schema): object {
  return {
    ...(type !== undefined && !oneOf && { type }),
    ...Object.fromEntries(
      COMPARED.filter((word) => schema[word] !== undefined).map((word) => [word, schema[word]]),
    ),
    ...(schema.required === true && { required: true }),
    ...(items !== undefined && { items: comparable(items as Schema) }),
    ...(properties !== undefined &&
      Object.keys(properties as object).length > 0 && {
        properties: each(properties as Record<string, Schema>),
      }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object'
          ? comparable(additionalProperties as Schema)
          : additionalProperties,
    }),
    ...(oneOf !== undefined && { oneOf: (oneOf as Schema[]).map(comparable) }),
  };
}

const each = (schemas: Readonly<Record<string, Schema>>): Record<string, object> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, comparable(schema)]));

describe('The route table', () => {
  const service = useService();
  const described = {} as Record<Edition, Map<string, Entry>>;
  const patterns = new Map<string, Set<string>>();

  beforeAll(async () => {
    for (const edition of EDITIONS) {
      const { routes } = (await service().rest('GET', '/', { edition })).body as {
        routes: Record<string, Entry>;
      };
      described[edition] = new Map(
        Object.entries(routes).map(([key, entry]) => [pathOf(key), entry]),
      );
    }
  });

  /** A route key with its variables as the specification spells them, `/v1/posts/{id}`. */
  function pathOf(key: string): string {
    return key.replace(/\(\?P<(\w+)>([^)]*)\)/g, (_, name: string, pattern: string) => {
      patterns.set(name, (patterns.get(name) ?? new Set()).add(pattern));
      return `{${name}}`;
    });
  }

  /**
   * The endpoint that answers a row in an edition; of two that share a method, the index is the one
   * that takes a namespace.
   */
  function endpointOf({ method, path, form }: Row, edition: Edition) {
    const endpoints =
      described[edition].get(path)?.endpoints.filter(({ methods }) => methods.includes(method)) ??
      [];
    return form
      ? endpoints.find(({ args }) => 'namespace' in args === (form === 'index'))
      : endpoints[0];
  }

  const missing = () => {
    const names = new Map<string, Edition[]>();
    for (const row of specification.routes) {
      const known = names.get(nameOf(row)) ?? [];
      if (!EDITIONS.some((edition) => endpointOf(row, edition)))
        names.set(nameOf(row), [...new Set([...known, ...row.editions])]);
    }
    return names;
  };

  /** Runs a comparison for every row that is there, in each of its editions. */
  function compare(
    compared: (row: Row, endpoint: Entry['endpoints'][number], name: string) => void,
  ): void {
    for (const row of specification.routes) {
      for (const edition of row.editions) {
        const endpoint = endpointOf(row, edition);
        if (endpoint) compared(row, endpoint, `${nameOf(row)} in edition ${edition}`);
      }
    }
  }

  it('says which routes of the specification are still missing', () => {
    const names = missing();
    for (const [name, editions] of names) console.log(`missing: ${name} (${editions.join(', ')})`);
    expect(names.size).toBeLessThan(specification.routes.length);
  });

  it('has every route in exactly the editions of the specification', () => {
    const absent = missing();
    const wanted = new Map<string, Set<Edition>>();
    for (const row of specification.routes) {
      if (absent.has(nameOf(row))) continue;
      wanted.set(nameOf(row), new Set([...(wanted.get(nameOf(row)) ?? []), ...row.editions]));
    }
    for (const [name, editions] of wanted) {
      const row = specification.routes.find((candidate) => nameOf(candidate) === name) as Row;
      expect(
        EDITIONS.filter((edition) => endpointOf(row, edition)),
        name,
      ).toStrictEqual(EDITIONS.filter((edition) => editions.has(edition)));
    }
  });

  it('has no route that the specification does not know, but for those of the platform that links name', () => {
    const known = new Set(specification.routes.map(({ method, path }) => `${method} ${path}`));
    const platform = new Set<string>(['GET /wp/v2']);
    for (const { on, source } of ROUTES) {
      const [methods = '', path = ''] = on.split(' ');
      for (const method of methods.split('|')) {
        if (source === 'platform') platform.add(`${method} ${path}`);
        else
          expect(
            known.has(`${method} ${path}`),
            `${method} ${path} is not in the specification`,
          ).toBe(true);
      }
    }
    for (const edition of EDITIONS) {
      for (const [path, { methods }] of described[edition]) {
        for (const method of methods)
          expect(
            known.has(`${method} ${path}`) || platform.has(`${method} ${path}`),
            `${method} ${path}`,
          ).toBe(true);
      }
    }
  });

  it('lists for each path the methods of its endpoints, once', () => {
    for (const edition of EDITIONS) {
      for (const [path, { methods, endpoints }] of described[edition]) {
        expect(methods, `${path} in edition ${edition}`).toStrictEqual([
          ...new Set(endpoints.flatMap((endpoint) => endpoint.methods)),
        ]);
      }
    }
  });

  it('names exactly the parameters of the specification', () => {
    compare(({ args }, endpoint, name) => {
      expect(Object.keys(endpoint.args).sort(), name).toStrictEqual(Object.keys(args).sort());
    });
  });

  it('describes every parameter as the specification does', () => {
    const different: string[] = [];
    compare(({ args }, endpoint, name) => {
      const [wanted, ours] = [each(args), each(endpoint.args)];
      for (const parameter of Object.keys(wanted)) {
        try {
          expect(ours[parameter]).toStrictEqual(wanted[parameter]);
        } catch {
          different.push(
            `${name}: ${parameter} is ${JSON.stringify(ours[parameter])}, specified ${JSON.stringify(wanted[parameter])}`,
          );
        }
      }
    });
    expect(different).toStrictEqual([]);
  });

  it('says of every parameter whether it is required', () => {
    compare((_row, { args }, name) => {
      for (const [parameter, { required }] of Object.entries(args))
        expect(typeof required, `${name}: ${parameter}`).toBe('boolean');
    });
  });

  it('shows no parameters where the payload is open', () => {
    compare(({ args_open }, { args }, name) => args_open && expect(args, name).toStrictEqual({}));
  });

  it('allows a batch where the specification does, and nowhere else', () => {
    compare(({ allow_batch }, endpoint, name) => {
      expect(endpoint.allow_batch, name).toStrictEqual(allow_batch ? { v1: true } : undefined);
    });
  });

  it('matches path variables by the patterns of the specification', () => {
    const bare = (pattern: string) =>
      pattern.replace('[\\d]', '\\d').replaceAll('\\_', '_').replaceAll('\\-', '-');
    expect(patterns.size).toBeGreaterThan(0);
    for (const [name, found] of patterns)
      expect([...found].map(bare), name).toStrictEqual([specification.patterns[name]]);
  });
});

describe('The operation documents', () => {
  const service = useService();
  const folder = join(projectRoot, 'schema/operations');
  const texts = readdirSync(folder)
    .filter((file) => file.endsWith('.graphql'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  const document: DocumentNode = parse(texts.join('\n'));
  const operations = document.definitions.filter(
    (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
  );

  it('are each run by a route', () => {
    const run = new Set(ROUTES.map((route) => route.run));
    for (const { name } of operations)
      expect(run.has(name?.value ?? ''), `${name?.value} is run by no route`).toBe(true);
  });

  it('are there for every route', () => {
    const names = new Set(operations.map(({ name }) => name?.value));
    for (const { on, run } of ROUTES) expect(names.has(run), `${on} runs ${run}`).toBe(true);
  });

  it('use every variable that they declare, but for the view that decides $edit and $embed, and for those whose presence is a refusal', () => {
    for (const [name, own] of Object.entries(separateOperations(document))) {
      const used = new Set<string>();
      const declared: string[] = [];
      visit(own, {
        VariableDefinition(node) {
          if (!node.directives?.some((directive) => directive.name.value === 'refuse'))
            declared.push(node.variable.name.value);
          return false;
        },
        Variable(node) {
          used.add(node.name.value);
        },
      });
      expect(
        declared.filter((variable) => !used.has(variable) && variable !== 'context'),
        name,
      ).toStrictEqual([]);
    }
  });

  it('are valid against the dialect of the schema', () => {
    const rules = specifiedRules.filter((rule) => rule !== NoUnusedVariablesRule);
    expect(
      validate(dialectOf(service().app.wholeSchema), document, rules).map(({ message }) => message),
    ).toStrictEqual([]);
  });
});

describe('The schema', () => {
  const service = useService();
  const schema = (): GraphQLSchema => service().app.schema;
  const ownTypes = (): GraphQLNamedType[] =>
    Object.values(schema().getTypeMap()).filter(
      (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
    );

  /** Every argument and input field, by where it stands. */
  function inputs(): [string, Pick<GraphQLInputField, 'type' | 'description' | 'extensions'>][] {
    return ownTypes()
      .flatMap((type) => {
        if (isInputObjectType(type))
          return Object.values(type.getFields()).map(
            (field) => [`${type.name}.${field.name}`, field] as const,
          );
        if (!isObjectType(type)) return [];
        return Object.values(type.getFields()).flatMap((field) =>
          field.args.map((arg) => [`${type.name}.${field.name}(${arg.name})`, arg] as const),
        );
      })
      .map(([name, input]) => [name, input]);
  }

  it('declares access on every field of every object type', () => {
    const fields = ownTypes()
      .filter(isObjectType)
      .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })));
    expect(fields.length).toBeGreaterThan(50);
    const open = fields.filter(({ field }) => typeof field.extensions.access !== 'function');
    expect(open.map(({ type, field }) => `${type.name}.${field.name}`)).toStrictEqual([]);
  });

  it('describes every type and every field', () => {
    const fields = ownTypes()
      .filter(isObjectType)
      .flatMap((type) =>
        Object.values(type.getFields()).map(
          (field) => [`${type.name}.${field.name}`, field.description] as const,
        ),
      );
    const bare = [
      ...ownTypes().map((type) => [type.name, type.description] as const),
      ...fields,
    ].filter(([, text]) => !text);
    expect(bare.map(([name]) => name)).toStrictEqual([]);
  });

  it('describes every argument and every field of an input', () => {
    expect(
      inputs()
        .filter(([, { description }]) => !description)
        .map(([name]) => name),
    ).toStrictEqual([]);
  });

  it('takes no text without bounds: inputs are numbers, booleans, enums and scalars that say what fits', () => {
    const unbounded = inputs().filter(([, { type, extensions }]) => {
      const named = getNamedType(type);
      if (!isScalarType(named)) return !isEnumType(named) && !isInputObjectType(named);
      const bounded = extensions.jsonSchema ?? named.extensions.jsonSchema;
      return !['Int', 'Boolean', 'ID'].includes(named.name) && !bounded;
    });
    expect(unbounded.map(([name]) => name)).toStrictEqual([]);
  });
});
