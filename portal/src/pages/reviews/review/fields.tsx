import { useEffect, useState } from 'react';
import { t } from '../../../language/index.ts';
import { WordDiff } from '../../../transcript/comparison/word-diff.tsx';
import { bind } from '../../../ui/bind.ts';
import { Button } from '../../../ui/button.tsx';
import { Choices } from '../../../ui/choices.tsx';
import { SelectField, TextArea, TextField } from '../../../ui/field.tsx';
import type { Review } from '../api.ts';
import { PRIORITIES, RATINGS, STATUSES } from '../words.ts';
import { lackingOf, MIN_COMMENT, type Problems, type ReviewForm } from './form.ts';

interface ReviewFieldsProps {
  form: ReviewForm;
  /** The stored review, whose rating stays; null for a new one. */
  known: Review | null;
  answer: string;
  problems: Problems;
  isCorrecting: boolean;
  change(members: Partial<ReviewForm>): void;
  /** Begins a correction with the answer. */
  onCorrect(): void;
}

export function ReviewFields({ form, known, answer, problems, isCorrecting, change, onCorrect }: ReviewFieldsProps) {
  const lacking = lackingOf(form);
  const messages = { at: (name: string) => problems[name as keyof Problems], others: [] };
  const field = bind({ form, messages, onChange: change });
  return (
    <>
      {known === null && (
        <div className="across" data-part="rating">
          <Choices legend={t('Rating')} choices={RATINGS} {...field.choice('rating')} />
        </div>
      )}
      <div data-part="comment">
        <TextArea
          label={t('Comment')}
          help={
            lacking > 0 && problems.comment === undefined
              ? t('At least {least} characters: {lacking} more.', { least: MIN_COMMENT, lacking })
              : undefined
          }
          dir="auto"
          {...field.text('comment')}
        />
      </div>
      <div className="fields">
        <div data-part="priority">
          <SelectField label={t('Priority')} options={PRIORITIES} {...field.choice('priority')} />
        </div>
        <div data-part="status">
          <SelectField label={t('Status')} options={STATUSES} {...field.choice('status')} />
        </div>
      </div>
      <div data-part="tags">
        <TextField label={t('Tags')} help={t('With commas between them.')} {...field.text('tags')} />
      </div>
      {!isCorrecting && form.correctedOutput === '' ? (
        <p>
          <Button aria-keyshortcuts="E" onClick={onCorrect}>
            {t('Correct the answer')} <kbd>E</kbd>
          </Button>
        </p>
      ) : (
        <div className="stack tight" data-part="correction">
          <TextArea
            label={t('Corrected answer')}
            help={t('What the agent should have answered. Empty: its answer stands.')}
            rows={6}
            dir="auto"
            {...field.text('correctedOutput')}
          />
          <Correction answer={answer} text={form.correctedOutput} />
        </div>
      )}
    </>
  );
}

const PAUSE_MS = 300;

/** The correction against the answer, once nobody types. */
function Correction({ answer, text }: { answer: string; text: string }) {
  const [shown, setShown] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setShown(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return <WordDiff before={answer} after={shown} label={t('The answer and its correction')} />;
}
