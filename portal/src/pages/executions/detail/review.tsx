import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { t } from '../../../language/index.ts';
import { WordDiff } from '../../../transcript/comparison/word-diff.tsx';
import { LongText } from '../../../transcript/long-text.tsx';
import { Button } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { REVIEWS_OF_ONE, type Review, reviewOf } from '../../reviews/api.ts';
import { labelOf, PRIORITIES, STATUSES } from '../../reviews/words.ts';
import type { Execution } from '../executions.ts';
import { RatingBadge } from '../list/rows.tsx';
import { answerText } from './state.ts';

const ReviewEditor = lazyDialog(() => import('./review-editor.tsx'));
const DeleteReview = lazyDialog(async () => ({ default: (await import('./review-editor.tsx')).DeleteReview }));

/** The review of one person, and its form. */
export function ReviewSection({ execution }: { execution: Execution }) {
  const { can } = useSession();
  const { id } = execution;
  const query = useQuery({
    queryKey: ['review', REVIEWS_OF_ONE, id],
    queryFn: () => reviewOf(id),
    enabled: can('reviews:read'),
  });
  const [asked, setAsked] = useState<'edit' | 'delete'>();
  const edit = useRef<HTMLButtonElement>(null);
  const wasEdited = useRef(false);
  useEffect(() => {
    // The form, which had the focus, is gone.
    if (wasEdited.current) edit.current?.focus();
    wasEdited.current = asked === 'edit';
  }, [asked]);
  if (!can('reviews:read')) return null;
  const { data: review } = query;
  const answer = answerText(execution);
  const reason = can('reviews:write') ? undefined : t('Your role lets you read reviews, not write them.');
  const close = () => setAsked(undefined);
  if (asked === 'edit' && review !== undefined) {
    return <ReviewEditor executionId={id} review={review} answer={answer} onClose={close} />;
  }
  return (
    <Section id="review" title={t('Review')} className="panel padded stack tight">
      <QueryState query={query} />
      {review === null && <p className="muted">{t('Nobody has reviewed it.')}</p>}
      {review && <ReviewFacts review={review} answer={answer} />}
      {review !== undefined && (
        <div className="row">
          <Button ref={edit} reason={reason} onClick={() => setAsked('edit')}>
            {review === null ? t('Write a review') : t('Change')}
          </Button>
          {review && (
            <Button reason={reason} aria-label={t('Delete the review')} onClick={() => setAsked('delete')}>
              {t('Delete')}
            </Button>
          )}
        </div>
      )}
      {asked === 'delete' && review && <DeleteReview review={review} onClose={close} />}
    </Section>
  );
}

function ReviewFacts({ review, answer }: { review: Review; answer: string }) {
  const { rating, status, priority, comment, tags, actionTaken, resolutionNotes, correctedOutput } = review;
  const { reviewedBy, createdAt, updatedBy, updatedAt, resolvedBy, resolvedAt } = review;
  return (
    <>
      <div className="row">
        <RatingBadge rating={rating} />
      </div>
      <LongText text={comment} />
      <Facts
        label={t('Review')}
        facts={{
          [t('Status')]: labelOf(STATUSES, status),
          [t('Priority')]: labelOf(PRIORITIES, priority),
          [t('Tags')]: tags.length > 0 && <bdi>{tags.join(', ')}</bdi>,
          [t('Action taken')]: actionTaken !== null && <LongText text={actionTaken} />,
          [t('Resolution')]: resolutionNotes !== null && <LongText text={resolutionNotes} />,
          [t('Written|a review')]: <ByWhom who={reviewedBy} iso={createdAt} />,
          [t('Changed|a review')]: updatedBy !== null && <ByWhom who={updatedBy} iso={updatedAt} />,
          [t('Resolved|a review')]: resolvedBy !== null && resolvedAt !== null && (
            <ByWhom who={resolvedBy} iso={resolvedAt} />
          ),
        }}
      />
      {correctedOutput !== null && (
        <>
          <h3>{t('Corrected answer')}</h3>
          <WordDiff before={answer} after={correctedOutput} label={t('The answer and its correction')} />
        </>
      )}
    </>
  );
}

function ByWhom({ who, iso }: { who: string; iso: string }) {
  return t.nodes('by {who} on {time}', { who: <bdi>{who}</bdi>, time: <Time iso={iso} /> });
}
