import { valueText } from '../../../transcript/json.ts';
import type { Execution } from '../executions.ts';

type Message = Execution['messages'][number];

/** The agent's answer as a text: its output, else the last words of the assistant; '' without any. */
export function answerText({ output, messages }: Pick<Execution, 'output' | 'messages'>): string {
  if (typeof output === 'string') return output;
  if (output !== null && output !== undefined) return valueText(output);
  const last = messages.findLast(({ role, content }) => role === 'assistant' && content !== null);
  return last === undefined ? '' : contentText(last.content);
}

function contentText(content: Message['content']): string {
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** False for an output that the last message has already said. */
export function saysMore({ output, messages }: Pick<Execution, 'output' | 'messages'>): boolean {
  if (output === null || output === undefined || output === '') return false;
  const last = messages.at(-1);
  return !(last?.role === 'assistant' && contentText(last.content) === output);
}

export interface Failure {
  /** The step that failed; null for the execution itself. */
  step: string | null;
  reason: string;
}

/** Why an execution failed, and which of its steps did. */
export function failuresOf({ status, errorKind, chat, steps }: Execution): Failure[] {
  const failed = steps.filter((step) => step.status === 'error' || (step.status === null && step.error !== null));
  return [
    ...(status === 'failed' ? [{ step: null, reason: joined(errorKind, chat?.error?.message) }] : []),
    ...failed.map(({ name, error }) => ({ step: name, reason: joined(error?.kind, error?.message) })),
  ];
}

function joined(...texts: (string | null | undefined)[]): string {
  return texts.filter((text) => text != null).join(': ');
}
