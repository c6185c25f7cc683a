/** A request waits for the user's second factor, which a dialog asks for (shell/step-up.tsx). */

let waiting: { given: Promise<boolean>; answer(isGiven: boolean): void } | null = null;
const listeners = new Set<() => void>();

/** True where a 403 asks for a second factor (RFC 9470). */
export function needsStepUp({ status, headers }: Response): boolean {
  return status === 403 && /insufficient_user_authentication/.test(headers.get('www-authenticate') ?? '');
}

/** False when the user does not give it. Requests at once share a question. */
export function askStepUp(): Promise<boolean> {
  if (listeners.size === 0) return Promise.resolve(false);
  if (waiting) return waiting.given;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  waiting = { given: promise, answer: resolve };
  notify();
  return promise;
}

export function answerStepUp(isGiven: boolean): void {
  waiting?.answer(isGiven);
  waiting = null;
  notify();
}

export function isStepUpWaiting(): boolean {
  return waiting !== null;
}

export function onStepUp(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notify(): void {
  for (const listener of listeners) listener();
}
