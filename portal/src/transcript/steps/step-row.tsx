import { type CSSProperties, type Dispatch, memo, useId } from 'react';
import { LOCALE, t } from '../../language/index.ts';
import { Badge } from '../../ui/item-list.tsx';
import { costText, durationText, tokensOf } from '../figures.ts';
import { type Action, barOf, durationOf } from './state.ts';
import { StepDetails } from './step-details.tsx';
import { KIND_LABELS, KINDS, type StepNode, type StepTree } from './tree.ts';

/** Deeper steps are not moved further to the side. */
const MAX_INDENT = 8;

interface StepRowProps {
  node: StepNode;
  tree: StepTree;
  isFolded: boolean;
  isOpen: boolean;
  /** The Tab key leads to one of the rows. */
  isCurrent: boolean;
  isRunning: boolean;
  dispatch: Dispatch<Action>;
}

/** A step in a line; below it its details, while they are open. */
export const StepRow = memo(({ node, tree, isFolded, isOpen, isCurrent, isRunning, dispatch }: StepRowProps) => {
  const { step, level, children, isFailed, end } = node;
  const detailsId = useId();
  const { id, name } = step;
  const duration = durationOf(node);
  const tokens = tokensOf(step.usage);
  // A call in the messages has no times.
  const isUnfinished = isRunning && end === null && !step.isFromMessages;
  return (
    <>
      <tr className={isFailed ? 'is-failed' : undefined}>
        <th scope="row">
          <div className="step-line" style={{ '--indent': Math.min(level - 1, MAX_INDENT) } as CSSProperties}>
            {children.length === 0 ? (
              <span className="step-fold" />
            ) : (
              <button
                type="button"
                className="step-fold"
                tabIndex={-1}
                aria-expanded={!isFolded}
                aria-label={t('Steps below {name}', { name })}
                onClick={() => dispatch({ type: isFolded ? 'unfold' : 'fold', id })}
              >
                {isFolded ? '▸' : '▾'}
              </button>
            )}
            <button
              type="button"
              className="step-name"
              data-step={id}
              tabIndex={isCurrent ? 0 : -1}
              aria-expanded={isOpen}
              aria-controls={isOpen ? detailsId : undefined}
              onFocus={() => dispatch({ type: 'reach', id })}
              onClick={() => dispatch({ type: isOpen ? 'close' : 'open', id })}
            >
              <span className="visually-hidden">{t('Level {level}:', { level })} </span>
              <span className="muted">{KIND_LABELS[kindOf(step.kind)]}</span> <bdi>{name}</bdi>
            </button>
            {isFailed && <Badge tone="bad">{t('Failed')}</Badge>}
            {isUnfinished && <Badge tone="warning">{t('Running')}</Badge>}
          </div>
        </th>
        <td className="bars" aria-hidden="true">
          <Bar node={node} tree={tree} />
        </td>
        <td className="number">{duration !== null && durationText(duration)}</td>
        <td className="number">
          {tokens !== null && (
            <>
              {tokens.toLocaleString(LOCALE)}
              <span className="unit"> {t('tokens')}</span>
            </>
          )}
        </td>
        <td className="number">{typeof step.cost === 'number' && costText(step.cost)}</td>
      </tr>
      {isOpen && (
        <tr className="step-details">
          <td colSpan={5} id={detailsId}>
            <StepDetails step={step} />
          </td>
        </tr>
      )}
    </>
  );
});

function Bar({ node, tree }: { node: StepNode; tree: StepTree }) {
  const bar = barOf(node, tree);
  const percent = (share: number) => `${Math.round(share * 1_000) / 10}%`;
  return (
    <span className="step-bar">
      {bar && (
        <span
          className={`step-time of-${kindOf(node.step.kind)}`}
          style={{ insetInlineStart: percent(bar.start), inlineSize: percent(bar.size) }}
        />
      )}
    </span>
  );
}

function kindOf(kind: string): (typeof KINDS)[number] {
  return KINDS.find((one) => one === kind) ?? 'other';
}
