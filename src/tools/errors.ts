import type { CallToolResult } from '@modelcontextprotocol/server';
import { RuntimeError } from '../core/errors.ts';
import type { Log } from '../log.ts';

/** An error as a model reads it: what went wrong and what to change. What is a defect of ours stays in the log. */
export function toolError(error: unknown, tool: string, log: Log): CallToolResult {
  if (error instanceof RuntimeError) return { isError: true, content: [{ type: 'text', text: textOf(error) }] };
  log.error({ err: error, tool }, 'tool failed');
  return {
    isError: true,
    content: [{ type: 'text', text: 'Internal error. Trying again may help; the server log has the details.' }],
  };
}

function textOf(error: RuntimeError): string {
  switch (error.code) {
    case 'invalid':
      return `Invalid arguments, change them and call again:\n${error.messages.map((message) => `- ${message}`).join('\n')}`;
    case 'forbidden':
      return error.scope === undefined
        ? error.message
        : `insufficient_scope: this API key lacks the scope ${error.scope}. Ask the person who set up this server for a key that has it.`;
    case 'unavailable':
    case 'rate_limited':
      return `${error.message} Wait ${error.retryAfter ?? 1} s, then call again.`;
    default:
      return error.message;
  }
}
