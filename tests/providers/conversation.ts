import type { Asked } from './support.ts';

/** One of each: what every adapter must be able to say. */
export const PNG = 'data:image/png;base64,iVBORw0KGgo=';
export const PDF = 'JVBERi0xLjQK';
export const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

export const EVERYTHING: Asked = {
  instructions: 'Be brief.',
  temperature: 0.5,
  topP: 0.9,
  maxTokens: 200,
  frequencyPenalty: 0.25,
  presencePenalty: -0.25,
  stop: ['END', '###'],
  seed: 42,
  tools: [
    { type: 'function', function: { name: 'weather', description: 'Of a city.', parameters: SCHEMA, strict: true } },
    { type: 'function', function: { name: 'now' } },
  ],
  responseFormat: {
    type: 'json_schema',
    json_schema: { name: 'answer', description: 'The answer.', schema: SCHEMA, strict: true },
  },
};

export const CONVERSATION: NonNullable<Asked['messages']> = [
  { role: 'system', content: 'Speak Portuguese.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: PNG, detail: 'low' } },
      { type: 'file', file: { filename: 'order.pdf', file_data: PDF } },
      { type: 'file', file: { filename: 'notes', file_data: 'data:text/plain;base64,T2zDoQ==' } },
    ],
  },
  {
    role: 'assistant',
    content: 'Let me look.',
    tool_calls: [
      { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rio"}' } },
      { id: 'call_2', type: 'function', function: { name: 'now', arguments: '{}' } },
    ],
  },
  { role: 'tool', tool_call_id: 'call_1', name: 'weather', content: '{"degrees":31}' },
  {
    role: 'tool',
    tool_call_id: 'call_2',
    content: [
      { type: 'text', text: 'no' },
      { type: 'text', text: 'on' },
    ],
  },
  { role: 'assistant', content: [{ type: 'text', text: 'It is hot.' }] },
  { role: 'user', content: 'Thanks.' },
];
