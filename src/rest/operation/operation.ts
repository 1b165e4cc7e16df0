import {
  type ExecutionResult,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
  type VariableDefinitionNode,
  valueFromASTUntyped,
} from 'graphql';
import { accessOf, type RootRule } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { isDear } from '../../core/dear-work.js';
import type { Refusal } from '../../core/errors.js';
import { type Judgement, judgementOf } from '../../core/judgement.js';
import { pointsOf } from '../../core/quota.js';
import { isTogether } from '../../core/together.js';
import type { Made } from '../dialect.js';
import { HIDDEN } from '../links/hidden.js';
import { type Parameter, parametersOf } from '../parameter/parameter.js';

import { RENDERERS, type Renderer } from '../renderers.js';
import { Compiled, type Variables } from './compiling.js';
import { parametersByInput, RootArguments } from './root-arguments.js';
import { runnable, Switching } from './switching.js';

/** One operation document, ready to run: its parameters, who may run it, the fields of its body. */
export class Operation {
  readonly parameters: readonly Parameter[];
  /** By each name that is read. */
  readonly byName: ReadonlyMap<string, Parameter>;
  /** Those whose presence is a refusal. */
  readonly refused: readonly Parameter[];
  /** The variables of a request that sends nothing. */
  readonly presets: Variables;
  /** Relations that `_embed` can ask for, as the documents spell them. */
  readonly embeds: readonly string[];
  readonly isQuery: boolean;
  /** Whether the body is the `nodes` of a connection. */
  readonly isList: boolean;
  /** Whether a list counts what matches. */
  readonly hasTotal: boolean;
  /** Whether the items of the body have stamps, by which their finished bodies are found. */
  readonly hasStamps: boolean;
  /** Whether the items of the body have fields of which links are made. */
  readonly hasLinks: boolean;
  /** The first root field. Others stand for it when the request skips it, with the same access. */
  readonly rootField: FieldNode;
  /**
   * The field whose value is the body: that with the alias `_body` in the root field's selection,
   * or else the root field.
   */
  readonly bodyField: FieldNode;
  /** What the root field does. */
  readonly description: string;
  /** Paths of the fields of the body, such as `title.rendered`, with the switch of each. */
  readonly switches: ReadonlyMap<string, string>;
  readonly access: RootRule;
  /** Returns the refusals of the domain before anything runs. */
  readonly judge: Judgement | undefined;
  /** Whether it returns tokens: such an operation ignores the token that a caller brings. */
  readonly issuesTokens: boolean;
  /** Whether what it costs is known only after it ran. */
  readonly isDear: boolean;
  /** Whether neighbours in a batch may run at once. */
  readonly isTogether: boolean;
  /** Returns the points that a request pays. */
  readonly points: (variables: Variables) => number;
  /** Makes the body, where that is no JSON. */
  readonly render: Renderer | undefined;
  /** The document with a switch for every field. */
  readonly #switched: Compiled;
  /** The document without switches: most requests ask for every field. */
  readonly #whole: Compiled;
  /** The document that asks for the stamps of the items alone. */
  readonly #stamped: Compiled;
  /** All switches off. */
  readonly #nothing: Variables;
  readonly #fixed: Variables;
  readonly #arguments: RootArguments;
  /** Parameters by the argument of the root field, or the field of its input, that they fill. */
  readonly #parameterOf: ReadonlyMap<string, string>;

  /**
   * Reads the document. Throws when its body is no object and no list of objects. Over 40 lines: it
   * sets each field of the class once, in order.
   */
  constructor(
    readonly name: string,
    schema: GraphQLSchema,
    readonly definition: OperationDefinitionNode,
    readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  ) {
    const variables = definition.variableDefinitions ?? [];
    this.isQuery = definition.operation === 'query';
    this.parameters = parametersOf(schema, definition);
    this.byName = new Map(
      this.parameters.flatMap((parameter) =>
        [parameter.also ?? parameter.name, parameter.name].map((name) => [name, parameter]),
      ),
    );
    this.refused = this.parameters.filter(({ refusal }) => refusal);
    this.presets = presetsOf(this.parameters);
    this.embeds = variables
      .map(({ variable }) => variable.name.value)
      .filter((variable) => variable.startsWith('embed_'));
    this.#fixed = fixedBooleans(variables);

    this.rootField = definition.selectionSet.selections[0] as FieldNode;
    const root = schema.getRootType(definition.operation)?.getFields()[this.rootField.name.value];
    if (!root)
      throw new Error(`Operation ${name} asks for an unknown field ${this.rootField.name.value}.`);
    this.description = root.description ?? '';
    this.access = accessOf(root, definition.operation) as RootRule;
    this.judge = judgementOf(root);
    this.issuesTokens = root.extensions.issuesTokens === true;
    this.isDear = isDear(root);
    this.isTogether = isTogether(root);
    this.points = (values) =>
      pointsOf(root, definition.operation, () => this.rootArguments(values));
    this.#arguments = new RootArguments(root, this.rootField, this.byName);
    this.#parameterOf = new Map(parametersByInput(this.rootField.arguments ?? []));

    this.bodyField = bodyOf(this.rootField) ?? this.rootField;
    const type = getNamedType(root.type);
    this.isList = isObjectType(type) && 'nodes' in type.getFields();
    this.hasTotal = selects(this.rootField, 'totalCount');
    this.hasLinks = hidesAny(this.rootField.selectionSet, fragments);
    this.render = rendererOf(definition);
    if (!this.render && !this.bodyField.selectionSet)
      throw new Error(
        `Operation ${name} answers no object: ${this.bodyField.name.value} is plain.`,
      );
    if (this.isList && !selects(this.rootField, 'nodes'))
      throw new Error(`Operation ${name} answers a list, and does not select its nodes.`);
    const roots = definition.selectionSet.selections as readonly FieldNode[];
    const rewritten = (switching: Switching) =>
      roots.map((field) => switching.root(field, this.isList));
    const switching = new Switching(fragments);
    rewritten(switching);
    this.switches = switching.switches;
    this.#nothing = Object.fromEntries(
      [...this.switches.values()].map((variable) => [variable, false]),
    );
    this.#switched = new Compiled(name, schema, () =>
      runnable(definition, rewritten(new Switching(fragments)), this.switches.values()),
    );
    this.#whole = new Compiled(name, schema, () =>
      runnable(definition, rewritten(new Switching(fragments, false)), []),
    );
    const stamped = stampedOf(this.rootField, this.isList);
    this.hasStamps = stamped !== this.rootField;
    this.#stamped = new Compiled(name, schema, () => runnable(definition, [stamped], []));
  }

  /** Returns the arguments of the root field, for its access rule. */
  rootArguments(variables: Variables): object {
    return this.#arguments.of(variables);
  }

  /**
   * Returns a refusal in the words of the request: the domain names its arguments and fields, a
   * caller knows the parameters that fill them.
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

  /** Returns the switches for `_fields`: none when it is not given, all off for an empty list. */
  selecting(fields: readonly string[] | undefined): Variables {
    if (!fields) return {};
    const on = { ...this.#nothing };
    if (this.isList && fields.length > 0) on.on_nodes = true;
    const named = new Set(fields);
    const above = new Set(fields.flatMap(pathsAbove));
    for (const [path, variable] of this.switches) {
      if (named.has(path) || above.has(path) || pathsAbove(path).some((one) => named.has(one)))
        on[variable] = true;
    }
    return on;
  }

  /**
   * Returns the variables that follow from `context` and `_embed`. A default of the document wins.
   */
  viewing(context: unknown, embedded: ReadonlySet<string>): Variables {
    const values: Variables = {
      edit: context === 'edit',
      embed: context === 'embed',
      ...this.#fixed,
    };
    for (const embed of this.embeds) values[embed] = embedded.has(embed.slice('embed_'.length));
    return values;
  }

  /**
   * Runs with the variables of `selecting(fields)`, of `viewing` and of the request. A mutation
   * leaves in `made` what it made.
   */
  async execute(
    context: RequestContext,
    fields: readonly string[] | undefined,
    variables: Variables,
    made?: Made,
  ): Promise<ExecutionResult> {
    context.isQuery = this.isQuery;
    const document = fields ? this.#switched : this.#whole;
    return this.isQuery
      ? document.query(context, variables)
      : document.mutate(context, variables, made);
  }

  /** Runs as `execute`, for the stamps of the items alone. */
  async stamps(context: RequestContext, variables: Variables): Promise<ExecutionResult> {
    context.isQuery = this.isQuery;
    return this.#stamped.query(context, variables);
  }

  /** Returns the body in what was executed; null when there is none. */
  bodyIn({ data }: ExecutionResult): Record<string, unknown> | null | undefined {
    // graphql-jit makes a skipped root field undefined.
    const root = Object.values(data ?? {}).find((value) => value !== undefined) as
      | Record<string, unknown>
      | null
      | undefined;
    return root && BODY in root ? (root[BODY] as Record<string, unknown> | null) : root;
  }
}

function presetsOf(parameters: readonly Parameter[]): Variables {
  const preset = parameters.filter(({ preset }) => preset !== undefined);
  return Object.fromEntries(preset.map(({ name, preset }) => [name, preset]));
}

/** Returns the boolean variables that a document fixes by a default. */
function fixedBooleans(variables: readonly VariableDefinitionNode[]): Variables {
  const fixed = variables.filter(({ defaultValue }) => defaultValue?.kind === Kind.BOOLEAN);
  return Object.fromEntries(
    fixed.map(({ variable, defaultValue }) => [
      variable.name.value,
      valueFromASTUntyped(defaultValue as ValueNode),
    ]),
  );
}

/** The alias of the stamp of an item. */
const STAMP = '_stamp';

/** Returns a root field that selects only the stamps of its items; itself where these have none. */
function stampedOf(root: FieldNode, isList: boolean): FieldNode {
  const selections = root.selectionSet?.selections ?? [];
  const stamp = selections.filter((node) => isField(node) && node.alias?.value === STAMP);
  const below = isList
    ? selections.map((node) =>
        isField(node) && node.name.value === 'nodes' ? stampedOf(node, false) : node,
      )
    : stamp;
  const isSame = isList ? below.every((node, i) => node === selections[i]) : stamp.length === 0;
  return isSame ? root : { ...root, selectionSet: { kind: Kind.SELECTION_SET, selections: below } };
}

const isField = (node: SelectionNode): node is FieldNode => node.kind === Kind.FIELD;

/** The alias of the field of a payload that is the body. */
const BODY = '_body';

/** Returns the field of a payload that is the body; undefined where the payload itself is. */
export const bodyOf = ({ selectionSet }: FieldNode): FieldNode | undefined =>
  selectionSet?.selections.find(
    (node): node is FieldNode => node.kind === Kind.FIELD && node.alias?.value === BODY,
  );

const selects = ({ selectionSet }: FieldNode, name: string) =>
  selectionSet?.selections.some((node) => node.kind === Kind.FIELD && node.name.value === name) ===
  true;

/** Returns whether a selection has, at any depth, a hidden field. */
const hidesAny = (
  set: SelectionSetNode | undefined,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): boolean =>
  set?.selections.some((node) => {
    if (node.kind === Kind.FRAGMENT_SPREAD)
      return hidesAny(fragments.get(node.name.value)?.selectionSet, fragments);
    const name = node.kind === Kind.FIELD ? (node.alias ?? node.name).value : '';
    return HIDDEN.has(name) || hidesAny(node.selectionSet, fragments);
  }) === true;

function rendererOf({ name, directives }: OperationDefinitionNode): Operation['render'] {
  const render = directives?.find((directive) => directive.name.value === 'render');
  const value = render?.arguments?.[0]?.value;
  if (!render || value?.kind !== Kind.STRING) return undefined;
  if (!Object.hasOwn(RENDERERS, value.value))
    throw new Error(`Operation ${name?.value} wants an unknown renderer ${value.value}.`);
  return RENDERERS[value.value];
}

/** Paths of fields have fewer levels. */
const LEVELS = 16;

/** Returns the paths above a path such as `title.rendered`, at most 16: here `title`. */
function pathsAbove(path: string): string[] {
  const paths: string[] = [];
  for (
    let end = path.indexOf('.');
    end >= 0 && paths.length < LEVELS;
    end = path.indexOf('.', end + 1)
  )
    paths.push(path.slice(0, end));
  return paths;
}
