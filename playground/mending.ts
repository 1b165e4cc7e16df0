/**
 * Mends the roles of GraphiQL's tabs. It puts the role of a tab on an element with two buttons, one
 * of which closes it; screen readers do not reach buttons inside a tab. So they become a list of
 * buttons, of which one is the current.
 */
export function mendTabs(root: Element): void {
  new MutationObserver(() => mend(root)).observe(root, {
    childList: true,
    subtree: true,
    attributeFilter: ['role', 'aria-selected'],
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
}
