/** What screen readers say of an editor that Tab has reached. */
const HOW = 'Enter writes in it, Escape leaves it.';

/**
 * Lets who came into an editor of GraphiQL by Enter leave it by Escape: within it, Tab writes a tab.
 * Monaco takes an Escape that closes something of its own, or a selection, and then it comes not here.
 */
export function leaveByEscape(root: HTMLElement): void {
  root.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && boxOf(target) === target) target.ariaDescription = HOW;
  });
  root.addEventListener('keydown', ({ key, target }) => {
    if (key === 'Escape' && target instanceof HTMLElement) boxOf(target)?.focus();
  });
}

/** Returns the element around an editor, which Tab reaches. */
const boxOf = (within: HTMLElement) =>
  within.closest<HTMLElement>(':is(.graphiql-editor, .result-window)[tabindex="0"]');
