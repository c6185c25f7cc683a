import { t } from '../../language/index.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { promptOf, questionLink } from './links.ts';
import { NothingToSuggest } from './nothing-to-suggest.tsx';
import type { Progress } from './progress.ts';

export function QuestionStep({ suggestions, isDone }: { suggestions: Progress['suggestions']; isDone: boolean }) {
  if (!suggestions) return <NothingToSuggest isDone={isDone} things="questions" />;
  return (
    <div className="stack">
      <p>{t('Three questions about the events that have arrived. Open one here, or ask it in your MCP client.')}</p>
      <ul className="stack tight">
        {suggestions.questions.map(({ text, question }) => (
          <li key={text} className="row">
            <span className="hour-text">{text}</span>
            <div className="row">
              <ButtonLink {...questionLink(question)} aria-label={t('Ask here: {question}', { question: text })}>
                {t('Ask here')}
              </ButtonLink>
              <CopyButton text={promptOf(text)} label={t('Copy for MCP: {question}', { question: text })}>
                {t('Copy for MCP')}
              </CopyButton>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
