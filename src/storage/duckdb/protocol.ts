import { type ErrorCode, RuntimeError } from '../../core/errors.ts';
import type { EventStore, StoreNotice } from '../../core/events/store.ts';

/*
 * What the main thread and the event thread say to each other: plain data only. Native handles stay in the event
 * thread, AbortSignals in the main one.
 */

export type StoreMethod = Exclude<keyof EventStore, 'append'> | 'appendPacked';

export type Request = { id: number; method: StoreMethod; args: unknown[] } | { id: number; method: 'abort' };

export type Reply =
  | { ready: true }
  | { id: number; value: unknown }
  | { id: number; error: WireError }
  /** Something failed that no caller waits for, a flush for example. */
  | { fault: WireError }
  | { notice: StoreNotice };

export interface WireError {
  /** Absent: not a RuntimeError. */
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
