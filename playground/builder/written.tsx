import { openInEditor } from '../opened.js';
import { useObserved } from '../use-observed.js';
import type { Subject } from './catalogue.js';
import { changeText, work } from './work.js';

/** The GraphQL of what is worked on. What is written there is read back into the choices. */
export function Written({ subjects }: { readonly subjects: readonly Subject[] }) {
  const { text, problem, choice } = useObserved(work);
  return (
    <details className="care-written" open>
      <summary>GraphQL of this question</summary>
      <label htmlFor="care-graphql" className="care-hint">
        What is written here is read back into the choices.
      </label>
      <textarea
        id="care-graphql"
        spellCheck={false}
        rows={Math.min(24, text.split('\n').length + 1)}
        value={text}
        aria-describedby="care-graphql-problem"
        onChange={(event) => changeText(event.target.value, subjects)}
      />
      <p id="care-graphql-problem" role="status" className="care-wrong">
        {problem && `The choices show the question before: ${problem}`}
      </p>
      <button type="button" onClick={() => openInEditor({ query: text, choice })}>
        Open in the editor of code
      </button>
    </details>
  );
}
