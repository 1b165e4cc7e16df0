import 'reflect-metadata';
import {
  defaultFieldResolver,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isObjectType,
} from 'graphql';
import { Extensions } from 'type-graphql';
import type { Capability } from './capabilities.js';
import type { RequestContext } from './context.js';
import { DomainError, type Refusal } from './errors.js';
import type { Viewer } from './viewer.js';

/**
 * Decides about a root field from the context and the arguments as GraphQL passes them; may read
 * rows through loaders.
 */
export type RootRule = (
  context: RequestContext,
  args: never,
) => Refusal | undefined | Promise<Refusal | undefined>;
/**
 * Decides about a field of a type from the viewer and the row; synchronous, because it runs for
 * every row of a list.
 */
export type RowRule = (viewer: Viewer, row: never) => Refusal | undefined;

/** Public, said aloud. */
export function anyone(): undefined {
  return undefined;
}

/**
 * Declares who may use a field. Every field carries one: a schema with an undeclared field does not
 * start.
 */
export const Access = (rule: RootRule | RowRule) => Extensions({ access: rule });

/** Only the signed in. */
export function signedIn(context: RequestContext): Refusal | undefined {
  return context.viewer.id
    ? undefined
    : { reason: 'UNAUTHENTICATED', message: 'Sorry, you are not allowed to do that.' };
}

/** Only administrators. */
export function administrators(context: RequestContext): Refusal | undefined {
  return context.viewer.can('manage_options')
    ? undefined
    : { reason: 'FORBIDDEN', message: 'Sorry, you are not allowed to do that.' };
}

/** Only those who own a capability; the anonymous are asked to sign in. */
export const capable =
  (capability: Capability): RootRule =>
  (context: RequestContext) =>
    signedIn(context) ??
    (context.viewer.can(capability)
      ? undefined
      : { reason: 'FORBIDDEN', message: 'Sorry, you are not allowed to do that.' });

/** FORBIDDEN for who signed in by an application password: see `bySession`. */
export function notByApplicationPassword({ viewer }: RequestContext): Refusal | undefined {
  const message = 'An application password is not enough for this: sign in to do it.';
  return viewer.applicationPasswordId ? { reason: 'FORBIDDEN', message } : undefined;
}

/**
 * What a rule lets through, except by an application password: FORBIDDEN. For what hands access on
 * or would outlive the password: who revokes an application password must not leave a way in.
 */
export const bySession =
  (rule: RootRule): RootRule =>
  async (context, args) =>
    (await rule(context, args)) ?? notByApplicationPassword(context);

/** The rule that a field declares. */
export function accessOf(field: {
  name: string;
  extensions: Readonly<Record<string, unknown>>;
}): RootRule | RowRule {
  const rule = field.extensions.access;
  if (typeof rule !== 'function') throw new Error(`The field ${field.name} declares no access.`);
  return rule as RootRule | RowRule;
}

/**
 * Puts every declared rule in force, once, after the schema is built: a refused root field fails, a
 * refused field of a type is null with an error FORBIDDEN (such fields are nullable). Public fields
 * stay untouched, so they cost nothing. Throws when a field declares no access.
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
      const rule = accessOf(field);
      if (rule === anyone) continue;
      const resolve = field.resolve ?? defaultFieldResolver;
      if (field.subscribe) field.subscribe = guardRoot(rule as RootRule, field.subscribe);
      field.resolve = roots.has(type)
        ? guardRoot(rule as RootRule, resolve)
        : guardRow(rule as RowRule, resolve);
    }
  }
  return schema;
}

type Resolver = GraphQLFieldResolver<unknown, RequestContext>;

function guardRoot(rule: RootRule, resolve: Resolver): Resolver {
  return async (source, args, context, info) => {
    const refusal = await rule(context, args as never);
    if (refusal) throw new DomainError(refusal);
    return resolve(source, args, context, info);
  };
}

function guardRow(rule: RowRule, resolve: Resolver): Resolver {
  return (source, args, context, info) => {
    const refusal = rule(context.viewer, source as never);
    if (refusal) throw new DomainError(refusal);
    return resolve(source, args, context, info);
  };
}
