import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { projectRoot } from '../../src/platform/root.js';

type Edition = 'A' | 'B';
type Json = Record<string, unknown>;
type Item = Record<string, { responses: Record<string, Json> }>;

/** A request and its answer, as far as the contract is about them. */
export interface Exchange {
  readonly method: string;
  /** Below the root of the API, with its query. */
  readonly address: string;
  readonly sent: unknown;
  readonly status: number;
  readonly type: string;
  readonly body: unknown;
}

const VARIABLES: Readonly<Record<string, string>> = { id: '\\d+', parent: '\\d+', token: '[^]+' };
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

/** Judges answers by the document of an edition. */
export class Contract {
  readonly #document: { paths: Record<string, Item>; components: { responses: Json } };
  readonly #paths: readonly (readonly [RegExp, string])[];
  readonly #whole: Ajv2020;
  /** Without `required`: for answers of which `_fields` leaves parts out. */
  readonly #partial: Ajv2020;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(text: string) {
    this.#document = JSON.parse(text);
    const paths = Object.keys(this.#document.paths);
    paths.sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')));
    this.#paths = paths.map((path) => [patternOf(path), path]);
    this.#whole = validator(text, false);
    this.#partial = validator(text, true);
  }

  /** Whether the document has the path of an address. */
  knows(address: string): boolean {
    return this.#match(pathOf(address)) !== undefined;
  }

  /** Returns what the document does not describe; undefined when it describes the answer. */
  fault(exchange: Exchange): string | undefined {
    const { method, address, status, type, body } = exchange;
    const path = pathOf(address);
    const query = new URL(address, 'http://x').searchParams;
    const partial = [...query.keys()].some((name) => /^_fields\b/.test(name));
    const named = this.#match(path);
    const envelope = [...query.keys()].find((name) => /^_envelope\b/.test(name));
    if (envelope && isEnvelope(body)) {
      query.delete(envelope);
      const inside = { address: `${path}?${query}`, status: body.status, body: body.body };
      return this.fault({ ...exchange, ...inside });
    }
    if (method === 'OPTIONS' && status === 200)
      return this.#validationError('#/components/schemas/RouteDescription', partial, body);
    if (status === 200 && query.has('namespace') && isIndex(body))
      return this.#validationError('#/components/schemas/NamespaceIndex', partial, body);
    const described =
      named && this.#document.paths[named]?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
    if (method === 'HEAD' && body === undefined) return undefined;
    if (!described)
      return status < 400
        ? `${method} ${path} is not described, and answers ${status}`
        : this.#validationError('#/components/schemas/Error', false, body);
    const key = described.responses[status] ? String(status) : 'default';
    if (key === 'default' && status < 400) return `${status} of ${named} is not described`;
    if (status === 304) return undefined;
    if (status >= 400)
      return refusalFault(type, () =>
        this.#validationError('#/components/schemas/Error', false, body),
      );
    const content = (described.responses[key] as { content?: Json }).content ?? {};
    const media = type.split(';')[0] ?? '';
    if (!(media in content)) return `${media} of ${named} is not described`;
    if (media !== 'application/json') return undefined;
    const pointer = [
      'paths',
      named,
      method.toLowerCase(),
      'responses',
      key,
      'content',
      media,
      'schema',
    ];
    const reference = `#/${pointer.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
    const validationError = this.#validationError(reference, partial, body);
    return validationError ?? (named === '/batch/v1' ? this.#batchFault(exchange) : undefined);
  }

  /** Judges the answers inside a batch by the routes of its requests. */
  #batchFault({ sent, body }: Exchange): string | undefined {
    const requests = (sent as { requests?: { method?: string; path: string }[] })?.requests ?? [];
    const answers = (body as { responses?: ({ status: number; body: unknown } | null)[] })
      .responses;
    for (const [i, answer] of (answers ?? []).entries()) {
      const { method = 'POST', path = '' } = requests[i] ?? {};
      if (!answer || typeof path !== 'string' || !path.startsWith('/') || path.startsWith('//'))
        continue;
      const { status, body: inner } = answer;
      const type = 'application/json';
      const fault = this.fault({
        method,
        address: path,
        sent: undefined,
        status,
        type,
        body: inner,
      });
      if (fault) return `request ${i} of the batch: ${fault}`;
    }
    return undefined;
  }

  #match(path: string): string | undefined {
    return this.#paths.find(([pattern]) => pattern.test(path))?.[1];
  }

  #validationError(reference: string, partial: boolean, body: unknown): string | undefined {
    const key = `${partial} ${reference}`;
    const ajv = partial ? this.#partial : this.#whole;
    const validate = this.#compiled.get(key) ?? ajv.compile({ $ref: `document.json${reference}` });
    this.#compiled.set(key, validate);
    if (validate(body)) return undefined;
    return ajv.errorsText(validate.errors, { dataVar: 'body' });
  }
}

function refusalFault(type: string, validationError: () => string | undefined): string | undefined {
  return type.startsWith('text/xml') ? undefined : validationError();
}

const isEnvelope = (body: unknown): body is { status: number; body: unknown } =>
  typeof body === 'object' && body !== null && 'status' in body && 'headers' in body;
const isIndex = (body: unknown) =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

function pathOf(address: string): string {
  const path = address.split('?')[0] || '/';
  const bare = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare;
  }
}

function patternOf(path: string): RegExp {
  const source = path
    .replaceAll('.', '\\.')
    .replace(/\{(\w+)\}/g, (_, name: string) => VARIABLES[name] ?? '[\\w-]+');
  return new RegExp(`^${source}$`, 'i');
}

/** Reads the schemas of a document. Objects hold nothing that is not described. */
function validator(text: string, partial: boolean): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: false });
  formats.default(ajv, ['date-time', 'uri']);
  ajv.addFormat('idn-email', /^[^@\s]+@[^@\s]+$/);
  ajv.addFormat('date-time-local', LOCAL);
  const closed = (key: string, value: unknown): unknown => {
    if (key === 'required' && partial && Array.isArray(value)) return undefined;
    const schema = value as Json | null;
    const isObject =
      schema && typeof schema === 'object' && [schema.type].flat().includes('object');
    return isObject && schema.properties && !('additionalProperties' in schema)
      ? { ...schema, additionalProperties: false }
      : value;
  };
  ajv.addSchema(JSON.parse(text, closed), 'document.json');
  return ajv;
}

const read = (edition: Edition) =>
  new Contract(
    readFileSync(join(projectRoot, `schema/openapi.${edition.toLowerCase()}.json`), 'utf8'),
  );
const contracts = new Map<Edition, Contract>();

/** The contract of an edition, as it is committed. */
export function contractOf(edition: Edition): Contract {
  const known = contracts.get(edition) ?? read(edition);
  contracts.set(edition, known);
  return known;
}
