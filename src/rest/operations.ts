import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ArgumentNode,
  type ConstDirectiveNode,
  type DirectiveNode,
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  type InlineFragmentNode,
  isInputObjectType,
  isListType,
  isObjectType,
  Kind,
  type ObjectFieldNode,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
  type VariableDefinitionNode,
  valueFromAST,
  valueFromASTUntyped,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { accessOf, type RootRule } from '../core/access.js';
import type { RequestContext } from '../core/context.js';
import type { Refusal } from '../core/errors.js';
import { type Judgement, judgementOf } from '../core/judgement.js';
import { pointsOf } from '../core/quota.js';
import type { Made } from './dialect.js';
import { type Parameter, parametersOf } from './parameters.js';
import { RENDERERS } from './renderers.js';

export type Variables = Record<string, unknown>;

/** One operation document, ready to run: what it takes, who may run it, what it answers. */
export class Operation {
  readonly parameters: readonly Parameter[];
  readonly byName: ReadonlyMap<string, Parameter>;
  /** Those whose presence is a refusal. */
  readonly refused: readonly Parameter[];
  /** The variables of a request that sends nothing. */
  readonly presets: Variables;
  /** Relations that `_embed` can ask for, as the documents spell them. */
  readonly embeds: readonly string[];
  readonly isQuery: boolean;
  /** Whether the body is the `nodes` of a connection, and whether it counts them. */
  readonly isList: boolean;
  readonly hasTotal: boolean;
  readonly rootField: FieldNode;
  /** Paths of the fields of the body, such as `title.rendered`, with the switch of each. */
  readonly switches: ReadonlyMap<string, string>;
  readonly access: RootRule;
  /** What the domain has against the arguments before anything runs. */
  readonly judge: Judgement | undefined;
  /** Whether it answers tokens: such an operation ignores the token that a caller brings. */
  readonly issuesTokens: boolean;
  /** What a request pays for it. */
  readonly points: (variables: Variables) => number;
  /** Makes the body of what is answered, where that is no JSON. */
  readonly render: (typeof RENDERERS)[string] | undefined;
  /**
   * The document with a switch for every field, and the same without: most requests ask for
   * everything.
   */
  readonly #switched: Compiled;
  readonly #whole: Compiled;
  readonly #nothing: Variables;
  readonly #viewing: Variables;
  readonly #arguments: object;
  /**
   * The parameters by the arguments of the root field, and the fields of its input, that they are
   * given to.
   */
  readonly #parameterOf: ReadonlyMap<string, string>;

  constructor(
    readonly name: string,
    schema: GraphQLSchema,
    definition: OperationDefinitionNode,
    readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  ) {
    this.isQuery = definition.operation === 'query';
    this.parameters = parametersOf(schema, definition);
    this.byName = new Map(this.parameters.map((parameter) => [parameter.name, parameter]));
    this.refused = this.parameters.filter(({ refusal }) => refusal);
    const preset = this.parameters.filter(({ preset }) => preset !== undefined);
    this.presets = Object.fromEntries(preset.map(({ name, preset }) => [name, preset]));
    const variables = definition.variableDefinitions ?? [];
    this.embeds = variables
      .map(({ variable }) => variable.name.value)
      .filter((variable) => variable.startsWith('embed_'));
    this.rootField = definition.selectionSet.selections[0] as FieldNode;
    const rootType = schema.getRootType(definition.operation);
    const root = rootType?.getFields()[this.rootField.name.value];
    if (!root)
      throw new Error(`Operation ${name} asks for an unknown field ${this.rootField.name.value}.`);
    this.access = accessOf(root) as RootRule;
    this.judge = judgementOf(root);
    this.issuesTokens = root.extensions.issuesTokens === true;
    this.points = (variables) =>
      pointsOf(root, definition.operation, () => this.rootArguments(variables));
    this.render = rendererOf(definition);
    const answered = getNamedType(root.type);
    this.isList = isObjectType(answered) && 'nodes' in answered.getFields();
    const selections = this.rootField.selectionSet?.selections ?? [];
    this.hasTotal = selections.some(
      (node) => node.kind === Kind.FIELD && node.name.value === 'totalCount',
    );

    const switching = new Switching(fragments);
    const switched = this.isList ? switching.list(this.rootField) : switching.item(this.rootField);
    this.switches = switching.switches;
    const plain = new Switching(fragments, false);
    const whole = this.isList ? plain.list(this.rootField) : plain.item(this.rootField);
    const document = (root: FieldNode, switches: Iterable<string>) =>
      structuredClone({
        kind: Kind.DOCUMENT,
        definitions: [
          {
            ...definition,
            directives: [],
            variableDefinitions: [
              ...variables
                .filter(({ directives }) => !names(directives).has('refuse'))
                .map((variable) => ({ ...variable, directives: [] })),
              ...[...switches].map(switchVariable),
            ],
            selectionSet: { kind: Kind.SELECTION_SET, selections: [root] },
          },
        ],
      } as DocumentNode);
    this.#switched = new Compiled(name, schema, document(switched, this.switches.values()));
    this.#whole = new Compiled(name, schema, document(whole, []));
    this.#nothing = Object.fromEntries(
      [...this.switches.values()].map((variable) => [variable, false]),
    );
    const fixed = variables.filter(({ defaultValue }) => defaultValue?.kind === Kind.BOOLEAN);
    this.#viewing = Object.fromEntries(
      fixed.map(({ variable, defaultValue }) => [
        variable.name.value,
        valueFromASTUntyped(defaultValue as ValueNode),
      ]),
    );
    this.#parameterOf = new Map(parametersByInput(this.rootField.arguments ?? []));
    const given = new Map(
      this.rootField.arguments?.map((argument) => [argument.name.value, argument.value]),
    );
    this.#arguments = {};
    for (const { name, type, defaultValue } of root.args) {
      const value = given.get(name);
      if (!value && defaultValue === undefined) continue;
      const read = value
        ? readerOf(value, type, (variable) => this.byName.get(variable))
        : () => undefined;
      const get = function (this: { variables: Variables }) {
        return read(this.variables) ?? defaultValue;
      };
      Object.defineProperty(this.#arguments, name, { get, enumerable: true });
    }
  }

  /**
   * The arguments of the root field, for its access rule: each is made when it is read, since rules
   * read few of them.
   */
  rootArguments(variables: Variables): object {
    return Object.create(this.#arguments, { variables: { value: variables } });
  }

  /**
   * A refusal in the words of the request: the domain names its arguments and fields, a caller
   * knows the parameters that stand for them.
   */
  inParameters(refusal: Refusal): Refusal {
    const { param, message } = refusal;
    const parameter = param && this.#parameterOf.get(param);
    if (!parameter) return refusal;
    return {
      ...refusal,
      param: parameter,
      message: message.startsWith(`${param} `) ? parameter + message.slice(param.length) : message,
    };
  }

  /** The switches for what `_fields` asks (empty: nothing); none for everything. */
  selecting(fields: readonly string[] | undefined): Variables {
    if (!fields) return {};
    const on = { ...this.#nothing };
    if (this.isList && fields.length > 0) on.on_nodes = true;
    for (const [path, variable] of this.switches) {
      if (
        fields.some(
          (field) => field === path || path.startsWith(`${field}.`) || field.startsWith(`${path}.`),
        )
      )
        on[variable] = true;
    }
    return on;
  }

  /**
   * The variables that follow from `context` and `_embed`; documents that fix them say so by a
   * default.
   */
  viewing(context: unknown, embedded: ReadonlySet<string>): Variables {
    const values: Variables = {
      edit: context === 'edit',
      embed: context === 'embed',
      ...this.#viewing,
    };
    for (const embed of this.embeds) values[embed] = embedded.has(embed.slice('embed_'.length));
    return values;
  }

  /**
   * Runs with the variables of `selecting(fields)`, `viewing` and the request; a mutation leaves in
   * `made` what it made.
   */
  async execute(
    context: RequestContext,
    fields: readonly string[] | undefined,
    variables: Variables,
    made?: Made,
  ): Promise<ExecutionResult> {
    const document = fields ? this.#switched : this.#whole;
    // Mutations are interpreted, because graphql-jit makes absent variables in input objects null.
    return this.isQuery
      ? document.query(context, variables)
      : document.interpret(context, variables, made);
  }

  /** Compiles what most requests run. */
  warm(): void {
    if (this.isQuery) this.#whole.compile();
  }
}

/** A document that is compiled when it first runs. */
class Compiled {
  #compiled: CompiledQuery | undefined;

  constructor(
    private readonly name: string,
    private readonly schema: GraphQLSchema,
    private readonly document: DocumentNode,
  ) {}

  async query(context: RequestContext, variables: Variables): Promise<ExecutionResult> {
    return (await this.compile().query(undefined, context, variables)) as ExecutionResult;
  }

  async interpret(
    context: RequestContext,
    variables: Variables,
    rootValue?: Made,
  ): Promise<ExecutionResult> {
    const { schema, document } = this;
    return execute({
      schema,
      document,
      rootValue,
      contextValue: context,
      variableValues: variables,
    });
  }

  compile(): CompiledQuery {
    if (this.#compiled) return this.#compiled;
    const compiled = compileQuery(this.schema, this.document, this.name);
    if (!isCompiledQuery(compiled))
      throw new Error(
        `Operation ${this.name} does not compile: ${JSON.stringify(compiled.errors)}`,
      );
    this.#compiled = compiled;
    return compiled;
  }
}

const names = (directives: readonly DirectiveNode[] | readonly ConstDirectiveNode[] | undefined) =>
  new Set(directives?.map((directive) => directive.name.value));

function rendererOf({ name, directives }: OperationDefinitionNode): Operation['render'] {
  const render = directives?.find((directive) => directive.name.value === 'render');
  const value = render?.arguments?.[0]?.value;
  if (!render || value?.kind !== Kind.STRING) return undefined;
  if (!Object.hasOwn(RENDERERS, value.value))
    throw new Error(`Operation ${name?.value} wants an unknown renderer ${value.value}.`);
  return RENDERERS[value.value];
}

function* parametersByInput(
  given: readonly (ArgumentNode | ObjectFieldNode)[],
): Generator<[string, string]> {
  for (const { name, value } of given) {
    if (value.kind === Kind.VARIABLE) yield [name.value, value.name.value];
    if (value.kind === Kind.OBJECT) yield* parametersByInput(value.fields);
  }
}

/**
 * Reads a value of a document as resolvers get it: literals by their type, enums as their values;
 * variables as they were checked, scalars as their type parses them. Throws for a literal that its
 * type does not take.
 */
function readerOf(
  value: ValueNode,
  type: GraphQLInputType,
  parameter: (variable: string) => Parameter | undefined,
): (variables: Variables) => unknown {
  if (value.kind === Kind.VARIABLE) {
    const name = value.name.value;
    return (variables) => {
      const held = variables[name];
      return held === undefined || held === null ? held : (parameter(name)?.parsed?.(held) ?? held);
    };
  }
  const bare = getNullableType(type);
  if (value.kind === Kind.LIST && isListType(bare)) {
    const items = value.values.map((item) =>
      readerOf(item, bare.ofType as GraphQLInputType, parameter),
    );
    return (variables) => items.map((read) => read(variables));
  }
  if (value.kind === Kind.OBJECT && isInputObjectType(bare)) {
    const types = bare.getFields();
    const fields = value.fields.map(({ name, value: held }) => {
      const field = types[name.value];
      if (!field) throw new Error(`${bare.name} has no field ${name.value}.`);
      return [name.value, readerOf(held, field.type, parameter)] as const;
    });
    return (variables) => Object.fromEntries(fields.map(([name, read]) => [name, read(variables)]));
  }
  const literal = valueFromAST(value, type);
  if (literal === undefined) throw new Error(`${print(value)} is no ${String(type)}.`);
  return () => literal;
}

const switchVariable = (name: string): VariableDefinitionNode => ({
  kind: Kind.VARIABLE_DEFINITION,
  variable: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } },
  type: {
    kind: Kind.NON_NULL_TYPE,
    type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: 'Boolean' } },
  },
});

/**
 * Rewrites a selection so that every shown field has a switch of its own, with fragments spelled
 * out in place.
 */
class Switching {
  readonly switches = new Map<string, string>();

  constructor(
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    /** Otherwise fragments are spelled out, and nothing else. */
    private readonly switched = true,
  ) {}

  /** The body is the connection's nodes; the switch `nodes` turns them off as a whole. */
  list(root: FieldNode): FieldNode {
    const selections = root.selectionSet?.selections.map((node) =>
      node.kind === Kind.FIELD && node.name.value === 'nodes'
        ? this.#include(this.item(node), this.#switch('nodes'))
        : node,
    );
    return { ...root, selectionSet: { kind: Kind.SELECTION_SET, selections: selections ?? [] } };
  }

  item(root: FieldNode): FieldNode {
    return root.selectionSet ? { ...root, selectionSet: this.#set(root.selectionSet, '') } : root;
  }

  #set(set: SelectionSetNode, above: string): SelectionSetNode {
    return { ...set, selections: set.selections.map((node) => this.#selection(node, above)) };
  }

  #selection(node: SelectionNode, above: string): SelectionNode {
    if (node.kind === Kind.FRAGMENT_SPREAD) return this.#selection(this.#inline(node), above);
    if (node.kind === Kind.INLINE_FRAGMENT)
      return { ...node, selectionSet: this.#set(node.selectionSet, above) };
    const key = (node.alias ?? node.name).value;
    if (key.startsWith('_'))
      return node.selectionSet ? { ...node, selectionSet: this.#spelled(node.selectionSet) } : node;
    const path = above ? `${above}.${key}` : key;
    const below = node.selectionSet
      ? { ...node, selectionSet: this.#set(node.selectionSet, path) }
      : node;
    return this.#include(below, this.#switch(path));
  }

  /** Hidden fields have no switches, but their fragments are spelled out as well. */
  #spelled(set: SelectionSetNode): SelectionSetNode {
    const selections = set.selections.map((node): SelectionNode => {
      if (node.kind === Kind.FIELD)
        return node.selectionSet
          ? { ...node, selectionSet: this.#spelled(node.selectionSet) }
          : node;
      const { selectionSet, ...fragment } =
        node.kind === Kind.INLINE_FRAGMENT ? node : this.#inline(node);
      return { ...fragment, selectionSet: this.#spelled(selectionSet) };
    });
    return { ...set, selections };
  }

  #inline({ name, directives = [] }: FragmentSpreadNode): InlineFragmentNode {
    const fragment = this.fragments.get(name.value);
    if (!fragment) throw new Error(`There is no fragment ${name.value}.`);
    const { typeCondition, selectionSet } = fragment;
    return { kind: Kind.INLINE_FRAGMENT, typeCondition, directives, selectionSet };
  }

  #switch(path: string): string {
    const name = `on_${path.replaceAll('.', '__')}`;
    this.switches.set(path, name);
    return name;
  }

  #include(node: FieldNode, variable: string): FieldNode {
    if (!this.switched) return node;
    const value = { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: variable } } as const;
    const argument = {
      kind: Kind.ARGUMENT,
      name: { kind: Kind.NAME, value: 'if' },
      value,
    } as const;
    const include: DirectiveNode = {
      kind: Kind.DIRECTIVE,
      name: { kind: Kind.NAME, value: 'include' },
      arguments: [argument],
    };
    if (!names(node.directives).has('include'))
      return { ...node, directives: [...(node.directives ?? []), include] };
    const wrapper = {
      kind: Kind.INLINE_FRAGMENT,
      directives: [include],
      selectionSet: { kind: Kind.SELECTION_SET, selections: [node] },
    };
    return wrapper as unknown as FieldNode;
  }
}

/** Reads every operation document under a folder. Throws when two share a name. */
export function loadOperations(folder: string, schema: GraphQLSchema): Map<string, Operation> {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.graphql'))
    .sort();
  const definitions = files.flatMap(
    (file) => parse(readFileSync(join(folder, file), 'utf8'), { noLocation: true }).definitions,
  );
  const fragments = new Map(
    definitions
      .filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
      .map((node) => [node.name.value, node]),
  );
  const operations = new Map<string, Operation>();
  for (const node of definitions) {
    if (node.kind !== Kind.OPERATION_DEFINITION) continue;
    const name = node.name?.value ?? '';
    if (!name || operations.has(name))
      throw new Error(`Operation documents need names of their own: "${name}".`);
    operations.set(name, new Operation(name, schema, node, fragments));
  }
  return operations;
}
