import type { FieldMessages } from '../question/messages.ts';
import { ErrorNotice } from '../ui/states.tsx';

/** The messages of a refusal that belong to no field. */
export function EditorFaults({ fault, messages: { others } }: { fault: unknown; messages: FieldMessages }) {
  return (
    <>
      {fault !== null && <ErrorNotice error={fault} />}
      {others.length > 0 && (
        <ul className="notice bad" role="alert">
          {others.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
    </>
  );
}
