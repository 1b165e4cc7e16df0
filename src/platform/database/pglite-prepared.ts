import type { ExecProtocolOptions, messages, PGlite } from '@electric-sql/pglite';
import { TRANSACTION_CONTROL } from './statement-metrics.js';

/** Maximum number of statements that stay prepared; the one that was used longest ago goes first. */
const MOST_PREPARED = 500;
/** Statements whose columns change only with the schema. */
const PREPARED = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/i;
/** Bytes of a message before its body: the type, and the length. */
const HEAD = 5;

type Message = messages.BackendMessage;

/** A statement that PGlite has prepared: its name, and its parameters and columns. */
interface Statement {
  readonly name: string;
  readonly described: Message[];
}

/** How PGlite's own `query` sends a message of the protocol, and a message's options. */
type Send = (message: Uint8Array, options?: SendOptions) => Promise<Message[]>;
/** `prepare: false` in the options of a query has each run planned for its values. */
interface SendOptions extends ExecProtocolOptions {
  prepare?: boolean;
}

/**
 * Lets PGlite prepare each statement once. Its `query` parses the text each time, and sends seven
 * messages one by one. Here the first run sends four of them, and a later one three at once.
 */
export function prepareStatements(pg: PGlite): void {
  const session = new PreparingSession(pg.execProtocolStream.bind(pg) as Send);
  pg.execProtocolStream = (message, options) => session.send(message, options);
}

/** The messages of one session, which come in the order in which `PGlite.query` sends them. */
class PreparingSession {
  readonly #statements = new Map<string, Statement>();
  /** The names of statements that are to be closed. */
  #closing: string[] = [];
  #names = 0;
  /** The prepared statement of the query that runs. */
  #running: Statement | undefined;
  #bind: Uint8Array = new Uint8Array();
  /** Whether a statement of this session may have changed the schema. */
  #changed = false;
  /** Whether the server has answered the Sync of the query that runs. */
  #synced = false;

  constructor(private readonly pass: Send) {}

  async send(message: Uint8Array, options?: SendOptions): Promise<Message[]> {
    const type = String.fromCharCode(message[0] as number);
    if (type === 'P') return this.#parse(message, options);
    if (type === 'Q') return this.#script(message, options);
    if (type === 'S' && this.#synced) return [];
    if (!this.#running) return this.pass(message, options);
    if (type === 'D') return this.#running.described;
    if (type === 'B') this.#bind = bindTo(this.#running.name, message);
    if (type === 'E') return this.#execute(message, options);
    return type === 'B' ? [] : this.pass(message, options);
  }

  /** A text of several statements, in one message that needs no Sync. */
  #script(message: Uint8Array, options?: SendOptions): Promise<Message[]> {
    this.#running = undefined;
    this.#synced = true;
    const text = textOf(message, HEAD);
    if (text !== 'SELECT 1') this.#note(text);
    return this.pass(message, options);
  }

  async #parse(message: Uint8Array, options?: SendOptions): Promise<Message[]> {
    this.#running = undefined;
    this.#synced = false;
    const text = textOf(message, HEAD + 1);
    if (!PREPARED.test(text)) this.#note(text);
    if (!PREPARED.test(text) || options?.prepare === false) return this.pass(message, options);
    const known = this.#statements.get(text);
    this.#running = known ?? (await this.#prepare(message, options));
    this.#statements.delete(text);
    this.#statements.set(text, this.#running);
    if (this.#statements.size > MOST_PREPARED) this.#forget(1);
    return [];
  }

  /** Prepares a statement, and closes those that are forgotten. Nothing stays when it fails. */
  async #prepare(parse: Uint8Array, options?: SendOptions): Promise<Statement> {
    const name = `s${this.#names++}`;
    const closed = this.#closing.map((old) => messageOf('C', `S${old}\0`));
    const body = Buffer.from(parse.subarray(HEAD + 1));
    const described = await this.pass(
      Buffer.concat([...closed, messageOf('P', `${name}\0`, body), messageOf('D', `S${name}\0`)]),
      options,
    );
    this.#closing = [];
    return { name, described };
  }

  #execute(message: Uint8Array, options?: SendOptions): Promise<Message[]> {
    this.#synced = true;
    return this.pass(Buffer.concat([this.#bind, message, messageOf('S')]), options);
  }

  /** Notes a statement that may change the schema: columns change now, and when it is undone. */
  #note(text: string): void {
    const isControl = TRANSACTION_CONTROL.test(text);
    if (isControl && !(this.#changed && /^\s*ROLLBACK/i.test(text))) return;
    this.#changed ||= !isControl;
    this.#forget();
  }

  /** Forgets the statements that were used longest ago, or all: their columns may change. */
  #forget(count = this.#statements.size): void {
    for (const [text, { name }] of [...this.#statements].slice(0, count)) {
      this.#statements.delete(text);
      this.#closing.push(name);
    }
  }
}

/** The text of a message that begins at a byte, up to its zero. */
function textOf(message: Uint8Array, from: number): string {
  return Buffer.from(message.subarray(from, message.indexOf(0, from))).toString();
}

/** Binds the values of a message for the unnamed statement to a named one. */
function bindTo(name: string, bind: Uint8Array): Uint8Array {
  return messageOf('B', `\0${name}\0`, Buffer.from(bind.subarray(HEAD + 2)));
}

/** A message of the protocol: its type, its length with itself, and its body. */
function messageOf(type: string, start = '', rest: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.from(start);
  const head = Buffer.alloc(HEAD);
  head.write(type, 0);
  head.writeInt32BE(HEAD - 1 + body.length + rest.length, 1);
  return Buffer.concat([head, body, rest]);
}
