import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { RuntimeError } from '../core/base/shared/errors.ts';
import type { Log } from '../logging/log.ts';
import { errorResult } from './results.ts';

export function toolError(error: unknown, tool: string, log: Log): CallToolResult {
  return errorResult(textOfError(error, tool, log));
}

/** The text that the model reads. Logs errors that are not a `RuntimeError`. */
export function textOfError(error: unknown, tool: string, log: Log): string {
  if (!(error instanceof RuntimeError)) log.error({ err: error, tool }, 'tool failed');
  return errorMessage(error);
}

const INTERNAL = 'Internal error. Trying again may help; the server log has the details.';

/** As `textOfError`, of an error that is logged already. */
export function errorMessage(error: unknown): string {
  return error instanceof RuntimeError ? textOf(error) : INTERNAL;
}

/** Resources, prompts and completions have no `isError`. */
export async function withProtocolErrors<Answer>(name: string, log: Log, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    if (error instanceof RuntimeError) {
      const isInput = ['invalid', 'not_found', 'forbidden'].includes(error.code);
      const code = isInput ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
      throw new ProtocolError(code, textOf(error));
    }
    log.error({ err: error, name }, 'answering failed');
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error. The server log has the details.');
  }
}

const MAX_REASON = 200;

/**
 * Why a call failed, without values of the caller: the code of the error, and for `invalid` the
 * paths of the fields, as far as their names are `known`.
 */
export function failureReason(error: unknown, known: ReadonlySet<string>): string {
  if (!(error instanceof RuntimeError)) return 'internal';
  if (error.code !== 'invalid') return error.code;
  const fields = [...new Set(error.messages.flatMap((message) => fieldOf(message, known)))];
  return fields.length > 0 ? `invalid: ${fields.join(', ')}`.slice(0, MAX_REASON) : 'invalid';
}

/** The path with which the message begins, up to the first name that is the caller's own. */
function fieldOf(message: string, known: ReadonlySet<string>): string[] {
  const [path = ''] = /^[\w.[\]]+(?=: )/.exec(message) ?? [];
  const parts = path.split('.');
  const end = parts.findIndex((part) => !known.has(part.replace(/\[\d+\]/g, '')));
  const kept = parts.slice(0, end < 0 ? parts.length : end);
  return kept.length > 0 ? [kept.join('.')] : [];
}

const MAX_MESSAGES = 20;

const WHERE_DESCRIBED = 'describe_workspace lists the events, and the cards with their ids.';

/** A name is missing, and not sent under another member. */
function needsNames(messages: string[]): boolean {
  const isMissing = messages.some((message) => /^(eventName|cardId): (is required|must not be empty)/.test(message));
  return isMissing && !messages.some((message) => message.includes('unknown member'));
}

function listed(messages: string[]): string[] {
  return messages.length <= MAX_MESSAGES ? messages : [...messages.slice(0, MAX_MESSAGES), '... and more'];
}

function textOf(error: RuntimeError): string {
  switch (error.code) {
    case 'invalid':
      return [
        ['Invalid arguments, change them and call again:', ...listed(error.messages)].join('\n- '),
        ...(needsNames(error.messages) ? [WHERE_DESCRIBED] : []),
      ].join('\n');
    case 'forbidden':
      return error.scope === undefined
        ? error.message
        : `insufficient_scope: ${error.message} Ask the person whom you work for.`;
    case 'unavailable':
    case 'rate_limited':
      return `${error.message} Wait ${error.retryAfter ?? 1} s, then call again.`;
    default:
      return error.message;
  }
}
