import { type ErrorCode, RuntimeError } from '../../shared/errors.ts';
import type { CallMetadata, FailedCall } from './execute-schema.ts';

export interface CallOutcome {
  metadata: CallMetadata;
  /** What the API answered; undefined: nothing that could be handed on. */
  data?: unknown;
  /** What the resource has for failures; undefined: nothing. */
  fallbackResponse?: unknown;
}

/** A call that failed once its resource was known. */
export class FailedConnectorCall extends RuntimeError {
  readonly outcome: CallOutcome;

  constructor({ code, message, retryAfter, messages, cause }: CallFault, outcome: CallOutcome) {
    super(code, message, { messages, retryAfter, cause });
    this.name = 'FailedConnectorCall';
    this.outcome = outcome;
  }
}

/** Why a call failed, in words for its caller. */
export interface CallFault {
  code: ErrorCode;
  message: string;
  messages?: string[];
  /** Seconds. */
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** What a failed call is answered with, whatever failed: also what never came to a connector. `message` is for the caller. */
export function failedCall(error: unknown, message: string): FailedCall {
  if (!(error instanceof FailedConnectorCall)) return { success: false, error: message };
  const { metadata, data, fallbackResponse } = error.outcome;
  if (fallbackResponse !== undefined) {
    return { success: false, error: message, fallback: true, data: fallbackResponse, metadata };
  }
  return { success: false, error: message, ...(data === undefined ? {} : { data }), metadata };
}
