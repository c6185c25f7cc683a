import { useEffect, useRef, useState } from 'react';
import { answerOf, client } from '../../../api/client.ts';
import { WordDiff } from '../../../transcript/comparison/word-diff.tsx';
import { Button } from '../../../ui/button.tsx';
import { Choices } from '../../../ui/choices.tsx';
import { ActDialog } from '../../../ui/dialog.tsx';
import { SelectField, TextArea, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { PRIORITIES, RATINGS, STATUSES } from '../../reviews/words.ts';
import { changesOf, completionOf, createdFrom, formOf, type ReviewForm } from './review-form.ts';
import { invalidateReviews, REVIEW, REVIEWS, type Review } from './reviews.ts';

interface ReviewDialogProps {
  executionId: string;
  /** Null: a new one. */
  review: Review | null;
  /** What the agent answered. */
  answer: string;
  onClose(): void;
}

/** The form of the review of an execution. It stays as it is when somebody else writes one meanwhile. */
export default function ReviewDialog({ executionId, review: given, answer, onClose }: ReviewDialogProps) {
  const [review] = useState(given);
  const [start] = useState(() => formOf(review));
  const save = useSave(executionId, review, start);
  return (
    <FormDialog
      title={review === null ? 'Write a review' : 'Change the review'}
      act="Save"
      start={start}
      onSubmit={save}
      invalidate={invalidateReviews}
      done="The review was saved"
      onClose={onClose}
    >
      {({ form, field, onChange }) => (
        <>
          {review === null ? (
            <Choices legend="Rating" choices={RATINGS} {...field.choice('rating')} />
          ) : (
            <p className="muted small">The rating stays. To rate anew, delete the review and write another one.</p>
          )}
          <TextArea label="Comment" help="At least 10 characters." dir="auto" {...field.text('comment')} />
          <div className="fields">
            <SelectField label="Status" options={STATUSES} {...field.choice('status')} />
            <SelectField label="Priority" options={PRIORITIES} {...field.choice('priority')} />
          </div>
          <TextField label="Tags" help="With commas between them." {...field.text('tags')} />
          <TextArea
            label="Corrected answer"
            help="What the agent should have answered. Empty: its answer stands."
            rows={6}
            dir="auto"
            {...field.text('correctedOutput')}
          />
          {form.correctedOutput === '' && answer !== '' && (
            <p>
              <Button onClick={() => onChange({ correctedOutput: answer })}>Begin with the answer</Button>
            </p>
          )}
          {form.correctedOutput !== '' && <Correction answer={answer} text={form.correctedOutput} />}
        </>
      )}
    </FormDialog>
  );
}

/** Creates the review, or changes what was edited. A second try does not create it again. */
function useSave(executionId: string, review: Review | null, start: ReviewForm) {
  const created = useRef<string>(undefined);
  const change = (reviewId: string, body: ReturnType<typeof changesOf>) =>
    body && answerOf(client.PATCH(REVIEW, { params: { path: { reviewId } }, body }));
  const save = async (form: ReviewForm) => {
    if (review !== null) return change(review.id, changesOf(form, start));
    const { rating, ...members } = createdFrom(form);
    if (created.current !== undefined) return change(created.current, { ...members, ...completionOf(form) });
    const body = { rating, ...members };
    const { id } = await answerOf(client.POST(REVIEWS, { params: { path: { executionId } }, body }));
    created.current = id;
    return change(id, completionOf(form));
  };
  return async (form: ReviewForm) => {
    try {
      await save(form);
    } catch (error) {
      // Somebody else was first, or it was created and not completed.
      void invalidateReviews();
      throw error;
    }
  };
}

const PAUSE_MS = 300;

/** The correction against the answer, once nobody types. */
function Correction({ answer, text }: { answer: string; text: string }) {
  const [shown, setShown] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setShown(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return <WordDiff before={answer} after={shown} label="The answer and its correction" />;
}

export function DeleteReview({ review, onClose }: { review: Review; onClose(): void }) {
  return (
    <ActDialog
      title="Delete this review?"
      description="Its comment and its correction are lost for good. The execution may be reviewed again."
      act="Delete"
      onAct={() => answerOf(client.DELETE(REVIEW, { params: { path: { reviewId: review.id } } }))}
      invalidate={invalidateReviews}
      done="The review was deleted"
      onClose={onClose}
    />
  );
}
