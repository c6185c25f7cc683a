import { AnthropicReader } from '../../../src/providers/anthropic/reader.ts';
import { readEvents } from '../../../src/providers/shared/reading.ts';
import { bodyOf, cutAt, readAll, type Told } from '../support.ts';

export const START = { type: 'message_start', message: { usage: { input_tokens: 10, output_tokens: 1 } } };
export const STOP = { type: 'message_stop' };
export const ending = (reason: string | null, usage: object = { output_tokens: 7 }) => ({
  type: 'message_delta',
  delta: { stop_reason: reason },
  usage,
});
export const begin = (index: number, block: object) => ({ type: 'content_block_start', index, content_block: block });
export const delta = (index: number, part: object) => ({ type: 'content_block_delta', index, delta: part });
export const end = (index: number) => ({ type: 'content_block_stop', index });
export const text = (index: number, ...parts: string[]) => [
  begin(index, { type: 'text', text: '' }),
  ...parts.map((part) => delta(index, { type: 'text_delta', text: part })),
  end(index),
];
export const call = (index: number, id: string, ...parts: string[]) => [
  begin(index, { type: 'tool_use', id, name: 'find', input: {} }),
  ...parts.map((part) => delta(index, { type: 'input_json_delta', partial_json: part })),
  end(index),
];
export const thought = (index: number, words: string, signature = 'c2ln') => [
  begin(index, { type: 'thinking', thinking: '', signature: '' }),
  delta(index, { type: 'thinking_delta', thinking: words }),
  delta(index, { type: 'signature_delta', signature }),
  end(index),
];

export function written(events: (object | string)[]): Buffer {
  const parts = events.map((event) =>
    typeof event === 'string'
      ? event
      : `event: ${'type' in event ? event.type : 'x'}\ndata: ${JSON.stringify(event)}\n\n`,
  );
  return Buffer.from(parts.join(''));
}

export function told(events: (object | string)[], places: number[] = []): Promise<Told> {
  const reader = new AnthropicReader({ mayContinue: false });
  return readAll(readEvents(bodyOf(...cutAt(written(events), places)), reader));
}
