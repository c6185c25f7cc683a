import { t } from '../../language/index.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/states.tsx';

const EXAMPLES = [
  t('A customer asks for a refund after 40 days; our policy allows 30. Write a kind answer.'),
  t('Explain in three sentences what a token of a language model is.'),
  t('List five questions that a support agent should ask before it escalates a case, as a table.'),
];

/** Says what the page is for, and offers messages to begin with. */
export function Beginning({ onChoose }: { onChoose(text: string): void }) {
  return (
    <div className="panel">
      <EmptyState title={t('Try a model')}>
        <p>
          {t(
            'Ask one model, or two beside each other. Answers stream with their tokens, cost and latency; each is recorded as an execution, which you can review here.',
          )}
        </p>
        <ul className="stack tight">
          {EXAMPLES.map((text) => (
            <li key={text}>
              <Button onClick={() => onChoose(text)}>{text}</Button>
            </li>
          ))}
        </ul>
      </EmptyState>
    </div>
  );
}
