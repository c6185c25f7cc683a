/** The container of popups. It is within `main`: screen readers hardly find content outside of landmarks. */
export function popups(): HTMLElement | null {
  return document.getElementById('popups');
}
