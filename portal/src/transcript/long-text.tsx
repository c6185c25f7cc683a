import { useState } from 'react';
import { t } from '../language/index.ts';
import { Button } from '../ui/button.tsx';
import { beginningOf } from './text.ts';

interface LongTextProps {
  text: string;
  /** Is read from left to right, in the font of code. */
  isCode?: boolean;
}

/** A text as it was written; of a long one the beginning, with a button for the rest. */
export function LongText({ text, isCode = false }: LongTextProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? text : beginningOf(text);
  return (
    <>
      {isCode ? (
        <pre className="literal" dir="ltr">
          <code>{shown}</code>
        </pre>
      ) : (
        <div className="literal" dir="auto">
          {shown}
        </div>
      )}
      {shown.length < text.length && (
        <p className="row">
          <Button onClick={() => setWhole(true)}>{t('Show all {count} characters', { count: text.length })}</Button>
        </p>
      )}
    </>
  );
}
