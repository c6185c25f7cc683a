import type { IncomingHttpHeaders } from 'node:http';
import { STATUS_CODES } from 'node:http';
import { type ErrorCode, RuntimeError } from '../../../base/shared/errors.ts';
import { dataOf, UnreadableAnswer } from './answer-data.ts';
import type { CallMetadata, FailedCall } from './execute-schema.ts';
import type { TransportFault, UpstreamAnswer } from './transport.ts';

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

/** The body of an answer, also for errors before the connector is found. */
export function failedCall(error: unknown, message: string): FailedCall {
  if (!(error instanceof FailedConnectorCall)) return { success: false, error: message };
  const { metadata, data, fallbackResponse } = error.outcome;
  if (fallbackResponse !== undefined) {
    return { success: false, error: message, fallback: true, data: fallbackResponse, metadata };
  }
  return { success: false, error: message, ...(data === undefined ? {} : { data }), metadata };
}

const MAX_MESSAGE = 300;
/** Longer answers are not parsed for an error message. */
const MAX_PARSED = 64 * 1024;

/** The API fails; the request is not wrong. */
export function isServerFailure(status: number): boolean {
  return status >= 500 && status !== 501 && status !== 505;
}

export function callFaultOfStatus(connector: string, answer: UpstreamAnswer, now: number): CallFault | null {
  const { status } = answer;
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) {
    const remedy =
      status === 304
        ? 'which there is no copy of here'
        : 'which is not followed: change baseUrl or path, or set followRedirects';
    return { code: 'upstream', message: `"${connector}" answered ${statusText(status)}, ${remedy}.` };
  }
  const words = errorMessageOf(answer);
  const message = `"${connector}" answered ${statusText(status)}${words === null ? '.' : `: ${words}`}`;
  const retryAfterMs = retryAfterOf(answer.headers, now);
  return { code: 'upstream', message, retryAfter: retryAfterMs === null ? undefined : Math.ceil(retryAfterMs / 1_000) };
}

export function faultOfTransport(connector: string, { message }: TransportFault): CallFault {
  return { code: 'upstream', message: `"${connector}": ${message}` };
}

function statusText(status: number): string {
  const phrase = STATUS_CODES[status];
  return phrase === undefined ? String(status) : `${status} ${phrase}`;
}

function errorMessageOf(answer: UpstreamAnswer): string | null {
  if (answer.body.length > MAX_PARSED) return null;
  try {
    const words = findMessage(dataOf(answer), 0);
    if (words === null) return null;
    const plain = words.replace(/[\p{C}\s]+/gu, ' ').trim();
    return plain === '' ? null : plain.slice(0, MAX_MESSAGE).toWellFormed();
  } catch (error) {
    if (error instanceof UnreadableAnswer) return null;
    throw error;
  }
}

const MEMBERS = ['message', 'error_description', 'detail', 'title', 'error', 'errors', 'description'];

function findMessage(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return /^\s*</.test(value) ? null : value;
  if (depth > 3 || typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) return findMessage(value[0], depth + 1);
  for (const name of MEMBERS) {
    const words = findMessage((value as Record<string, unknown>)[name], depth + 1);
    if (words !== null) return words;
  }
  return null;
}

/** Milliseconds, from seconds or an HTTP date; null when missing or malformed. */
export function retryAfterOf(headers: IncomingHttpHeaders, now: number): number | null {
  const text = headers['retry-after']?.trim();
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const at = /^[A-Za-z]{3},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
