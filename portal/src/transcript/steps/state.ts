import { t } from '../../language/index.ts';
import type { StepNode, StepTree } from './tree.ts';

/** The parts of the table that are open; sets of step ids. */
export interface Shown {
  /** Steps whose children are hidden. */
  folded: ReadonlySet<string>;
  /** Steps whose input and output are shown. */
  opened: ReadonlySet<string>;
  /** The step that the Tab key leads to. */
  current: string | null;
  /** Counts the requests for a step: the current one gets the focus then. */
  asked: number;
}

export type Action =
  | { type: 'fold' | 'unfold' | 'open' | 'close' | 'reach' | 'goTo'; id: string }
  /** Shows a step with its details, whatever is folded above it. */
  | { type: 'show'; node: StepNode };

export const NOTHING_OPEN: Shown = { folded: new Set(), opened: new Set(), current: null, asked: 0 };

export function reduce(shown: Shown, action: Action): Shown {
  const { folded, opened } = shown;
  switch (action.type) {
    case 'fold':
      return { ...shown, folded: new Set(folded).add(action.id) };
    case 'unfold':
      return { ...shown, folded: without(folded, [action.id]) };
    case 'open':
      return { ...shown, opened: new Set(opened).add(action.id) };
    case 'close':
      return { ...shown, opened: without(opened, [action.id]) };
    case 'reach':
      return shown.current === action.id ? shown : { ...shown, current: action.id };
    case 'goTo':
      return { ...shown, current: action.id, asked: shown.asked + 1 };
    case 'show': {
      const { id } = action.node.step;
      const unfolded = without(folded, ancestorsOf(action.node));
      return { folded: unfolded, opened: new Set(opened).add(id), current: id, asked: shown.asked + 1 };
    }
  }
}

function without(ids: ReadonlySet<string>, some: readonly string[]): Set<string> {
  const left = new Set(ids);
  for (const id of some) left.delete(id);
  return left;
}

function ancestorsOf(node: StepNode): string[] {
  const ids: string[] = [];
  for (let at = node.parent; at !== null; at = at.parent) ids.push(at.step.id);
  return ids;
}

/** The steps that are not below a folded one. */
export function visibleNodes({ nodes }: StepTree, folded: ReadonlySet<string>): StepNode[] {
  const hidden = new Set<StepNode>();
  return nodes.filter((node) => {
    const { parent } = node;
    const isHidden = parent !== null && (hidden.has(parent) || folded.has(parent.step.id));
    if (isHidden) hidden.add(node);
    return !isHidden;
  });
}

/** Where a step's bar begins and how long it is, as shares of the whole time; null without a valid start. */
export function barOf({ start, end }: StepNode, { from, to }: StepTree): { start: number; size: number } | null {
  if (start === null) return null;
  const whole = Math.max(1, to - from);
  return { start: (start - from) / whole, size: Math.max(0, (end ?? to) - start) / whole };
}

/** Milliseconds; null if it has not ended, or if a time is not valid. */
export function durationOf({ start, end }: StepNode): number | null {
  return start === null || end === null ? null : Math.max(0, end - start);
}

/** "2 of 37 steps failed" */
export function summaryOf({ nodes, failed }: StepTree): string {
  const count = nodes.length;
  if (failed.length === 0) return t.count(count, '{count} step, none failed', '{count} steps, none failed');
  const values = { failed: failed.length };
  return t.count(count, '{failed} of {count} step failed', '{failed} of {count} steps failed', values);
}

/** An error as it was recorded: its message where it has one. */
export function errorText(error: unknown): string {
  if (typeof error === 'string') return error;
  const message = (error as { message?: unknown } | null)?.message;
  return typeof message === 'string' ? message : error == null ? '' : JSON.stringify(error);
}
