import { type ErrorCode, RuntimeError } from '../../shared/errors.ts';
import type { CallMetadata, FailedCall } from './execute-schema.ts';

export interface CallOutcome {
  metadata: CallMetadata;
  /** Undefined: no answer that can be returned. */
  data?: unknown;
  /** Undefined: the resource has none. */
  fallbackResponse?: unknown;
}

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

/** The body of the response, also for errors before the connector was found. */
export function failedCall(error: unknown, message: string): FailedCall {
  if (!(error instanceof FailedConnectorCall)) return { success: false, error: message };
  const { metadata, data, fallbackResponse } = error.outcome;
  if (fallbackResponse !== undefined) {
    return { success: false, error: message, fallback: true, data: fallbackResponse, metadata };
  }
  return { success: false, error: message, ...(data === undefined ? {} : { data }), metadata };
}
