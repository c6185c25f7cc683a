import { type ReactNode, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { BothVersions } from '../../../editor/concurrent-edit.tsx';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/field.tsx';
import { Time } from '../../../ui/time.tsx';
import { announce } from '../../../ui/toast.tsx';
import { useKeys } from '../../../ui/use-keys.ts';
import type { Review } from '../api.ts';
import { labelOf, RATINGS } from '../words.ts';
import { ReviewFields } from './fields.tsx';
import { wordsOf } from './form.ts';
import { RubricFields } from './rubric-fields.tsx';
import { type Edited, focusOn, useEditor } from './use-editor.ts';

interface EditorProps extends Edited {
  /** For a single review, which nothing follows. What was typed stays a draft. */
  onClose?(): void;
}

/** The form of a review, with the questions of the rubric below it. */
export function Editor(props: EditorProps) {
  const { answer, rubric, work, onClose } = props;
  const element = useRef<HTMLFormElement>(null);
  const editor = useEditor(props, element);
  const { draft, known, conflict, problems, change } = editor;
  const { form } = draft;
  const [isCorrecting, setCorrecting] = useState(form.correctedOutput !== '');
  const [corrections, setCorrections] = useState(0);
  const focus = (part: string) => focusOn(element.current, part);
  const rate = (rating: typeof form.rating) => () =>
    known === null ? change({ rating }) : announce(t('A rating stays as it was given'));
  const correct = () => {
    if (form.correctedOutput === '') change({ correctedOutput: answer });
    setCorrecting(true);
    setCorrections(corrections + 1);
  };
  const begin = useEffectEvent(() => focus('correction'));
  // Once the field is there, and before another key is pressed.
  useLayoutEffect(() => {
    if (corrections > 0) begin();
  }, [corrections]);
  useKeys({
    g: rate('good'),
    n: rate('needs_improvement'),
    b: rate('bad'),
    e: correct,
    c: () => focus('comment'),
    t: () => focus('tags'),
    s: () => focus('status'),
    p: () => focus('priority'),
    'Ctrl+Enter': editor.save,
    Escape: leaveField,
  });
  const isOfOthers = known !== null && !editor.isOwn;
  const fields = <ReviewFields {...{ form, known, answer, problems, isCorrecting, change }} onCorrect={correct} />;
  return (
    <Form ref={element} className="panel padded stack" aria-label={t('The review')} onSubmit={editor.save}>
      <div className="stack tight" role="status">
        <h2>{t('Review')}</h2>
        {editor.isRestored && (
          <p className="notice row">
            {t('This is what you had typed and not saved.')}
            <Button onClick={editor.throwAway}>{t('Throw it away')}</Button>
          </p>
        )}
        {!editor.isKept && (
          <p className="notice warning">{t('This browser keeps no drafts: save before you leave.')}</p>
        )}
      </div>
      {known !== null && <Written review={known} isOwn={editor.isOwn} />}
      {isOfOthers && rubric !== null ? (
        <details className="folded">
          <summary>{t('Change this review')}</summary>
          <div className="stack">{fields}</div>
        </details>
      ) : (
        fields
      )}
      {rubric !== null && (
        <RubricFields rubric={rubric} form={draft.rubric} error={problems.answers} onChange={editor.answer} />
      )}
      {conflict !== null && (
        <>
          <BothVersions members={membersOf(conflict)} onTakeTheirs={editor.takeTheirs} />
          <p className="small muted">
            {t('A rating stays as it was given first.')}
            {rubric !== null && ` ${t('Whoever takes theirs keeps the own comment, as one on the answers below.')}`}
          </p>
        </>
      )}
      <div className="row review-foot">
        <Button type="submit" look="primary" disabled={work.isBusy} aria-keyshortcuts="Control+Enter">
          {onClose ? t('Save') : t('Save and next')} <kbd>Ctrl+Enter</kbd>
        </Button>
        {onClose && <Button onClick={onClose}>{t('Close')}</Button>}
      </div>
    </Form>
  );
}

function membersOf({ mine, theirs }: NonNullable<ReturnType<typeof useEditor>['conflict']>) {
  const others = wordsOf(theirs);
  return wordsOf(mine).map(([label, words], index) => ({ label, mine: words, theirs: others[index]![1] }));
}

function leaveField(): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && activeElement.closest('form')) {
    activeElement.blur();
    document.querySelector<HTMLElement>('.review-work h2')?.focus({ preventScroll: true });
  }
}

function Written({ review: { rating, reviewedBy, createdAt }, isOwn }: { review: Review; isOwn: boolean }): ReactNode {
  const values = {
    rating: <strong>{labelOf(RATINGS, rating).toLowerCase()}</strong>,
    time: <Time iso={createdAt} />,
  };
  return (
    <p className="small">
      {isOwn
        ? t.nodes('Rated {rating} by you on {time}. A rating stays: to rate anew, delete the review.', values)
        : t.nodes('Rated {rating} by {who} on {time}. A rating stays: to rate anew, delete the review.', {
            ...values,
            who: <bdi>{reviewedBy}</bdi>,
          })}
    </p>
  );
}
