/*
 * What the library's elements lack for screen readers. Each repair is to be dropped when the library
 * has it; tests/portal/reference.test.ts lists what is left.
 */

const EDITOR = '.code-input-lite__editor';

const REPAIRS: [selector: string, repair: (element: HTMLElement) => void][] = [
  [`${EDITOR}:not([aria-label])`, (one) => one.setAttribute('aria-label', one.dataset.placeholder ?? 'Value')],
  [`${EDITOR}[role=combobox]:not([aria-expanded])`, (one) => one.setAttribute('aria-expanded', 'false')],
  ['.cm-content:not([aria-label])', (one) => one.setAttribute('aria-label', 'Text')],
  ['.group\\/copy-button:not([aria-label])', (one) => one.setAttribute('aria-label', 'Copy')],
  // It names an element that does not exist.
  ['.group\\/copy-button.relative[aria-controls]', (one) => one.removeAttribute('aria-controls')],
  ['button[role=none]', (one) => one.removeAttribute('role')],
  ['.show-more[aria-label^="Show all"]', (one) => one.setAttribute('aria-label', `Show More: ${one.ariaLabel}`)],
];

/** Completes the elements below one, now and whenever some are added. */
export function keepAccessible(root: HTMLElement): void {
  const repairAll = () => {
    for (const [selector, repair] of REPAIRS) root.querySelectorAll<HTMLElement>(selector).forEach(repair);
  };
  new MutationObserver(repairAll).observe(root, { childList: true, subtree: true });
  repairAll();
}
