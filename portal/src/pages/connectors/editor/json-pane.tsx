import { useId, useRef } from 'react';
import { t } from '../../../language/index.ts';

/** A message about the text, at its line. */
export interface LineMessage {
  line: number;
  text: string;
}

interface JsonPaneProps {
  text: string;
  messages: readonly LineMessage[];
  onChange(text: string): void;
}

/** A JSON text with the numbers of its lines. Below it are its errors: a press on one goes to its line. */
export function JsonPane({ text, messages, onChange }: JsonPaneProps) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const lines = text.split('\n');
  const wrong = new Set(messages.map(({ line }) => line));
  const goTo = (line: number) => {
    const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    area.current?.focus();
    area.current?.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    area.current?.parentElement?.querySelector(`[data-line="${line}"]`)?.scrollIntoView({ block: 'center' });
  };
  return (
    <div className="field">
      <label htmlFor={id}>{t('Definition as JSON')}</label>
      <div className="json-pane">
        <div className="json-lines" aria-hidden="true">
          {lines.map((_, index) => {
            const line = index + 1;
            return (
              <span key={line} data-line={line} className={wrong.has(line) ? 'wrong' : undefined}>
                {line}
              </span>
            );
          })}
        </div>
        <textarea
          ref={area}
          id={id}
          className="input"
          rows={lines.length}
          wrap="off"
          spellCheck={false}
          autoCapitalize="off"
          aria-invalid={messages.length > 0}
          aria-describedby={`${id}-messages`}
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </div>
      <div id={`${id}-messages`} className="json-messages" role="alert">
        {messages.map(({ line, text: message }) => (
          <button
            key={`${line} ${message}`}
            type="button"
            className="link-button field-error"
            onClick={() => goTo(line)}
          >
            {t('Line {line}: {message}', { line: String(line), message })}
          </button>
        ))}
      </div>
    </div>
  );
}
