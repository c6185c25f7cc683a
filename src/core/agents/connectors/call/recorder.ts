import type { EventOutbox } from '../../../analytics/events/outbox.ts';
import type { Caller } from '../../../base/shared/caller.ts';
import type { CallMetadata } from './execute-schema.ts';

const MAX_ERROR = 500;

export interface EndedCall {
  caller: Caller;
  metadata: CallMetadata;
  credential: string | null;
  error: { code: string; message: string } | null;
  fallback: boolean;
}

/** Records no data but the API's error message. */
export function recordCall(
  outbox: Pick<EventOutbox, 'record'>,
  { caller, metadata, credential, error, fallback }: EndedCall,
): void {
  const { connector, resource, environment, status, duration: durationMs, attempts, mocked } = metadata;
  const outcome = { connector, resource, environment, status, durationMs, attempts, mocked, fallback };
  const failure = error && { errorCode: error.code, error: error.message.slice(0, MAX_ERROR).toWellFormed() };
  const eventName = error ? 'runtime.connector_failed' : 'runtime.connector_executed';
  outbox.record(caller, eventName, { ...outcome, ...(credential !== null && { credential }), ...failure });
}
