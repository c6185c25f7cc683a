import type { Action } from './state.ts';
import type { StepNode } from './tree.ts';

/** The action of a key at the step that has the focus; null if it has none, and without such a step. */
export function keyAction(
  key: string,
  id: string | undefined,
  rows: readonly StepNode[],
  folded: ReadonlySet<string>,
): Action | null {
  const index = rows.findIndex(({ step }) => step.id === id);
  const node = rows[index];
  if (node === undefined) return null;
  const isFolded = folded.has(node.step.id);
  const canFold = node.children.length > 0;
  const goTo = (other: StepNode | null | undefined): Action | null =>
    other == null ? null : { type: 'goTo', id: other.step.id };
  switch (key) {
    case 'ArrowDown':
      return goTo(rows[index + 1]);
    case 'ArrowUp':
      return goTo(rows[index - 1]);
    case 'Home':
      return goTo(rows[0]);
    case 'End':
      return goTo(rows.at(-1));
    case 'ArrowRight':
      return isFolded && canFold ? { type: 'unfold', id: node.step.id } : goTo(rows[index + 1]);
    case 'ArrowLeft':
      return canFold && !isFolded ? { type: 'fold', id: node.step.id } : goTo(node.parent);
    default:
      return null;
  }
}
