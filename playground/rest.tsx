import './style.css';
import { type FormEvent, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { type Found, findRoute, type Pasted, type Route, readPasted } from './rest/reading.js';

type Edition = Pasted['edition'];
const PREFIXES: Readonly<Record<Edition, string>> = { A: '/api', B: '/v3/api' };
const EDITIONS: readonly Edition[] = ['A', 'B'];

/** Reads the routes of an edition. Throws when there is no connection. */
async function routesOf(edition: Edition): Promise<readonly Route[]> {
  const response = await fetch(`${PREFIXES[edition]}/reference/operations.json`);
  return ((await response.json()) as { routes: readonly Route[] }).routes;
}

/**
 * The address of the playground with a document. What follows the hash is never sent: variables may
 * hold what is about a person.
 */
const playgroundWith = (query: string, variables: object) =>
  `/graphql#${new URLSearchParams({ query, variables: JSON.stringify(variables, null, 2) })}`;

function FromRest() {
  const [edition, setEdition] = useState<Edition>('A');
  const [routes, setRoutes] = useState<readonly Route[]>([]);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    routesOf(edition).then(setRoutes, () =>
      setProblem('The routes could not be read. Check the connection, then load this page again.'),
    );
  }, [edition]);
  return (
    <div className="care-rest">
      <header className="care-bar">
        <h1>Care: from REST to GraphQL</h1>
        <nav aria-label="Pages">
          <a href="/graphql">Playground</a>
        </nav>
      </header>
      <main>
        <Paste />
        <h2>All routes</h2>
        <fieldset className="care-views">
          <legend>Edition</legend>
          {EDITIONS.map((other) => (
            <label key={other}>
              <input
                type="radio"
                name="edition"
                checked={edition === other}
                onChange={() => setEdition(other)}
              />
              {other}, at {PREFIXES[other]}
            </label>
          ))}
        </fieldset>
        <p role="alert" className="care-wrong">
          {problem}
        </p>
        <Routes routes={routes} />
      </main>
    </div>
  );
}

function Paste() {
  const [found, setFound] = useState<Found>();
  const [problem, setProblem] = useState('');
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('request'));
    try {
      const request = readPasted(text);
      setFound(findRoute(await routesOf(request.edition), request));
      setProblem('');
    } catch (error) {
      setFound(undefined);
      setProblem((error as Error).message);
    }
  };
  return (
    <form onSubmit={submit}>
      <label htmlFor="request">A REST address or a curl line</label>
      <textarea
        id="request"
        name="request"
        rows={3}
        required
        spellCheck={false}
        placeholder="curl '/v3/api/v1/posts?per_page=5&status=publish'"
      />
      <button type="submit">Find the operation</button>
      <p role="alert" className="care-wrong">
        {problem}
      </p>
      {found && <Answer found={found} />}
    </form>
  );
}

function Answer({ found: { route, variables, unused, missing } }: { readonly found: Found }) {
  return (
    <section aria-label="The operation">
      <h2>{route.operation}</h2>
      <p>{route.description}</p>
      {unused.length > 0 && <p>GraphQL has no variable for: {unused.join(', ')}.</p>}
      {missing.length > 0 && <p>Give a value to: {missing.join(', ')}.</p>}
      <Documents route={route} variables={variables} of="what was pasted" />
    </section>
  );
}

interface DocumentsProps {
  readonly route: Route;
  readonly variables: object;
  /** What they are of, so that screen readers tell them apart. */
  readonly of: string;
}

function Documents({ route, variables, of }: DocumentsProps) {
  const { query, without, leftOut, document } = route;
  return (
    <>
      {query ? (
        <>
          <p>
            <a href={playgroundWith(query, variables)}>Open in the playground</a>
          </p>
          <Code text={query} label={`Operation of ${of}`} />
          {leftOut.length > 0 && <p>REST alone has: {leftOut.join(', ')}.</p>}
        </>
      ) : (
        <p>GraphQL has no operation for this route. {without}</p>
      )}
      {document && (
        <details>
          <summary>The document that answers the route</summary>
          <Code text={document} label={`Document of ${of}`} />
        </details>
      )}
    </>
  );
}

function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by the keyboard
    <section className="care-code" tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  );
}

function Routes({ routes }: { readonly routes: readonly Route[] }) {
  const [wanted, setWanted] = useState('');
  const shown = routes.filter(({ path, operation }) =>
    `${path} ${operation}`.toLowerCase().includes(wanted.toLowerCase()),
  );
  return (
    <>
      <label className="care-filter">
        Filter routes{' '}
        <input type="search" value={wanted} onChange={({ target }) => setWanted(target.value)} />
      </label>{' '}
      <span aria-live="polite">
        {shown.length} of {routes.length}
      </span>
      <ul>
        {shown.map((route) => (
          <One key={`${route.methods} ${route.path} ${route.operation}`} route={route} />
        ))}
      </ul>
    </>
  );
}

/** A route of the list; its documents are put into the page when somebody opens it. */
function One({ route }: { readonly route: Route }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <strong>{route.methods.join(', ')}</strong> {route.path} <small>{route.operation}</small>
        </summary>
        {isOpen && (
          <>
            <p>{route.description}</p>
            <Documents
              route={route}
              variables={route.fixed}
              of={`${route.methods.join(', ')} ${route.path}`}
            />
          </>
        )}
      </details>
    </li>
  );
}

const root = document.getElementById('care');
if (root) createRoot(root).render(<FromRest />);
