import { t } from '../../language/index.ts';

export const KINDS = ['agent', 'model', 'tool', 'retrieval', 'other'] as const;

export const KIND_LABELS: Record<(typeof KINDS)[number], string> = {
  agent: t('agent|a step'),
  model: t('model|a step'),
  tool: t('tool|a step'),
  retrieval: t('retrieval|a step'),
  other: t('other|a step'),
};

type Maybe<Value> = Value | null | undefined;

/** A step as the API answers it. */
export interface Step {
  id: string;
  parentId?: Maybe<string>;
  kind: string;
  name: string;
  /** ISO 8601, as are all times. A call in a message has none. */
  startedAt: Maybe<string>;
  endedAt?: Maybe<string>;
  status?: Maybe<string>;
  error?: unknown;
  input?: unknown;
  output?: unknown;
  provider?: Maybe<string>;
  model?: Maybe<string>;
  usage?: unknown;
  /** US dollars. */
  cost?: Maybe<number>;
  attributes?: unknown;
  /** A tool call of a message, which was not sent as a step. */
  isFromMessages?: boolean;
}

export interface StepNode {
  step: Step;
  parent: StepNode | null;
  children: StepNode[];
  /** 1 at the top. */
  level: number;
  /** Milliseconds since 1970; null if the time is not valid. */
  start: number | null;
  /** Null while it runs, too. */
  end: number | null;
  isFailed: boolean;
}

export interface StepTree {
  /** All steps in the order in which they are shown: each after its parent, those with one parent by their start. */
  nodes: StepNode[];
  failed: StepNode[];
  /** When the first step began and the last one ended, in milliseconds since 1970; infinite without valid times. */
  from: number;
  to: number;
}

/**
 * The tree of steps. A step whose parent has not come stands at the top level, as does one step of a circle. Of repeated
 * ids the last counts.
 */
export function treeOf(steps: readonly Step[]): StepTree {
  const byId = new Map(steps.map((step) => [step.id, nodeOf(step)]));
  const roots: StepNode[] = [];
  for (const node of byId.values()) {
    const parent = byId.get(node.step.parentId ?? '');
    if (parent === undefined || isBelow(parent, node)) roots.push(node);
    else {
      node.parent = parent;
      parent.children.push(node);
    }
  }
  const nodes = inOrder(roots);
  const times = nodes.flatMap(({ start, end }) => [start, end]).filter((time) => time !== null);
  const failed = nodes.filter(({ isFailed }) => isFailed);
  // Reduced: 10,000 arguments may be too many.
  const from = times.reduce((first, time) => Math.min(first, time), Number.POSITIVE_INFINITY);
  const to = times.reduce((last, time) => Math.max(last, time), Number.NEGATIVE_INFINITY);
  return { nodes, failed, from, to };
}

function nodeOf(step: Step): StepNode {
  const [start, end] = [timeOf(step.startedAt), timeOf(step.endedAt)];
  const isFailed = step.status === 'error' || (step.status == null && step.error != null && step.error !== '');
  return { step, parent: null, children: [], level: 1, start, end, isFailed };
}

function timeOf(iso: Maybe<string>): number | null {
  const time = Date.parse(iso ?? '');
  return Number.isNaN(time) ? null : time;
}

/** True if the node is the other one or below it, by the parents known so far. */
function isBelow(node: StepNode, other: StepNode): boolean {
  for (let at: StepNode | null = node; at !== null; at = at.parent) if (at === other) return true;
  return false;
}

/** Without recursion: a chain of 10,000 steps is as deep. */
function inOrder(roots: StepNode[]): StepNode[] {
  const nodes: StepNode[] = [];
  const waiting = sortByStart(roots).toReversed();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    node.level = node.parent === null ? 1 : node.parent.level + 1;
    nodes.push(node);
    waiting.push(...sortByStart(node.children).toReversed());
  }
  return nodes;
}

function sortByStart(nodes: StepNode[]): StepNode[] {
  return nodes.sort((one, other) => orderOf(one) - orderOf(other));
}

/** Steps without a valid start come last. */
const orderOf = ({ start }: StepNode) => start ?? Number.MAX_VALUE;
