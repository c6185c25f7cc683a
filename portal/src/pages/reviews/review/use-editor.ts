import { type RefObject, useRef, useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { mergedWith } from '../../../editor/values.ts';
import { t } from '../../../language/index.ts';
import type { Assessment, Review, Rubric } from '../api.ts';
import type { QueueWork } from '../work/use-queue.ts';
import { type Draft, draftOf, keepDraft } from './drafts.ts';
import { formOf, type Problems, problemsOf, type ReviewForm } from './form.ts';
import { answersIn, type RubricForm, rubricFormOf } from './rubric.ts';
import { Conflict, saveAnswers, saveReview } from './save.ts';

/** The execution that the form is about, and what is known of it. */
export interface Edited {
  executionId: string;
  /** The answer of the agent. */
  answer: string;
  /** The review when the item was shown; null: there was none. */
  review: Review | null;
  /** The questions of the queue; null without a rubric. */
  rubric: Rubric | null;
  /** The person's earlier answers. */
  own: Assessment | null;
  work: Pick<QueueWork, 'isBusy' | 'save'>;
}

interface Both {
  mine: ReviewForm;
  theirs: ReviewForm;
}

const isSame = <Form>(one: Form, other: Form) => JSON.stringify(one) === JSON.stringify(other);

/** The text that a person types about an execution: a draft until it is saved, also in a conflict. */
export function useEditor(edited: Edited, element: RefObject<HTMLFormElement | null>) {
  const { executionId, answer, rubric, own, work } = edited;
  const { user } = useSession();
  const [known, setKnown] = useState(edited.review);
  const [opened] = useState(() => openedForm(edited, user.id));
  const { base } = opened;
  const [start, setStart] = useState(opened.start);
  const [draft, setDraft] = useState(opened.draft);
  const [isRestored, setRestored] = useState(() => !isSame(draft, start));
  const [isKept, setKept] = useState(true);
  const [isTried, setTried] = useState(false);
  const [conflict, setConflict] = useState(opened.conflict);
  /** Sent already; a second try does not send them again. */
  const sent = useRef<{ rubric: RubricForm; undo(): Promise<void> }>(undefined);

  const put = (next: Draft) => {
    setDraft(next);
    setRestored(false);
    setKept(keepDraft(user.id, executionId, isSame(next, start) ? null : { ...next, base }));
  };
  const problems: Problems = isTried ? problemsIn(draft, rubric) : {};

  const meet = (theirs: Review) => {
    const stored = formOf(theirs);
    setConflict({ mine: draft.form, theirs: stored });
    setKnown(theirs);
    setStart({ ...start, form: stored });
    put({ ...draft, form: mergedForm(draft.form, start.form, stored) });
  };
  const send = async () => {
    const undone: (() => Promise<void>)[] = [];
    try {
      const onStored = (review: Review) => {
        setKnown(review);
        setStart((before) => ({ ...before, form: formOf(review) }));
      };
      undone.push(await saveReview({ executionId, known, form: draft.form, start: start.form, answer, onStored }));
    } catch (error) {
      if (error instanceof Conflict) meet(error.theirs);
      throw error;
    }
    if (rubric !== null && sent.current?.rubric !== draft.rubric) {
      sent.current = { rubric: draft.rubric, undo: await saveAnswers(executionId, rubric, draft.rubric, own) };
    }
    if (sent.current) undone.push(sent.current.undo);
    keepDraft(user.id, executionId, null);
    return async () => {
      keepDraft(user.id, executionId, { ...draft, base: start.form });
      for (const undo of undone) await undo();
    };
  };
  const save = () => {
    if (work.isBusy) return;
    setTried(true);
    const [first] = Object.keys(problemsIn(draft, rubric));
    if (first === undefined) void work.save(send);
    else focusOn(element.current, first);
  };
  return {
    draft,
    known,
    conflict,
    problems,
    isRestored,
    isKept,
    isOwn: known?.reviewedBy === user.email,
    save,
    change: (members: Partial<ReviewForm>) => put({ ...draft, form: { ...draft.form, ...members } }),
    answer: (members: Partial<RubricForm>) => put({ ...draft, rubric: { ...draft.rubric, ...members } }),
    throwAway: () => {
      put(start);
      setConflict(null);
    },
    /** Their review stays. With a rubric the own comment becomes one on its answers, if that has none. */
    takeTheirs: () => {
      const { comment } = draft.rubric;
      const kept = rubric !== null && comment === '' ? (conflict?.mine.comment ?? '') : comment;
      put({ form: start.form, rubric: { ...draft.rubric, comment: kept } });
      setConflict(null);
    },
  };
}

/** The form as it opens: with the draft, over what somebody else may have written since. */
function openedForm({ executionId, review, own }: Edited, userId: string) {
  const stored = formOf(review);
  const start: Draft = { form: stored, rubric: rubricFormOf(own) };
  const kept = draftOf(userId, executionId);
  if (kept === null) return { start, draft: start, base: stored, conflict: null };
  const { form: mine, rubric, base } = kept;
  const form = review === null ? mine : mergedForm(mine, base, stored);
  const isTheirs = review !== null && !isSame(base, stored) && !isSame(form, stored);
  const conflict: Both | null = isTheirs ? { mine, theirs: stored } : null;
  return { start, draft: { form, rubric }, base, conflict };
}

/** Members that only they have changed are theirs, and so is the rating, which stays. */
function mergedForm(mine: ReviewForm, base: ReviewForm, theirs: ReviewForm): ReviewForm {
  return { ...mergedWith(mine, base, theirs), rating: theirs.rating };
}

function problemsIn(draft: Draft, rubric: Rubric | null): Problems {
  const lacksAnswers = rubric !== null && Object.keys(answersIn(rubric.questions, draft.rubric)).length === 0;
  return { ...problemsOf(draft.form), ...(lacksAnswers && { answers: t('Answer at least one question.') }) };
}

/** Focuses the first field of a part, in a fold that is opened for it. */
export function focusOn(form: HTMLFormElement | null, part: string): void {
  const place = form?.querySelector(`[data-part="${part}"]`);
  place?.closest('details')?.setAttribute('open', '');
  place?.querySelector<HTMLElement>('textarea, select, input')?.focus();
}
