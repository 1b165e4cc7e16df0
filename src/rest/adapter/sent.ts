import type { Refusal } from '../../core/errors.js';
import type { RestRequest } from '../message.js';
import type { Parameter } from '../parameter/parameter.js';
import type { Parameters } from '../query.js';
import type { Match } from '../router.js';

/** Stands for all fields of the body. */
const BODY = Symbol('body');

/** Returns what was sent for a parameter; undefined when nothing was. */
export type Sender = (name: string | typeof BODY) => unknown;

/**
 * Reads what was sent: the path wins over the JSON body, the JSON body over a form, a form over the
 * query.
 */
export function sender({ json, form, query }: RestRequest, { path }: Match): Sender {
  return (name) =>
    name === BODY
      ? (json ?? form)
      : (path[name] ?? own(json, name) ?? own(form, name) ?? own(query, name));
}

function own(parameters: Parameters | undefined, name: string): unknown {
  const value = parameters?.[name];
  return value === null && parameters ? NULL : value;
}

/**
 * JSON null as it was sent: it wins over the sources after it. Most parameters take it as absent.
 */
const NULL = Symbol('null');

/** Returns the names of all parameters that were sent. */
export const namesSent = ({ json, form, query }: RestRequest, { path }: Match): Set<string> =>
  new Set(
    [path, json, form, query].flatMap((parameters) => (parameters ? Object.keys(parameters) : [])),
  );

/**
 * Returns the value of a parameter, undefined when it counts as absent. JSON null does, except for
 * lists (empty) and for nullable parameters; an empty text does where the parameter is `blank`.
 */
export function valueSent(parameter: Parameter, sent: Sender): unknown {
  const { name, also, schema, nullable, blank, others } = parameter;
  if (others) return besides(others, sent);
  const value = sent(name) ?? (also && sent(also));
  if (value === '' && blank) return undefined;
  if (value !== NULL) return value;
  if (nullable) return null;
  return schema.type === 'array' ? [] : undefined;
}

/** Returns the fields of the body that are no parameters; undefined when there are none. */
function besides(parameters: ReadonlySet<string>, sent: Sender): object | undefined {
  const fields = Object.entries((sent(BODY) ?? {}) as object);
  const others = fields.filter(([name]) => !parameters.has(name));
  return others.length > 0 ? Object.fromEntries(others) : undefined;
}

/** Returns the refusal of the first parameter that must not be sent and was; undefined for none. */
export function presenceRefusal(
  parameters: readonly Parameter[],
  sent: Sender,
): Refusal | undefined {
  const present = parameters.find(({ name, refusal }) => refusal && isGiven(sent(name)));
  const value = present && sent(present.name);
  const zero =
    typeof value !== 'object' && Number(value) === 0 ? present?.refusal?.zero : undefined;
  return zero ? { reason: zero, message: 'Invalid post ID.' } : present?.refusal;
}

const isGiven = (value: unknown) => value !== undefined && value !== NULL && value !== '';
