import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import type { RequestContext } from '../../core/context.js';
import { Recent } from '../../platform/lru.js';
import { fragmentsOf } from '../shape.js';
import { conditionsOf, fragmentsIn, hasUnderscores, sizeOf } from './asked-parts.js';
import { CompiledQuery, type Variables } from './compiled-query.js';
import { jitSchemaOf } from './jit-schema.js';
import { asQuery, runsTogether, togetherSchemaOf } from './together.js';

/** What bounds the work and the memory of compiling. Fields are counted by `sizeOf`. */
const COMPILING = {
  /** A query is compiled when it comes for this time. */
  uses: 3,
  fields: 300,
  /** Compiled queries that are kept. The largest take 0.8 MiB each. */
  kept: 64,
  /** Forms of one query by its @skip and @include that are compiled. */
  forms: 4,
  /** The part of the time that compiling may take. */
  share: 1 / 50,
} as const;

/**
 * An operation that is to be executed, with its variables as they came and as they were coerced.
 */
export interface ExecutionRequest {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Whether it asks for the schema. */
  readonly introspects: boolean;
  /** Whether the price of a root field is known only after it ran. */
  readonly isDear: boolean;
  readonly given: Variables;
  readonly coerced: Variables;
}

/** A query in one of its forms. It is the key of what was compiled of it. */
interface Form {
  uses: number;
  /** Whether graphql-jit could not compile it, or told a fault otherwise than graphql-js. */
  failed: boolean;
}

interface Forms {
  readonly fragments: ReadonlySet<FragmentDefinitionNode>;
  /** Whether its root fields are executed at once. */
  readonly runsTogether: boolean;
  readonly conditions: readonly string[];
  readonly byConditions: Map<string, Form>;
  readonly fits: boolean;
}

/**
 * Executes operations of valid documents: queries and mutations that come often by graphql-jit, all
 * others by graphql-js, with equal results. An operation is executed once, whatever happens: what
 * fails before its execution is interpreted, and a compiled one that shows a fault of ours is
 * interpreted the next time. Who sends many different documents cannot make it compile for more than
 * a fiftieth of the time; they are interpreted.
 */
export class Executor {
  readonly #forms = new WeakMap<OperationDefinitionNode, Forms>();
  readonly #compiled = new Recent<Form, CompiledQuery>(COMPILING.kept);
  readonly #jitSchema: GraphQLSchema;
  /** The schema of mutations whose root fields are executed at once. */
  #together: GraphQLSchema | undefined;
  #restsUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly share: number = COMPILING.share,
    private readonly compile: typeof CompiledQuery.of = CompiledQuery.of,
  ) {
    this.#jitSchema = jitSchemaOf(schema);
  }

  async execute(context: RequestContext, asked: ExecutionRequest): Promise<ExecutionResult> {
    context.isQuery = asked.operation.operation === 'query';
    const form = this.#formOf(asked);
    // Under an Idempotency-Key changes are numbered in the order in which they begin.
    const isNumbered = context.input?.idempotency && form && this.#formsOf(asked).runsTogether;
    const compiled = form && !isNumbered ? this.#compiledFor(form, asked) : undefined;
    const variables = compiled?.variablesOf(asked.coerced);
    if (!form || !compiled || !variables) return this.#interpret(context, asked);
    const { result, isFaulty } = await compiled.run(context, variables);
    if (isFaulty) this.#giveUp(form);
    return result;
  }

  #giveUp(form: Form): void {
    form.failed = true;
    this.#compiled.delete(form);
  }

  #interpret(contextValue: RequestContext, { document, operation, given }: ExecutionRequest) {
    const { schema } = this;
    const operationName = operation.name?.value;
    return execute({ schema, document, operationName, contextValue, variableValues: given });
  }

  #compiledFor(form: Form, asked: ExecutionRequest): CompiledQuery | undefined {
    form.uses++;
    const known = this.#compiled.get(form);
    if (known || form.failed || form.uses < COMPILING.uses) return known;
    const started = performance.now();
    if (started < this.#restsUntil) return undefined;
    const { operation, coerced } = asked;
    const { fragments, runsTogether } = this.#formsOf(asked);
    if (runsTogether) this.#together ??= togetherSchemaOf(this.#jitSchema);
    const made =
      runsTogether && this.#together
        ? this.compile(this.#together, asQuery(operation), fragments, coerced)
        : this.compile(this.#jitSchema, operation, fragments, coerced);
    const ended = performance.now();
    this.#restsUntil = ended + (ended - started) * (1 / this.share - 1);
    if (made) this.#compiled.set(form, made);
    else form.failed = true;
    return made;
  }

  /** Undefined for what is never compiled, and where graphql-js has to refuse @skip or @include. */
  #formOf(asked: ExecutionRequest): Form | undefined {
    if (asked.operation.operation === 'subscription' || asked.introspects) return undefined;
    const { conditions, byConditions, fits } = this.#formsOf(asked);
    if (!fits || conditions.some((name) => asked.coerced[name] === null)) return undefined;
    const key = conditions.map((name) => String(asked.coerced[name])).join();
    const known = byConditions.get(key);
    if (known || byConditions.size >= COMPILING.forms) return known;
    const form = { uses: 0, failed: false };
    byConditions.set(key, form);
    return form;
  }

  #formsOf({ document, operation }: ExecutionRequest): Forms {
    const known = this.#forms.get(operation);
    if (known) return known;
    const all = fragmentsOf(document);
    const fragments = fragmentsIn(operation, all);
    const { fields } = COMPILING;
    const forms = {
      fragments,
      runsTogether: runsTogether(this.schema, operation, all),
      conditions: conditionsOf(operation, fragments),
      byConditions: new Map(),
      fits:
        !hasUnderscores(operation, fragments) &&
        sizeOf(this.schema, operation, all, fields) <= fields,
    };
    this.#forms.set(operation, forms);
    return forms;
  }
}
