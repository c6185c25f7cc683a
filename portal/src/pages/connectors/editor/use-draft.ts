import { useMemo, useRef, useState } from 'react';
import { t } from '../../../language/index.ts';
import { type Draft, draftOf, textOfDraft } from './definition.ts';

/** One definition that fields and a JSON text edit. The text is what is held: it may not be JSON for a while. */
export function useDraft(given: Draft) {
  const [start, setStart] = useState(given);
  const [text, setText] = useState(() => textOfDraft(given));
  const read = useMemo(() => draftOf(text, t('A definition is an object.')), [text]);
  const valid = useRef(given);
  if ('draft' in read) valid.current = read.draft;
  const saved = useRef(text);
  return {
    start,
    text,
    /** The last one that was JSON. */
    draft: valid.current,
    fault: 'fault' in read ? read.fault : null,
    isDirty: () => text !== saved.current,
    setText,
    replace: (draft: Draft) => setText(textOfDraft(draft)),
    rebase: (theirs: Draft, merged: Draft) => {
      setStart(theirs);
      setText(textOfDraft(merged));
    },
    saved: () => {
      saved.current = text;
    },
  };
}

export type EditedDraft = ReturnType<typeof useDraft>;
