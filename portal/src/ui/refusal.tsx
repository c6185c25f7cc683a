import { type RefObject, useEffect } from 'react';

/** After a refusal the first field with a message gets the focus. */
export function useFocusOnRefusal(element: RefObject<HTMLElement | null>, error: unknown): void {
  useEffect(() => {
    if (error !== null) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [element, error]);
}

/** The messages of a refusal that belong to no field. */
export function OtherMessages({ messages }: { messages: readonly string[] }) {
  if (messages.length === 0) return null;
  return (
    <ul className="notice bad" role="alert">
      {messages.map((message) => (
        <li key={message}>{message}</li>
      ))}
    </ul>
  );
}
