import type { GraphQLResolveInfo } from 'graphql';
import {
  type ClassType,
  Ctx,
  Field,
  ID,
  Info,
  InputType,
  Int,
  ObjectType,
  Resolver,
} from 'type-graphql';
import { IdsField, InputArg } from '../core/marks.js';
import { Mutation } from '../core/root-fields.js';
import { Access, anyone, type RootRule, Visible } from './access.js';
import type { RequestContext } from './context.js';
import type { Refusal } from './errors.js';
import { Judge } from './judgement.js';
import { globalId, type NodeKey } from './node.js';
import { payloadType } from './payload.js';
import { POINTS, Points } from './quota.js';
import { changeRows, type RowChange, type RowsChanged } from './row-change.js';
import { type Selection, selectionOf } from './selection.js';

/** How many rows can be changed at once. */
const MOST = 100;

/** What the results of a change show of the rows that were changed. */
export interface BulkResult {
  /** The field of the row: `post`. */
  readonly field: string;
  readonly type: () => ClassType<object>;
  /** Reads rows as they are now, in the order of their keys: those that the viewer may read. */
  readonly read: (
    context: RequestContext,
    keys: readonly never[],
    selection: Selection,
  ) => Promise<readonly (object | undefined)[]>;
}

/** How a mutation that changes many rows of a type by their ids looks in the schema. */
interface BulkFace {
  readonly name: string;
  /** The type of the rows, which names their ids. */
  readonly type: string;
  /** Several rows in descriptions. */
  readonly what: string;
  /** What it does, and the codes of each result. */
  readonly description: string;
  /** Who may ask at all. Each row is judged by its change as well. */
  readonly access: RootRule;
  /** What it shows of the rows; absent where they are gone. */
  readonly result?: BulkResult;
  /** Whether the versions can be given that the change is based on, or must be. */
  readonly versions?: 'optional' | 'required';
  /** What the input has beside the ids, by name: decorators of its fields. */
  readonly more?: Readonly<Record<string, PropertyDecorator>>;
}

interface BulkMutation<Row extends object> extends BulkFace {
  /** How each row is changed; by the input where this has more than ids. */
  readonly change: RowChange<Row> | ((input: never) => RowChange<Row>);
}

@ObjectType({ description: 'Why one of many was not changed.' })
export class BulkError {
  @Visible(() => String, { description: 'A value of `ErrorCode`.' })
  code!: string;

  @Visible(() => String, { description: 'The reason for people.' })
  message!: string;

  @Visible(() => Int, { nullable: true, description: 'With CONFLICT, the present version.' })
  version!: number | null;
}

/** The outcome for one of the ids of a mutation. */
interface Outcome {
  readonly error: BulkError | null;
}

const DELETED = 'DeletionResult';
const resultTypes = new Map<string, ClassType<Outcome>>();

/** Returns the type of a result: one of each noun, and one of all deletions. */
function resultType({ type, result }: BulkFace): ClassType<Outcome> {
  const name = result ? `${type}Result` : DELETED;
  const known = resultTypes.get(name);
  if (known) return known;
  @ObjectType(name, {
    description: result
      ? `What became of one of many: it was changed, or \`error\` says why not.`
      : 'What became of one of many: it is gone, or `error` says why not.',
  })
  class BulkOutcome implements Outcome {
    @Visible(() => BulkError, { nullable: true, description: 'Null when it was changed.' })
    error!: BulkError | null;
  }
  const field = result?.field ?? 'deletedId';
  const description = result
    ? 'As it is now. Null when it was not changed, and when the viewer may not read it any more.'
    : 'Global id of what is gone. Null when it is not.';
  Field(result?.type ?? (() => ID), { nullable: true, description })(BulkOutcome.prototype, field);
  Access(anyone)(BulkOutcome.prototype, field);
  resultTypes.set(name, BulkOutcome);
  return BulkOutcome;
}

/** Makes the input of a mutation. */
function inputType({ name, type, what, versions, more = {} }: BulkFace): ClassType<RowsChanged> {
  @InputType(`${capital(name)}Input`, { description: `Which ${what}.` })
  class BulkInput implements RowsChanged {
    @IdsField(type, { description: `The ${what}, at most ${MOST}, each once.` })
    ids!: NodeKey[];

    @Field(() => Boolean, {
      nullable: true,
      description:
        'Whether nothing is changed when one is refused: the others are then ROLLED_BACK. ' +
        'Default false: each is changed or refused by itself.',
    })
    atomic?: boolean | null;
  }
  if (versions)
    Field(() => [Int], {
      nullable: versions === 'optional',
      description:
        'The versions that the change is based on, in the order of `ids`. CONFLICT for each that ' +
        `has another.${versions === 'optional' ? ' Absent: no check.' : ''}`,
    })(BulkInput.prototype, 'versions');
  for (const [field, declare] of Object.entries(more)) declare(BulkInput.prototype, field);
  return BulkInput;
}

/** Returns TOO_MANY, ID_INVALID for an id that comes twice, FIELD_INVALID for missing versions. */
function judged({ ids, versions }: RowsChanged): Refusal[] {
  if (ids.length > MOST)
    return [{ reason: 'TOO_MANY', message: `must be at most ${MOST}`, param: 'ids' }];
  const refusals = ids.flatMap((id, i): Refusal[] => {
    const first = ids.indexOf(id);
    const message = `is the same as ids.${first}`;
    return first < i ? [{ reason: 'ID_INVALID', message, param: `ids.${i}` }] : [];
  });
  const isUneven = versions && versions.length !== ids.length;
  const message = 'must be as many as ids';
  return isUneven
    ? [...refusals, { reason: 'FIELD_INVALID', message, param: 'versions' }]
    : refusals;
}

/**
 * Returns the resolver of a mutation that changes many rows by their ids: a result for each, in
 * their order. It costs the points of a write, and one more for each row. Over 40 lines: it contains
 * a class.
 */
export function bulkResolver<Row extends object>(mutation: BulkMutation<Row>) {
  const { name, type, description, access, change, result } = mutation;
  const Input = inputType(mutation);
  const Result = resultType(mutation);
  const Payload = payloadType<{ results: Outcome[] }>(capital(name), {
    results: {
      type: () => [Result],
      description: 'What became of each, in the order of `ids`.',
      rows: MOST,
    },
  });

  @Resolver()
  class BulkResolver {
    @Access(access)
    @Judge((_context, { input }: { input: RowsChanged }) => judged(input))
    @Points(
      ({ input }: { input?: Partial<RowsChanged> }) => POINTS.write + (input?.ids?.length ?? 0),
    )
    @Mutation(() => Payload, { name, description: `${description} TOO_MANY.` })
    async change(
      @Ctx() context: RequestContext,
      @InputArg(Input) input: RowsChanged,
      @Info() info: GraphQLResolveInfo,
    ): Promise<{ results: Outcome[] }> {
      const each = typeof change === 'function' ? change(input as never) : change;
      const refusals = await changeRows(context, each, input);
      const changed = input.ids.filter((_, i) => !refusals[i]);
      const shown = selectionOf(info)
        .get('results')
        ?.get(result?.field ?? '');
      const rows = result && shown ? await result.read(context, changed as never, shown) : [];
      const found = new Map(changed.map((id, i) => [id, rows[i] ?? null]));
      const results = input.ids.map((id, i) => ({
        error: errorOf(refusals[i]),
        ...(result
          ? { [result.field]: found.get(id) ?? null }
          : { deletedId: refusals[i] ? null : globalId(type, id) }),
      }));
      return { results };
    }
  }
  return BulkResolver;
}

const errorOf = (refusal: Refusal | null | undefined): BulkError | null =>
  refusal
    ? Object.assign(new BulkError(), {
        code: refusal.reason,
        message: refusal.message,
        version: refusal.detail?.version ?? null,
      })
    : null;

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
