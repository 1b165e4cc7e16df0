import { useState } from 'react';
import { failureText } from '../advice.js';

/** What an action came to: that it is done, or why it is not. */
export function useOutcome() {
  const [said, setSaid] = useState({ done: '', problem: '' });
  const [isBusy, setBusy] = useState(false);
  /** Does something, and says what comes of it. */
  const attempt = async (work: () => Promise<string>) => {
    setBusy(true);
    setSaid({ done: '', problem: '' });
    try {
      setSaid({ done: await work(), problem: '' });
    } catch (error) {
      setSaid({ done: '', problem: failureText(error) });
    }
    setBusy(false);
  };
  return { attempt, isBusy, outcome: <Outcome {...said} /> };
}

function Outcome({ done, problem }: { readonly done: string; readonly problem: string }) {
  return (
    <>
      <p role="status">{done}</p>
      {problem && (
        <p className="care-objection" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
