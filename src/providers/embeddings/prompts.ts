import type { Use } from './model.ts';

type Prompt = Record<Use, string>;

/**
 * What models were trained to see before a text, and see from nobody but us: their servers add nothing. Without it they find
 * markedly less. From the models' own documentation.
 */
const PROMPTS: [RegExp, Prompt][] = [
  [/gemini-embedding-2|embeddinggemma/, { document: 'title: none | text: ', query: 'task: search result | query: ' }],
  [/nomic-embed-text/, { document: 'search_document: ', query: 'search_query: ' }],
  [/\be5-(small|base|large)(?!.*instruct)/, { document: 'passage: ', query: 'query: ' }],
  [/mxbai-embed-large/, { document: '', query: 'Represent this sentence for searching relevant passages: ' }],
];

/** A text as a model wants it for its use; most want it as it is. */
export function prompted(model: string, text: string, use: Use): string {
  const prompt = PROMPTS.find(([models]) => models.test(model))?.[1];
  return prompt === undefined ? text : prompt[use] + text;
}
