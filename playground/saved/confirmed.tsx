import { useState } from 'react';

interface ConfirmedProps {
  /** What it says, and what it says once it was pressed. */
  readonly says: readonly [first: string, then: string];
  /** The same for whoever does not see what stands beside it. */
  readonly label: readonly [first: string, then: string];
  readonly onConfirm: () => void;
}

/** A button that does what cannot be undone when it is pressed twice. */
export function Confirmed({ says, label, onConfirm }: ConfirmedProps) {
  const [isAsked, setAsked] = useState(false);
  const step = isAsked ? 1 : 0;
  return (
    <button
      type="button"
      className="care-open"
      aria-label={label[step]}
      onClick={() => (isAsked ? onConfirm() : setAsked(true))}
      onBlur={() => setAsked(false)}
    >
      {says[step]}
    </button>
  );
}
