import type { Session } from './session.js';

// biome-ignore lint/suspicious/noExplicitAny: what the screens of a test show
export type Shown = any;

/** What a payload is asked for: the screens, as they are after the change. */
export const ALL = 'query { ...screens_shown }';

/** What somebody looks at and changes, in words of GraphQL alone. */
export interface Screens {
  /** The fields of the root that the screens show. */
  readonly shown: string;
  /** The mutations that are sent, and what of the payload of each is asked. */
  readonly changes: Readonly<Record<string, string>>;
  /** Other queries, by their names. */
  readonly questions?: Readonly<Record<string, string>>;
}

/** The documents of screens, under names that Relay takes. */
export interface Documents {
  readonly fragment: string;
  readonly query: string;
  readonly changes: Readonly<Record<string, string>>;
  readonly questions: Readonly<Record<string, string>>;
}

/** Screens that a client has read into its cache. No code of it writes there. */
export interface OpenScreens {
  /** What the cache has of the screens. Throws when it lacks anything of them. */
  readonly shown: () => Shown;
  /** Sends a change, and returns what the client is given of its payload. */
  readonly change: (mutation: string, input: object) => Promise<Shown>;
  /** Asks the service. */
  readonly ask: (question: string) => Promise<Shown>;
  /** Ends the client. */
  readonly close: () => void;
}

/** Reads screens with a new client of a session, whose cache is empty. */
export type OpenClient = (session: Session, documents: Documents) => Promise<OpenScreens>;

/** Inputs that are called otherwise than their mutations. */
const INPUTS: Readonly<Record<string, string>> = { acceptCareInvitation: 'CareCodeInput' };

const capital = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** Returns the name of the document of a change. */
export const nameOfChange = (mutation: string) => `screens${capital(mutation)}Mutation`;

/** Returns the name of the document of a question. */
export const nameOfQuestion = (question: string) => `screens${capital(question)}Query`;

/** Writes the documents of screens. */
export function documentsOf({ shown, changes, questions = {} }: Screens): Documents {
  const each = (
    texts: Readonly<Record<string, string>>,
    of: (name: string, text: string) => string,
  ) => Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, of(name, text)]));
  return {
    fragment: `fragment screens_shown on Query { ${shown} }`,
    query: 'query screensQuery { ...screens_shown }',
    changes: each(changes, (name, asked) => {
      const input = INPUTS[name] ?? `${capital(name)}Input`;
      return `mutation ${nameOfChange(name)}($input: ${input}!) { ${name}(input: $input) { ${asked} } }`;
    }),
    questions: each(questions, (name, asked) => `query ${nameOfQuestion(name)} { ${asked} }`),
  };
}
