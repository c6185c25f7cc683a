import type { Schemas } from '../../../api/schemas.ts';
import { valueText } from '../../../transcript/json.ts';

type Execution = Schemas['Execution'];

type Recorded = Pick<Execution, 'output' | 'messages'>;

/** The answer of the agent as a text: its output, else the last words of the assistant; '' without any. */
export function answerText({ output, messages }: Recorded): string {
  if (typeof output === 'string') return output;
  if (output !== null && output !== undefined) return valueText(output);
  const last = messages.findLast(({ role, content }) => role === 'assistant' && content !== null);
  return last === undefined ? '' : contentText(last.content);
}

function contentText(content: Execution['messages'][number]['content']): string {
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** False for an output that the last message has already said. */
export function saysMore({ output, messages }: Recorded): boolean {
  if (output === null || output === undefined || output === '') return false;
  const last = messages.at(-1);
  return !(last?.role === 'assistant' && contentText(last.content) === output);
}
