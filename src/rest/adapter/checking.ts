import type { RequestContext } from '../../core/context.js';
import type { Refusal } from '../../core/errors.js';
import { type Detail, failureOf, invalidParameters } from '../errors.js';
import { type Failure, failure } from '../message.js';
import type { Variables } from '../operation/compiling.js';
import { check } from '../parameter/check.js';
import type { Parameter } from '../parameter/parameter.js';
import type { Endpoint } from '../router.js';
import { type Sender, valueSent } from './sent.js';

/** The parameters of a request, checked by their types. */
export interface CheckedParameters {
  variables: Variables;
  /** Why parameters of the second stage do not fit, by name. */
  validationErrors: Readonly<Record<string, Detail>>;
  /** Missing parameters, or validation errors of the first stage: then the domain is not asked. */
  failure?: Failure | undefined;
}

/** Checks every parameter of an endpoint by its type. */
export function checkParameters(
  { operation, route }: Endpoint,
  sent: Sender,
  viewer: RequestContext['viewer'],
): CheckedParameters {
  const variables: Variables = {};
  const missing: string[] = [];
  const firstStage: Record<string, Detail> = {};
  const validationErrors: Record<string, Detail> = {};
  for (const parameter of operation.parameters) {
    const { name } = parameter;
    const value = valueSent(parameter, sent);
    if (value === undefined) {
      if (parameter.required && !(route.fixed && name in route.fixed)) missing.push(name);
      if (parameter.preset !== undefined) variables[name] = parameter.preset;
      continue;
    }
    const judged = judge(parameter, value, viewer);
    if ('validationError' in judged)
      (judged.first ? firstStage : validationErrors)[name] = judged.validationError;
    else if ('value' in judged) variables[name] = judged.value;
  }
  Object.assign(variables, route.fixed);
  if (missing.length > 0)
    return { variables, validationErrors, failure: missingParameters(missing) };
  if (Object.keys(firstStage).length > 0)
    return { variables, validationErrors, failure: invalidParameters(firstStage) };
  return { variables, validationErrors };
}

function missingParameters(names: string[]): Failure {
  const message = `Missing parameter(s): ${names.join(', ')}`;
  return failure(400, 'rest_missing_callback_param', message, { params: names });
}

/**
 * Returns the failure of parameters that the domain refuses or that do not fit their types: all of
 * them, in the order of the parameters. Undefined when there are none.
 */
export async function judged(
  { operation }: Endpoint,
  { variables, validationErrors }: CheckedParameters,
  context: RequestContext,
): Promise<Failure | undefined> {
  const found: Record<string, Detail> = {};
  for (const refusal of (await operation.judge?.(
    context,
    operation.rootArguments(variables) as never,
  )) ?? []) {
    const { param, ...rest } = operation.inParameters(refusal);
    if (param) found[param] ??= refusedParameter(rest, context.viewer.id !== 0);
  }
  const wrong = { ...found, ...validationErrors };
  const names = operation.parameters
    .map(({ name }) => name)
    .filter((name) => Object.hasOwn(wrong, name));
  if (names.length === 0) return undefined;
  return invalidParameters(Object.fromEntries(names.map((name) => [name, wrong[name] as Detail])));
}

/** The value of a variable, or why what was sent does not fit, with its stage; neither: ignored. */
type Judgement =
  | { value: unknown }
  | { validationError: Detail; first: boolean }
  | Record<string, never>;

function judge(parameter: Parameter, value: unknown, viewer: RequestContext['viewer']): Judgement {
  const { name, schema, first, convert, fault } = parameter;
  if (parameter.refusal) return {};
  const refusal = parameter.permit?.(viewer, wordsOf(value));
  if (refusal) return { validationError: refusedParameter(refusal, viewer.id !== 0), first: false };
  const checked = check(value, schema, name);
  if ('validationError' in checked) return { validationError: checked.validationError, first };
  if (!('value' in checked)) return {};
  const converted = convert ? convert(checked.value) : checked.value;
  const validationError = converted === null ? undefined : fault?.(converted);
  return validationError ? { validationError, first } : { value: converted };
}

/**
 * Returns the variables of an endpoint that does not run, for its access rule. They are those of
 * `checkParameters`, but only what was sent is read.
 */
export function variablesOf(
  { operation, route }: Endpoint,
  names: ReadonlySet<string>,
  sent: Sender,
  viewer: RequestContext['viewer'],
): Variables {
  const variables = { ...operation.presets };
  for (const name of names) {
    const parameter = operation.byName.get(name);
    const value = parameter && valueSent(parameter, sent);
    if (!parameter || value === undefined) continue;
    delete variables[parameter.name];
    const judged = judge(parameter, value, viewer);
    if ('value' in judged) variables[parameter.name] = judged.value;
  }
  return Object.assign(variables, route.fixed);
}

function wordsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? value.split(/[\s,]+/).filter(Boolean) : [value];
}

function refusedParameter(refusal: Refusal, signedIn: boolean): Detail {
  const details = failureOf({ ...refusal, param: 'it' }, signedIn)?.data?.details as
    | Record<string, Detail>
    | undefined;
  return details?.it ?? { message: refusal.message, data: null };
}
