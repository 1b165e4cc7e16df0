// What PostgreSQL says a statement returns, without running it.
import pg from 'pg';
import { parsers } from '../../src/platform/database/values.js';

/** How the driver gives a value to the code. */
export type Kind = 'string' | 'number' | 'boolean' | 'Date' | 'Buffer' | 'JSON';

/** A column that a statement returns. */
export interface Column {
  readonly name: string;
  readonly kind: Kind;
  readonly isArray: boolean;
}

const KINDS: Readonly<Record<number, Kind>> = {
  16: 'boolean',
  17: 'Buffer',
  20: 'number',
  21: 'number',
  23: 'number',
  26: 'number',
  114: 'JSON',
  700: 'number',
  701: 'number',
  1184: 'Date',
  3802: 'JSON',
};

/** Array types, by their element types. */
const ARRAYS: Readonly<Record<number, number>> = {
  1000: 16,
  1001: 17,
  1005: 21,
  1007: 23,
  1016: 20,
  1021: 700,
  1022: 701,
  1028: 26,
  1185: 1184,
  199: 114,
  3807: 3802,
};

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

function columnOf({ name, dataTypeID }: Field): Column {
  const isArray = Array.isArray(parsers[dataTypeID]?.('{}'));
  const element = isArray ? ARRAYS[dataTypeID] : dataTypeID;
  return { name, kind: KINDS[element ?? 0] ?? 'string', isArray };
}

/** Returns the columns of a statement, none where it returns no rows. Throws PostgreSQL's errors. */
export function describeStatement(client: pg.Client, text: string): Promise<Column[]> {
  return new Promise((resolve, reject) => {
    client.query(new Description(text, resolve, reject));
  });
}

/** What pg's connection has and its types do not declare. */
interface Connection {
  parse(statement: { name: string; text: string }): void;
  describe(statement: { type: 'S'; name: string }): void;
  sync(): void;
}

/** Asks for the description of a statement, in the extended protocol of PostgreSQL. */
class Description implements pg.Submittable {
  #columns: Column[] = [];

  constructor(
    private readonly text: string,
    private readonly resolve: (columns: Column[]) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  submit(pgConnection: unknown): void {
    const connection = pgConnection as Connection;
    connection.parse({ name: '', text: this.text });
    connection.describe({ type: 'S', name: '' });
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.#columns = fields.map(columnOf);
  }

  handleError(error: Error): void {
    this.reject(error);
  }

  handleReadyForQuery(): void {
    this.resolve(this.#columns);
  }
}
