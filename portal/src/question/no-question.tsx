import { EmptyState } from '../ui/states.tsx';
import { readQuestion } from './question-text.ts';

/** Shown instead of an answer while no event is chosen; `next` says what to do. */
export function NoQuestion({ text, next }: { text: string | undefined; next: string }) {
  const isUnreadable = text !== undefined && readQuestion(text) === null;
  return (
    <div className="panel">
      <EmptyState title={isUnreadable ? 'The question in the address is not a JSON object' : 'No question yet'}>
        <p>{next}</p>
      </EmptyState>
    </div>
  );
}
