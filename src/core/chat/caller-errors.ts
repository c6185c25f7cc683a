import { RuntimeError } from '../shared/errors.ts';
import type { ProviderFault } from './provider.ts';

/** Seconds to wait, where a provider is busy and does not say for how long. */
const RETRY_AFTER = 1;

/** What the caller is told of a provider, as it is called, that did not answer. Only what is about the request is said in its own words. */
export function callerError(
  { kind, status, message, retryAfterMs }: Pick<ProviderFault, 'kind' | 'status' | 'message' | 'retryAfterMs'>,
  name: string,
): RuntimeError {
  switch (kind) {
    case 'refused': {
      // Without a status it is we who found it, and name the field.
      const text = status === null ? message : `provider: ${name} refused the request (${status}): ${message}`;
      return new RuntimeError('invalid', text, { messages: [text] });
    }
    case 'credential':
      // Without a status nobody was asked: we have no key, or no region, to ask with.
      if (status === null) return upstream(`${name} cannot be asked: ${message}`);
      return upstream(
        `${name} does not accept the key that is configured for it here. Whoever runs this server must mend that.`,
      );
    case 'rate_limited': {
      const retryAfter = Math.max(RETRY_AFTER, Math.ceil((retryAfterMs ?? 0) / 1_000));
      return new RuntimeError('rate_limited', `${name} takes no more requests for now. Try again later.`, {
        retryAfter,
      });
    }
    case 'timeout':
      return new RuntimeError('timeout', `${name} did not answer in time. Try again, or ask for less.`);
    case 'unavailable':
      if (status !== null) return upstream(`${name} fails (${status}). Its words are in the execution. Try again.`);
      return upstream(`${name} gives no answer: ${message} See whether it runs, and where its baseUrl leads.`);
    case 'broken':
      return upstream(`${name} did not send a whole answer. Try again.`);
  }
}

function upstream(message: string): RuntimeError {
  return new RuntimeError('upstream', message);
}
