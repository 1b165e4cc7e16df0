/**
 * Mends what GraphiQL tells screen readers. It puts the role of a tab on an element with two buttons,
 * one of which closes it; screen readers do not reach buttons inside a tab. So they become a list of
 * buttons, of which one is the current. Queries of the history are named by another text than they
 * show: who says what is shown would not reach them.
 */
export function mendLabels(root: Element): void {
  new MutationObserver(() => mend(root)).observe(root, {
    childList: true,
    subtree: true,
    attributeFilter: ['role', 'aria-selected', 'aria-label'],
  });
}

function mend(root: Element): void {
  for (const list of root.querySelectorAll('[role=tablist]')) list.setAttribute('role', 'list');
  for (const tab of root.querySelectorAll('.graphiql-tab[aria-selected]')) {
    const isCurrent = tab.getAttribute('aria-selected') === 'true';
    tab.setAttribute('role', 'listitem');
    tab.removeAttribute('aria-selected');
    const button = tab.querySelector('button');
    button?.removeAttribute('aria-controls');
    button?.setAttribute('aria-current', String(isCurrent));
  }
  for (const query of root.querySelectorAll('.graphiql-history-item-label[aria-label]'))
    query.removeAttribute('aria-label');
}
