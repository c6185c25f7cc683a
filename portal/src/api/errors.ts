import { serverText, t } from '../language/index.ts';
import type { Schemas } from './schemas.ts';

type ErrorBody = Schemas['Error'];

/** The server's messages, or those of another error, as one text. */
export function messageOf(error: unknown): string {
  if (isErrorBody(error)) return serverText([error.message].flat().join(' '));
  if (error instanceof TypeError) return t('The server cannot be reached. Check the connection and try again.');
  return error instanceof Error ? error.message : t('The request failed. Try again.');
}

/** The messages of a 400, grouped by the field path that each begins with; those without a path under ''. */
export function messagesByField(error: unknown): Map<string, string[]> {
  const messages = isErrorBody(error) ? [error.message].flat() : [messageOf(error)];
  return Map.groupBy(messages, (message) => /^([\w.[\]-]+):? /.exec(message)?.[1]?.replace(/:$/, '') ?? '');
}

export function statusOf(error: unknown): number | null {
  return isErrorBody(error) ? error.statusCode : null;
}

/** The request id of a 5xx, to find the request in the server's log. */
export function requestIdOf(error: unknown): string | null {
  return isErrorBody(error) ? (error.requestId ?? null) : null;
}

function isErrorBody(error: unknown): error is ErrorBody & { requestId?: string } {
  return typeof error === 'object' && error !== null && 'statusCode' in error && 'message' in error;
}
