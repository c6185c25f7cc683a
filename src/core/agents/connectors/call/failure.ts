import { type ErrorCode, RuntimeError } from '../../../base/shared/errors.ts';
import type { CallMetadata, FailedCall } from './execute-schema.ts';

export interface CallOutcome {
  metadata: CallMetadata;
  data?: unknown;
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

export interface CallFault {
  code: ErrorCode;
  message: string;
  messages?: string[];
  /** Seconds. */
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** Also for errors before the connector is found. */
export function failedCall(error: unknown, message: string): FailedCall {
  if (!(error instanceof FailedConnectorCall)) return { success: false, error: message };
  const { metadata, data, fallbackResponse } = error.outcome;
  if (fallbackResponse !== undefined) {
    return { success: false, error: message, fallback: true, data: fallbackResponse, metadata };
  }
  return { success: false, error: message, ...(data === undefined ? {} : { data }), metadata };
}
