import './workers.js';
import 'graphiql/style.css';
import { HISTORY_PLUGIN } from '@graphiql/plugin-history';
import { GraphiQL } from 'graphiql';
import type { GraphQLSchema } from 'graphql';
import { useEffect, useRef, useState } from 'react';
import { sendAndKeep } from './answers.js';
import { EXAMPLES } from './examples.js';
import { leaveByEscape } from './leaving.js';
import { mendLabels } from './mending.js';
import { noteTab } from './opening.js';
import { linked } from './place.js';
import { REPORTS_PLUGIN } from './reports-plugin.js';
import { Pane } from './result/pane.js';
import { schemaFor } from './schema.js';
import { account } from './session.js';
import { subscribe } from './subscribing.js';
import { tabStorage } from './tab-storage.js';
import { useObserved } from './use-observed.js';

const PLUGINS = [HISTORY_PLUGIN, REPORTS_PLUGIN];

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

/** The editor of code: GraphiQL, with saved reports and drawings of answers. */
export function Editor() {
  const who = useObserved(account);
  const [schema, setSchema] = useState<GraphQLSchema | null>(null);
  useEffect(() => {
    let isCurrent = true;
    schemaFor(who).then((seen) => isCurrent && setSchema(seen));
    return () => {
      isCurrent = false;
    };
  }, [who]);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!element.current) return;
    mendLabels(element.current);
    leaveByEscape(element.current);
  }, []);
  return (
    <div className="care-editor" ref={element}>
      {!schema && (
        <p className="care-notice">
          The schema and its documentation are shown to clinicians, analysts and administrators.
        </p>
      )}
      <GraphiQL
        fetcher={fetcher as never}
        schema={schema}
        storage={tabStorage}
        plugins={PLUGINS}
        defaultQuery={EXAMPLES[0]?.query ?? ''}
        {...(linked.query !== null && { initialQuery: linked.query })}
        {...(linked.variables !== null && { initialVariables: linked.variables })}
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
    </div>
  );
}
