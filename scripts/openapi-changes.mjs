// Compares two documents of OpenAPI 3.1 of one edition, by what a client of the older one relies on.

/** Keywords that bound what is sent: a larger, or a smaller, value than before refuses more. */
const BOUNDS = { minimum: 1, minLength: 1, minItems: 1, maximum: -1, maxLength: -1, maxItems: -1 };
const ALL_TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

/**
 * Returns the changes from one document to another, each once: `subject` says where, `message` what,
 * `level` is `breaking`, `dangerous` (a new value of a closed set; a deprecated route that is gone)
 * or `safe`.
 */
export function openapiChanges(before, after) {
  return new Comparison(before, after).changes();
}

class Comparison {
  #found = new Map();
  /** Pairs of components that were compared, or are being compared: they may hold themselves. */
  #compared = new Set();

  constructor(before, after) {
    this.before = before;
    this.after = after;
  }

  changes() {
    each(this.before.paths, this.after.paths, (path, was, is) => {
      each(was ?? {}, is ?? {}, (method, old, now) => {
        const subject = `${method.toUpperCase()} ${path}`;
        if (!old) this.#note('safe', subject, 'is new');
        else if (now) this.#operation(subject, old, now);
        else this.#note(old.deprecated ? 'dangerous' : 'breaking', subject, 'is gone');
      });
    });
    return [...this.#found.values()];
  }

  #note(level, subject, message) {
    this.#found.set(`${subject} ${message}`, { level, subject, message });
  }

  #operation(subject, was, is) {
    const byName = ({ parameters = [] }, document) =>
      Object.fromEntries(
        parameters
          .map((parameter) => resolved(document, parameter))
          .map((parameter) => [parameter.name, parameter]),
      );
    each(byName(was, this.before), byName(is, this.after), (name, old, now) =>
      this.#part(`${subject} ${name}`, old, now),
    );
    const fields = (operation) => operation.requestBody ?? { content: {} };
    if (fields(is).required && !fields(was).required)
      this.#note('breaking', subject, 'needs a body now');
    this.#contents(`${subject} body`, fields(was).content, fields(is).content, 'sent');
    this.#answers(subject, was.responses, is.responses);
    if (takesAnyone(was) && !takesAnyone(is))
      this.#note('breaking', subject, 'refuses the anonymous now');
  }

  /** Compares a parameter, or a property of a body. */
  #part(subject, was, is) {
    if (!was) this.#note(is.required ? 'breaking' : 'safe', subject, 'is new');
    else if (!is) this.#note('breaking', subject, 'is gone');
    else {
      if (is.required && !was.required) this.#note('breaking', subject, 'is required now');
      this.#schemas(subject, was.schema, is.schema, 'sent');
    }
  }

  #answers(subject, was, is) {
    each(was, is, (status, oldest, newest) => {
      if (!status.startsWith('2')) return;
      const place = `${subject} ${status}`;
      if (!newest) this.#note('breaking', place, 'is gone');
      else if (!oldest) this.#note('breaking', place, 'is new');
      else {
        const [old, now] = [resolved(this.before, oldest), resolved(this.after, newest)];
        for (const name of Object.keys(old.headers ?? {}))
          if (!now.headers?.[name]) this.#note('breaking', `${place} ${name}`, 'is gone');
        this.#contents(place, old.content ?? {}, now.content ?? {}, 'answered');
      }
    });
  }

  #contents(subject, was, is, side) {
    each(was, is, (type, old, now) => {
      if (!now) this.#note('breaking', `${subject} ${type}`, 'is gone');
      else if (old) this.#schemas(subject, old.schema, now.schema, side);
    });
  }

  /** Compares what is sent, which may only become wider, or answered, which may only be narrower. */
  #schemas(subject, older, newer, side) {
    const [was, is] = [resolved(this.before, older), resolved(this.after, newer)];
    const named = older.$ref && older.$ref === newer.$ref;
    const place = named ? older.$ref.split('/').at(-1) : subject;
    if (named) {
      const key = `${side} ${place}`;
      if (this.#compared.has(key)) return;
      this.#compared.add(key);
    }
    const kinds = [allowed(was), allowed(is)];
    this.#sets(place, kinds[0], kinds[1], side, 'breaking');
    if (was.enum && is.enum) this.#sets(place, was.enum, is.enum, side, 'dangerous');
    else if (side === 'sent' ? is.enum : was.enum)
      this.#note('breaking', place, side === 'sent' ? 'is a closed set now' : 'is open now');
    if (side === 'sent') this.#bounds(place, was, is);
    const form = side === 'sent' ? is.format : was.format;
    if (form && was.format !== is.format)
      this.#note('breaking', place, `is ${is.format ?? 'of no format'} now`);
    this.#properties(place, was, is, side);
    if (was.items && is.items) this.#schemas(`${place}[]`, was.items, is.items, side);
    this.#alternatives(place, was.anyOf ?? [], is.anyOf ?? [], side);
  }

  /** Compares sets of types or values. `level` is that of a new value in an answer. */
  #sets(subject, was, is, side, level) {
    for (const value of was)
      if (!holds(is, value))
        this.#note(side === 'sent' ? 'breaking' : 'safe', subject, `is never ${value} now`);
    for (const value of is)
      if (!holds(was, value))
        this.#note(side === 'sent' ? 'safe' : level, subject, `may be ${value} now`);
  }

  #bounds(subject, was, is) {
    for (const [keyword, sign] of Object.entries(BOUNDS))
      if (keyword in is && !(sign * is[keyword] <= sign * was[keyword]))
        this.#note('breaking', subject, `has ${keyword} ${is[keyword]} now`);
    if (is.pattern && is.pattern !== was.pattern)
      this.#note('breaking', subject, `must match ${is.pattern} now`);
  }

  #properties(subject, was, is, side) {
    const needed = [was.required ?? [], is.required ?? []];
    each(was.properties ?? {}, is.properties ?? {}, (name, old, now) => {
      const place = `${subject}.${name}`;
      const [wasNeeded, isNeeded] = needed.map((names) => names.includes(name));
      if (side === 'sent') {
        const part = (schema, required) => schema && { schema, required };
        this.#part(place, part(old, wasNeeded), part(now, isNeeded));
        return;
      }
      if (!old) this.#note('safe', place, 'is new');
      else if (!now) this.#note('breaking', place, 'is gone');
      else {
        if (wasNeeded && !isNeeded) this.#note('breaking', place, 'may be missing now');
        this.#schemas(place, old, now, side);
      }
    });
    const [others, now] = [was.additionalProperties, is.additionalProperties];
    if (side === 'sent' && others !== false && now === false)
      this.#note('breaking', subject, 'takes no other properties now');
    if (typeof others === 'object' && typeof now === 'object')
      this.#schemas(`${subject}.*`, others, now, side);
  }

  /** Compares alternatives: equal ones are the same, others are taken in their order. */
  #alternatives(subject, was, is, side) {
    const without = (list, others) => {
      const texts = others.map((one) => JSON.stringify(one));
      return list.filter((one) => !texts.includes(JSON.stringify(one)));
    };
    const [old, now] = [without(was, is), without(is, was)];
    for (let i = 0; i < Math.max(old.length, now.length); i++)
      if (old[i] && now[i]) this.#schemas(`${subject}|${i + 1}`, old[i], now[i], side);
      else if (side === 'sent' ? old[i] : now[i])
        this.#note('breaking', subject, old[i] ? 'has an alternative less' : 'has one more');
  }
}

/** Calls `visit` with every name of two objects, and what it has in each. */
function each(before, after, visit) {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
    visit(name, before[name], after[name]);
}

function resolved(document, part) {
  if (!part?.$ref) return part ?? {};
  const names = part.$ref.slice(2).split('/');
  return names.reduce((found, name) => found?.[name], document) ?? {};
}

const allowed = ({ type, anyOf, enum: values }) =>
  type ? [type].flat() : anyOf || values ? [] : ALL_TYPES;
const holds = (set, value) =>
  set.includes(value) || (value === 'integer' && set.includes('number'));
/** Whether an operation answers callers without credentials. */
const takesAnyone = ({ security = [] }) =>
  security.length === 0 || security.some((way) => Object.keys(way).length === 0);
