// Which row and which secret here is which of the original: what a write made gets another number on each
// side, and another token. It is known from the answers alone, and kept in memory.

/** The rows that numbers in a part of a path, or in what it answers, are of. Others are of the part itself. */
const ROWS_OF_PART = {
  ...named('content', ['posts', 'pages', 'healthcare', 'media', 'revisions', 'autosaves']),
  ...named('model', ['pods', 'groups', 'fields']),
  ...named('term', ['categories', 'tags', 'healthcare_category', 'location', 'language']),
  ...named('term', ['therapeutic_area']),
  ...named('account', ['users', 'login', 'signup', 'guest', 'refreshToken']),
};
/** The rows that numbers under a name are of, in parameters, bodies and answers. */
const ROWS_OF_NAME = {
  ...named('content', ['featured_media', 'post', 'wp:featuredmedia', 'up']),
  ...named('term', ['categories', 'tags', 'healthcare_category', 'location', 'therapeutic_area']),
  ...named('term', ['categories_exclude', 'tags_exclude', 'wp:term']),
  ...named('account', ['author', 'author_exclude', 'user', 'user_id', 'member_id']),
  ...named('model', ['pod', 'pod_id', 'group', 'group_id', 'field', 'groups', 'fields']),
  ...named('medicine_reminder', ['reminder_id', 'medicine_reminder_id']),
};
/** Numbers under these names are of the rows that the route is of. */
const OF_ROUTE = new Set([
  'id',
  'parent',
  'include',
  'exclude',
  'parent_exclude',
  'previous',
  'ID',
]);
/** Texts under these names are secrets, which each side makes for itself. */
const SECRET = /^(?:\w*token|password|uuid)$/i;
/** Addresses that name an item by its number. */
const BY_NUMBER = /([?&](?:p|page_id|attachment_id)=)(\d+)/g;
/** The slug of a revision begins with the number of its item. */
const OF_REVISION = /^(\d+)(?=-(?:revision|autosave)-v\d+$)/;
const REVISIONS = /\/(?:revisions|autosaves)$/;
const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?$/;
/** Milliseconds by which an instant may differ that each side takes from its own clock. */
const CLOCKS = 120_000;
/** No more rows and secrets are remembered; then the oldest are forgotten. */
const MOST = 100_000;

function named(rows, names) {
  return Object.fromEntries(names.map((name) => [name, rows]));
}

/** A request names a row that the original made and this service did not. */
export class NotHere extends Error {}

export class Correspondence {
  /** Numbers here by the rows and the number there; undefined for a row that is not here. */
  #rows = new Map();
  #secrets = new Map();

  /** Returns a request as it is asked here. Throws NotHere. */
  here(request) {
    const rows = rowsOfRoute(request.route);
    const [path, query] = request.path.split('?');
    const parts = path.split('/');
    const template = request.route.split('/');
    const mapped = parts.map((part, i) =>
      template[i]?.startsWith('{') ? this.#partHere(part, rowsBefore(template, i)) : part,
    );
    return {
      ...request,
      path: mapped.join('/') + (query === undefined ? '' : `?${this.#formHere(query, rows)}`),
      headers: this.#headersHere(request.headers),
      sent: this.#bodyHere(request, rows),
    };
  }

  /** Returns an answer of the original as it is expected here, beside the one that is found. */
  expected(request, theirs, found) {
    return this.#value(theirs, found, rowsOfRoute(request.route));
  }

  /** Notes which rows and secrets two answers to a write are of. */
  learn(request, theirs, found) {
    this.#pair(theirs, found, rowsOfRoute(request.route));
  }

  /**
   * Notes which revisions are which: a change of an item makes them, and its answer does not name them.
   * Those of two lists as long as each other stand at the same place.
   */
  learnRevisions(request, theirs, found) {
    if (!REVISIONS.test(request.route) || !Array.isArray(theirs) || !Array.isArray(found)) return;
    if (theirs.length !== found.length) return;
    for (const [i, { id }] of theirs.entries())
      if (
        Number.isInteger(id) &&
        Number.isInteger(found[i]?.id) &&
        !this.#rows.has(`content ${id}`)
      )
        this.#pairRow(`content ${id}`, id, found[i].id);
  }

  /** Notes that the row of an answer of the original is not here. */
  lose(request, theirs) {
    const rows = rowsOfRoute(request.route);
    if (request.method !== 'POST' || !Number.isInteger(theirs?.id)) return;
    if (!this.#rows.has(`${rows} ${theirs.id}`) && !namesRow(request, theirs.id))
      remember(this.#rows, `${rows} ${theirs.id}`, undefined);
  }

  #pair(theirs, found, rows) {
    if (!isObject(theirs) || !isObject(found)) return;
    for (const [name, value] of Object.entries(theirs)) {
      const other = found[name];
      if (SECRET.test(name) && typeof value === 'string' && typeof other === 'string')
        remember(this.#secrets, value, other);
      else if (name === 'id' && Number.isInteger(value) && Number.isInteger(other))
        this.#pairRow(`${rows} ${value}`, value, other);
      else this.#pair(value, other, ROWS_OF_NAME[name] ?? rows);
    }
  }

  #pairRow(key, theirs, ours) {
    if (theirs !== ours || this.#rows.has(key)) remember(this.#rows, key, ours);
  }

  #number(number, rows) {
    const key = `${rows} ${number}`;
    return this.#rows.has(key) ? this.#rows.get(key) : number;
  }

  #numberHere(number, rows) {
    const here = this.#number(number, rows);
    if (here === undefined) throw new NotHere();
    return here;
  }

  #secret(text) {
    return this.#secrets.get(text) ?? text;
  }

  #partHere(part, rows) {
    if (/^\d{1,10}$/.test(part)) return String(this.#numberHere(Number(part), rows));
    try {
      const text = decodeURIComponent(part);
      return this.#secrets.has(text) ? encodeURIComponent(this.#secret(text)) : part;
    } catch {
      return part;
    }
  }

  #headersHere(headers) {
    const [scheme, credentials = ''] = headers.authorization?.split(' ') ?? [];
    if (scheme === 'Bearer')
      return { ...headers, authorization: `Bearer ${this.#secret(credentials)}` };
    if (scheme !== 'Basic') return headers;
    const text = Buffer.from(credentials, 'base64').toString();
    const at = text.indexOf(':') + 1;
    const password = this.#secret(text.slice(at));
    const basic = Buffer.from(text.slice(0, at) + password).toString('base64');
    return { ...headers, authorization: `Basic ${basic}` };
  }

  #bodyHere({ sent, headers }, rows) {
    if (!sent || sent.length === 0) return undefined;
    const type = headers['content-type'] ?? '';
    const text = Buffer.from(sent).toString();
    if (/^application\/x-www-form-urlencoded\b/i.test(type)) return this.#formHere(text, rows);
    if (!/\bjson\b/i.test(type)) return Buffer.from(sent);
    let value;
    try {
      value = JSON.parse(text);
    } catch {
      return text;
    }
    return JSON.stringify(this.#given(value, rows));
  }

  /** Returns parameters as they are asked here; those that name nothing stay as they were written. */
  #formHere(form, rows) {
    return form
      .split('&')
      .map((pair) => {
        const [[name, value] = ['', '']] = new URLSearchParams(pair);
        const here = this.#text(value, rowsOfName(name.replace(/\[\w*\]$/, ''), rows));
        return here === value ? pair : new URLSearchParams([[name, here]]).toString();
      })
      .join('&');
  }

  /** Returns what is given under a name: a number, several with commas, or a secret. */
  #text(value, rows) {
    if (rows && /^\d{1,10}(?:,\d{1,10})*$/.test(value))
      return value
        .split(',')
        .map((one) => this.#numberHere(Number(one), rows))
        .join();
    return this.#secret(value);
  }

  #given(value, rows, name = '') {
    const own = rowsOfName(name, rows);
    if (Number.isInteger(value)) return own ? this.#numberHere(value, own) : value;
    if (typeof value === 'string') return this.#text(value, own);
    if (Array.isArray(value)) return value.map((one) => this.#given(one, rows, name));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, this.#given(one, rows, key)]),
    );
  }

  #value(value, other, rows, name = '') {
    const own = rowsOfName(name, rows);
    if (Number.isInteger(value)) return own ? (this.#number(value, own) ?? value) : value;
    if (typeof value === 'string') return this.#shown(value, other, name);
    if (Array.isArray(value))
      return value.map((one, i) => this.#value(one, other?.[i], rows, name));
    if (!isObject(value)) return value;
    const inner = ROWS_OF_NAME[name] ?? rows;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, this.#value(one, other?.[key], inner, key)]),
    );
  }

  #shown(text, other, name) {
    if (typeof other === 'string') {
      if (SECRET.test(name) && text !== '' && other !== '') return other;
      if (INSTANT.test(text) && INSTANT.test(other)) return isNear(text, other) ? other : text;
    }
    const numberOf = (number) => this.#number(Number(number), 'content') ?? number;
    if (name === 'slug') return text.replace(OF_REVISION, numberOf);
    return text.replaceAll(BY_NUMBER, (_, before, number) => before + numberOf(number));
  }
}

const isObject = (value) => value !== null && typeof value === 'object';
const isNear = (a, b) => Math.abs(Date.parse(a) - Date.parse(b)) <= CLOCKS;

/** Returns the rows that numbers under a name are of; undefined for a number that names no row. */
const rowsOfName = (name, rows) => (OF_ROUTE.has(name) ? rows : ROWS_OF_NAME[name]);

/** Returns the rows that a part of a route names: those of the words before it. */
function rowsBefore(template, at) {
  const part = template.slice(0, at).findLast((one) => !one.startsWith('{')) ?? '';
  return ROWS_OF_PART[part] ?? part;
}
const rowsOfRoute = (route) => {
  const template = route.split('/');
  return rowsBefore(template, template.length);
};

/** Whether a request changes the row itself: then that it failed here does not make the row another one. */
const namesRow = ({ path }, id) => path.split('?')[0].split('/').includes(String(id));

function remember(map, key, value) {
  map.delete(key);
  map.set(key, value);
  if (map.size > MOST) map.delete(map.keys().next().value);
}
