/** Within `main`, because content outside of landmarks is hard to find with a screen reader. */
export function popups(): HTMLElement | null {
  return document.getElementById('popups');
}
