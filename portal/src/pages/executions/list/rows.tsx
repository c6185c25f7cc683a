import { t } from '../../../language/index.ts';
import { Badge, ItemLink } from '../../../ui/item-list.tsx';
import { Time } from '../../../ui/time.tsx';
import type { ExecutionRow } from '../executions.ts';
import { figuresOf, statusOf } from '../words.ts';

const RATING_TONES = { good: 'good', needs_improvement: 'warning', bad: 'bad' } as const;
const RATED = {
  good: t('Rated good'),
  needs_improvement: t('Rated needs improvement'),
  bad: t('Rated bad'),
};

interface ExecutionItemProps {
  row: ExecutionRow;
  /** `listText` of the list around it. */
  list?: string | undefined;
}

/** An execution in a list: its name or id, whose it is, and what it cost and took. */
export function ExecutionItem({ row, list }: ExecutionItemProps) {
  const { id, name, agentId, userId, model, startedAt, createdAt } = row;
  const { cost, tokens, latency } = figuresOf(row);
  const facts = [agentId, userId, model].filter((fact) => fact !== null);
  return (
    <li className="item execution-item">
      <div className="item-text">
        <div className="row item-head">
          <p className="item-title clamped">
            <ItemLink to="/executions/$id" params={{ id }} search={{ list }}>
              <bdi>{name ?? id}</bdi>
            </ItemLink>
          </p>
          <States row={row} />
        </div>
        <p className="small muted clamped">
          {facts.map((fact, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a user may be named as the agent
            <span key={index}>
              {index > 0 && ' · '}
              <bdi>{fact}</bdi>
            </span>
          ))}
        </p>
      </div>
      <span className="small number">{cost}</span>
      <span className="small number">{tokens}</span>
      <span className="small number">{latency}</span>
      <span className="small number">
        <Time iso={startedAt ?? createdAt} />
      </span>
    </li>
  );
}

/** Status, review and assessments, in words. */
export function States({ row: { status, errorKind, review, assessments } }: { row: ExecutionRow }) {
  const { label, tone } = statusOf(status);
  return (
    <>
      <Badge tone={tone}>{label}</Badge>
      {errorKind !== null && (
        <span className="small bad-text">
          <bdi>{errorKind}</bdi>
        </span>
      )}
      {review && <RatingBadge rating={review.rating} />}
      {assessments > 0 && <Badge>{t.count(assessments, '{count} assessment', '{count} assessments')}</Badge>}
    </>
  );
}

/** "Rated good" */
export function RatingBadge({ rating }: { rating: NonNullable<ExecutionRow['review']>['rating'] }) {
  return <Badge tone={RATING_TONES[rating]}>{RATED[rating]}</Badge>;
}
