import 'reflect-metadata';
import {
  defaultFieldResolver,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isObjectType,
} from 'graphql';
import { Extensions, Field } from 'type-graphql';
import type { Capability } from './capabilities.js';
import type { RequestContext } from './context.js';
import { DomainError, type Refusal } from './errors.js';
import { type Judgement, judgementOf } from './judgement.js';
import { wasDeleted } from './transact.js';
import type { Viewer } from './viewer.js';

/**
 * An access rule of a root field: decides by the context and the arguments as GraphQL passes them.
 * It may read rows through loaders. `info` says what the field that is about to be resolved selects,
 * so that the rule reads it along; nothing is resolved without it. Returns a refusal or nothing.
 */
export type RootRule = (
  context: RequestContext,
  args: never,
  info?: GraphQLResolveInfo,
) => Refusal | undefined | Promise<Refusal | undefined>;
/**
 * An access rule of a field of a type: decides by the viewer and the row. It is synchronous,
 * because it runs for every row of a list.
 */
export type RowRule = (viewer: Viewer, row: never) => Refusal | undefined;

/** Declares a field as public. */
export function anyone(): undefined {
  return undefined;
}

/**
 * Declares the access rule of a field. Every field needs one: a schema with a field that declares
 * none does not start.
 */
export const Access = (rule: RootRule | RowRule) => Extensions({ access: rule });

/** Declares a field that whoever sees its object may read. Takes what `Field` takes. */
export const Visible = ((...given: Parameters<typeof Field>): PropertyDecorator =>
  (prototype, name) => {
    Field(...given)(prototype, name);
    Access(anyone)(prototype, name);
  }) as typeof Field;

/** Allows signed-in viewers. Refuses others with UNAUTHENTICATED. */
export function signedIn(context: RequestContext): Refusal | undefined {
  return context.viewer.id
    ? undefined
    : { reason: 'UNAUTHENTICATED', message: 'Sorry, you are not allowed to do that.' };
}

/** Allows administrators. Refuses others with FORBIDDEN. */
export function administrators(context: RequestContext): Refusal | undefined {
  return context.viewer.can('manage_options')
    ? undefined
    : { reason: 'FORBIDDEN', message: 'Sorry, you are not allowed to do that.' };
}

/**
 * Allows viewers with a capability. Refuses anonymous viewers with UNAUTHENTICATED, others with
 * FORBIDDEN.
 */
export const capable =
  (capability: Capability): RootRule =>
  (context: RequestContext) =>
    signedIn(context) ??
    (context.viewer.can(capability)
      ? undefined
      : { reason: 'FORBIDDEN', message: 'Sorry, you are not allowed to do that.' });

/** Refuses viewers who signed in by an application password with FORBIDDEN. See `bySession`. */
export function notByApplicationPassword({ viewer }: RequestContext): Refusal | undefined {
  const message = 'An application password is not enough for this: sign in to do it.';
  return viewer.applicationPasswordId ? { reason: 'FORBIDDEN', message } : undefined;
}

/**
 * Applies a rule, and also refuses viewers who signed in by an application password with FORBIDDEN.
 * For operations that give access to others, or that have an effect after the application password
 * was revoked. After it was revoked, no access may remain.
 */
export const bySession =
  (rule: RootRule): RootRule =>
  async (context, args, info) =>
    (await rule(context, args, info)) ?? notByApplicationPassword(context);

/**
 * Applies the rule of a deletion to the row that it names. One that comes again under its
 * Idempotency-Key is let through, because its row is gone: `deleteOnce` asks the right to what it
 * was.
 */
export const orDeleted =
  (rule: RootRule): RootRule =>
  async (context, args, info) => {
    const refusal = await rule(context, args, info);
    const isMissing = refusal?.reason.endsWith('_NOT_FOUND');
    return isMissing && (await wasDeleted(context)) ? undefined : refusal;
  };

/** Returns the rule that a field declares. Throws when it declares none. */
export function accessOf(
  field: { name: string; extensions: Readonly<Record<string, unknown>> },
  type: string,
): RootRule | RowRule {
  const rule = field.extensions.access;
  if (typeof rule !== 'function')
    throw new Error(`The field ${type}.${field.name} declares no access.`);
  return rule as RootRule | RowRule;
}

/**
 * Puts all declared rules into effect; called once after the schema is built. A refused root field
 * fails; so does one whose arguments are judged wrong. A refused field of a type is null (such
 * fields are nullable). Public fields are not wrapped, so they cost nothing. Throws when a field
 * declares no access.
 */
export function enforceAccess(schema: GraphQLSchema): GraphQLSchema {
  const roots = new Set([
    schema.getQueryType(),
    schema.getMutationType(),
    schema.getSubscriptionType(),
  ]);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const rule = accessOf(field, type.name);
      if (rule === anyone && !judgementOf(field)) continue;
      const resolve = field.resolve ?? defaultFieldResolver;
      const guard = (call: Resolver) => guardRoot(rule as RootRule, judgementOf(field), call);
      if (field.subscribe) field.subscribe = guard(field.subscribe);
      field.resolve = roots.has(type) ? guard(resolve) : guardRow(rule as RowRule, resolve);
    }
  }
  return schema;
}

type Resolver = GraphQLFieldResolver<unknown, RequestContext>;

/**
 * Runs the access rule, then the judgement, then the resolver. Throws DomainError. This is where
 * arguments are judged, on both faces. The REST adapter asks the same judgement before, to tell its
 * refusals together with values of wrong types and before the rule; it does not stand for this one,
 * which also holds for an operation that somebody runs in another way.
 */
function guardRoot(rule: RootRule, judge: Judgement | undefined, resolve: Resolver): Resolver {
  return async (source, args, context, info) => {
    const refusal = await rule(context, args as never, info);
    if (refusal) throw new DomainError(refusal);
    const refusals = judge ? [...(await judge(context, args as never))] : [];
    if (refusals[0]) throw new DomainError(refusals[0], refusals);
    return resolve(source, args, context, info);
  };
}

function guardRow(rule: RowRule, resolve: Resolver): Resolver {
  return (source, args, context, info) =>
    rule(context.viewer, source as never) ? null : resolve(source, args, context, info);
}
