import { ButtonLink } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { promptOf, questionLink } from './links.ts';
import { NothingToSuggest } from './nothing-to-suggest.tsx';
import type { Progress } from './progress.ts';

export function QuestionStep({ suggestions, isDone }: { suggestions: Progress['suggestions']; isDone: boolean }) {
  if (!suggestions) return <NothingToSuggest isDone={isDone} what="questions" />;
  return (
    <div className="stack">
      <p>Three questions about the events that have arrived. Open one here, or ask it in your MCP client.</p>
      <ul className="stack tight">
        {suggestions.questions.map(({ text, question }) => (
          <li key={text} className="row">
            <span className="hour-text">{text}</span>
            <div className="row">
              <ButtonLink {...questionLink(question)} aria-label={`Ask here: ${text}`}>
                Ask here
              </ButtonLink>
              <CopyButton text={promptOf(text)} label={`Copy for MCP: ${text}`}>
                Copy for MCP
              </CopyButton>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
