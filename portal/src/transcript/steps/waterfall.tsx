import { type RefObject, useEffect, useId, useMemo, useReducer, useRef, useState } from 'react';
import { t } from '../../language/index.ts';
import { Button } from '../../ui/button.tsx';
import { keyAction } from './keys.ts';
import { NOTHING_OPEN, reduce, summaryOf, visibleNodes } from './state.ts';
import { StepRow } from './step-row.tsx';
import { type Step, type StepNode, treeOf } from './tree.ts';

/** Rows that are shown at first, and with each press on the button for more. */
const SHOWN = 50;

interface WaterfallProps {
  steps: readonly Step[];
  /** True while the execution runs: its steps may end yet. */
  isRunning: boolean;
  /** How many steps it has: these may not be all. */
  total: number;
}

/** The steps of an execution: a table in which each step stands below its parent, with a bar for its time. */
export function Waterfall({ steps, isRunning, total }: WaterfallProps) {
  const id = useId();
  const tree = useMemo(() => treeOf(steps), [steps]);
  const [shown, dispatch] = useReducer(reduce, NOTHING_OPEN);
  const [limit, setLimit] = useState(SHOWN);
  const body = useRef<HTMLTableSectionElement>(null);
  useFocusOnAsked(body, shown.asked);
  const rows = useMemo(() => visibleNodes(tree, shown.folded), [tree, shown.folded]);
  const current = rows.find(({ step }) => step.id === shown.current) ?? rows[0];
  if (current === undefined) return <p className="muted">{t('No steps were recorded.')}</p>;
  const show = (node: StepNode) => {
    // Whole batches: arrow keys go on from there.
    setLimit(Math.max(limit, Math.ceil((tree.nodes.indexOf(node) + 1) / SHOWN) * SHOWN));
    dispatch({ type: 'show', node });
  };
  return (
    <div className="waterfall stack tight">
      <div className={tree.failed.length === 0 ? 'row' : 'notice bad'}>
        <span>{summaryOf(tree)}</span>
        {tree.failed.length > 0 && <FailedSteps failed={tree.failed} current={current} onShow={show} />}
        {total > steps.length && <span className="muted">{t('These are the first of {total}.', { total })}</span>}
      </div>
      <table className="table steps" aria-label={t('Steps|of an execution')} aria-describedby={id}>
        <thead>
          <tr>
            <th scope="col">{t('Step')}</th>
            <td className="bars" />
            <th scope="col" className="number">
              {t('Time|a duration')}
            </th>
            <th scope="col" className="number">
              {t('Tokens')}
            </th>
            <th scope="col" className="number">
              {t('Cost')}
            </th>
          </tr>
        </thead>
        <tbody
          ref={body}
          onKeyDown={(event) => {
            const { step } = (event.target as HTMLElement).dataset;
            const action = keyAction(event.key, step, rows.slice(0, limit), shown.folded);
            if (action === null) return;
            event.preventDefault();
            dispatch(action);
          }}
        >
          {rows.slice(0, limit).map((node) => (
            <StepRow
              key={node.step.id}
              node={node}
              tree={tree}
              isFolded={shown.folded.has(node.step.id)}
              isOpen={shown.opened.has(node.step.id)}
              isCurrent={node === current}
              isRunning={isRunning}
              dispatch={dispatch}
            />
          ))}
        </tbody>
      </table>
      {rows.length > limit && (
        <p>
          <Button onClick={() => setLimit(limit + SHOWN)}>
            {t('Show {count} more of {total}', { count: Math.min(SHOWN, rows.length - limit), total: rows.length })}
          </Button>
        </p>
      )}
      <p id={id} className="muted small">
        {t('Arrow keys: up and down go to another step, left and right fold and unfold.')}
      </p>
    </div>
  );
}

/** The row of the current step gets the focus each time somebody asks for it. */
function useFocusOnAsked(body: RefObject<HTMLTableSectionElement | null>, asked: number) {
  useEffect(() => {
    if (asked === 0) return;
    const step = body.current?.querySelector<HTMLElement>('[data-step][tabindex="0"]');
    step?.focus();
    step?.scrollIntoView({ block: 'center' });
  }, [body, asked]);
}

interface FailedStepsProps {
  failed: readonly StepNode[];
  current: StepNode;
  onShow(node: StepNode): void;
}

/** The way to the steps that failed, one after the other. */
function FailedSteps({ failed, current, onShow }: FailedStepsProps) {
  const at = failed.indexOf(current);
  const next = failed[(at + 1) % failed.length]!;
  const name = <bdi>{next.step.name}</bdi>;
  return (
    <Button className="button wrapping" onClick={() => onShow(next)}>
      <span className="clamped">
        {at === -1 ? t.nodes('Show the first: {name}', { name }) : t.nodes('Show the next: {name}', { name })}
      </span>
    </Button>
  );
}
