import './workers.js';
import 'graphiql/style.css';
import './style.css';
import { HISTORY_PLUGIN } from '@graphiql/plugin-history';
import { GraphiQL } from 'graphiql';
import type { GraphQLSchema } from 'graphql';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { AccountBar } from './account-bar.js';
import { sendAndKeep } from './answers.js';
import { EXAMPLES } from './examples.js';
import { mendTabs } from './mending.js';
import { useObserved } from './observed.js';
import { noteTab } from './opening.js';
import { REPORTS_PLUGIN } from './reports-plugin.js';
import { Pane } from './result/pane.js';
import { schemaFor } from './schema.js';
import { account, resume } from './session.js';
import { subscribe } from './subscribing.js';
import { tabStorage } from './tab-storage.js';

const PLUGINS = [HISTORY_PLUGIN, REPORTS_PLUGIN];
/** What the address asks for: what follows the hash was never sent, and leaves the address. */
const asked = new URLSearchParams(location.hash ? location.hash.slice(1) : location.search);
if (location.hash) history.replaceState(null, '', location.pathname + location.search);

/** Makes what GraphiQL sends a request, or a subscription over server-sent events. */
function fetcher(
  {
    query,
    variables,
    operationName,
  }: { query: string; variables?: unknown; operationName?: string | null },
  options?: { headers?: Record<string, string>; documentAST?: Parameters<typeof subscribe>[2] },
) {
  const asking = { query, variables, operationName };
  const headers = options?.headers ?? {};
  return subscribe(asking, headers, options?.documentAST) ?? sendAndKeep(asking, headers);
}

function Playground() {
  const who = useObserved(account);
  const [schema, setSchema] = useState<GraphQLSchema | null>(null);
  useEffect(() => {
    let isCurrent = true;
    schemaFor(who).then((seen) => isCurrent && setSchema(seen));
    return () => {
      isCurrent = false;
    };
  }, [who]);
  return (
    <>
      <AccountBar />
      {!schema && (
        <p className="care-notice">
          The schema and its documentation are shown to clinicians, analysts and administrators.
        </p>
      )}
      <main>
        <GraphiQL
          fetcher={fetcher as never}
          schema={schema}
          storage={tabStorage}
          plugins={PLUGINS}
          defaultQuery={EXAMPLES[0]?.query ?? ''}
          {...(asked.has('query') && { initialQuery: asked.get('query') ?? '' })}
          {...(asked.has('variables') && { initialVariables: asked.get('variables') ?? '' })}
          onTabChange={noteTab}
          shouldPersistHeaders={undefined as never}
        >
          <GraphiQL.Logo>
            <span />
          </GraphiQL.Logo>
          <GraphiQL.Footer>
            <Pane />
          </GraphiQL.Footer>
        </GraphiQL>
      </main>
    </>
  );
}

await resume();
const root = document.getElementById('care');
if (root) {
  createRoot(root).render(<Playground />);
  mendTabs(root);
}
