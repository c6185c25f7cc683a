import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { serverUrl } from '../../../api/client.ts';
import { LOCALE, t } from '../../../language/index.ts';
import { costText, durationText } from '../../../transcript/figures.ts';
import { TitledCode } from '../../../transcript/titled-code.tsx';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Folded } from '../../../ui/folded.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { RatingBadge } from '../../executions/list/rows.tsx';
import { REVIEWS_OF_ONE, reviewOf } from '../../reviews/api.ts';
import type { Round } from '../state/conversation.ts';
import { curlOf, typescriptOf } from '../state/snippets.ts';
import type { RoundProps } from './props.ts';

const ReviewEditor = lazyDialog(() => import('../../executions/detail/review-editor.tsx'));

/** The figures of an answer, its review, its execution, and its request as code. */
export function RoundFoot({ round, place, number, actions, reviewed, onReview }: RoundProps) {
  const { executionId, text } = round;
  const isReviewing = executionId !== null && executionId === reviewed;
  const review = useQuery({
    queryKey: ['review', REVIEWS_OF_ONE, executionId],
    queryFn: () => reviewOf(executionId!),
    enabled: isReviewing,
  });
  const request = () => actions.requestAt(place, number);
  return (
    <>
      <RoundFigures round={round} />
      <div className="row">
        {text !== '' && <CopyButton text={text} label={t('Copy the answer')} />}
        {executionId !== null && (
          <>
            <Button aria-expanded={isReviewing} onClick={() => onReview(isReviewing ? null : executionId)}>
              {t('Review|an answer')}
            </Button>
            {review.data && <RatingBadge rating={review.data.rating} />}
            <Link to="/executions/$id" params={{ id: executionId }}>
              {t('Open the execution')}
            </Link>
          </>
        )}
      </div>
      {isReviewing && review.data !== undefined && (
        <ReviewEditor executionId={executionId} review={review.data} answer={text} onClose={() => onReview(null)} />
      )}
      <Folded summary={t('The request as code')}>
        {() => (
          <>
            <TitledCode title="curl" text={curlOf(request(), serverUrl)} />
            <TitledCode title="TypeScript" text={typescriptOf(request(), serverUrl)} />
          </>
        )}
      </Folded>
    </>
  );
}

/** Times are those of this browser. */
function RoundFigures({ round: { usage, cost, firstMs, totalMs } }: { round: Round }) {
  const tokens = (count: number | undefined) => (count === undefined ? null : count.toLocaleString(LOCALE));
  const figures: [label: string, value: string | null][] = [
    [t('Input'), tokens(usage?.inputTokens)],
    [t('Cached'), tokens(usage?.cachedInputTokens)],
    [t('Output'), tokens(usage?.outputTokens)],
    [t('Reasoning'), tokens(usage?.reasoningTokens)],
    [t('Cost'), cost === undefined ? null : cost === null ? t('unknown price') : costText(cost)],
    [t('First token'), firstMs === null ? null : durationText(firstMs)],
    [t('Latency'), totalMs === null ? null : durationText(totalMs)],
  ];
  return (
    <dl className="chat-figures small">
      {figures
        .filter(([, value]) => value !== null)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
