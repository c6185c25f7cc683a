import { type RefObject, useEffect, useRef, useState } from 'react';

/** A task that a button or a form starts: whether it runs, and the error of the last run. */
export function useTask() {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const focused = useRef<Element | null>(null);
  useEffect(() => {
    // A button that is disabled while the task runs loses the focus.
    const { activeElement, body } = document;
    if (!isBusy && activeElement === body && focused.current instanceof HTMLElement) focused.current.focus();
  }, [isBusy]);
  /** Null when the task failed. */
  async function run<Result>(task: () => Promise<Result>): Promise<Result | null> {
    focused.current = document.activeElement;
    setBusy(true);
    setError(null);
    try {
      return await task();
    } catch (fault) {
      setError(fault);
      return null;
    } finally {
      setBusy(false);
    }
  }
  return { error, isBusy, run, forgetError: () => setError(null) };
}

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
    <div className="notice bad" role="alert">
      {messages.map((message) => (
        <span key={message}>{message}</span>
      ))}
    </div>
  );
}
