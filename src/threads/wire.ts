import { type ErrorCode, RuntimeError } from '../core/base/shared/errors.ts';

export interface WireError {
  /** Set for a RuntimeError. */
  code?: ErrorCode;
  message: string;
  messages?: string[];
  retryAfter?: number | undefined;
  stack?: string | undefined;
}

export function toWire(error: unknown): WireError {
  if (error instanceof RuntimeError) {
    const { code, message, messages, retryAfter } = error;
    const cause = error.cause instanceof Error ? error.cause.stack : undefined;
    return { code, message, messages, retryAfter, stack: cause ?? error.stack };
  }
  if (error instanceof Error) return { message: error.message, stack: error.stack };
  return { message: String(error) };
}

export function fromWire(wire: WireError): Error {
  const cause = Object.assign(new Error(wire.message), { stack: wire.stack });
  if (wire.code === undefined) return cause;
  return new RuntimeError(wire.code, wire.message, {
    cause,
    ...(wire.messages ? { messages: wire.messages } : {}),
    ...(wire.retryAfter === undefined ? {} : { retryAfter: wire.retryAfter }),
  });
}
