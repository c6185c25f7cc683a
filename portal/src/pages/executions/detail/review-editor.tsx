import { useEffect, useRef } from 'react';
import { answerOf, client } from '../../../api/client.ts';
import { t } from '../../../language/index.ts';
import { ActDialog } from '../../../ui/dialog.tsx';
import { useTask } from '../../../ui/refusal.tsx';
import { ErrorNotice } from '../../../ui/states.tsx';
import { announce } from '../../../ui/toast.tsx';
import { invalidateReviews, REVIEW, type Review } from '../../reviews/api.ts';
import { Editor } from '../../reviews/review/editor.tsx';
import { Conflict } from '../../reviews/review/save.ts';

interface ReviewEditorProps {
  executionId: string;
  /** The review to change; null for a new one. */
  review: Review | null;
  /** The answer of the agent. */
  answer: string;
  onClose(): void;
}

/** The form of the review of an execution, in the place of the review. */
export default function ReviewEditor({ executionId, review, answer, onClose }: ReviewEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const { error, isBusy, run } = useTask();
  useEffect(() => place.current?.querySelector<HTMLElement>('input, textarea')?.focus(), []);
  const save = async (send: () => Promise<unknown>) => {
    await run(async () => {
      await send().finally(invalidateReviews);
      announce(t('The review was saved'));
      onClose();
    });
  };
  return (
    <div ref={place} className="stack">
      <Editor {...{ executionId, review, answer, onClose }} rubric={null} own={null} work={{ isBusy, save }} />
      {error !== null && !(error instanceof Conflict) && <ErrorNotice error={error} />}
    </div>
  );
}

export function DeleteReview({ review, onClose }: { review: Review; onClose(): void }) {
  return (
    <ActDialog
      title={t('Delete this review?')}
      description={t('Its comment and its correction are lost for good. The execution may be reviewed again.')}
      act={t('Delete')}
      onAct={() => answerOf(client.DELETE(REVIEW, { params: { path: { reviewId: review.id } } }))}
      invalidate={invalidateReviews}
      done={t('The review was deleted')}
      onClose={onClose}
    />
  );
}
