import type { Use } from './model.ts';

type Prompt = Record<Use, string>;

/**
 * Prefixes that models were trained with and their servers do not add. Without them search finds
 * far less. From the models' documentation.
 */
const PROMPTS: [RegExp, Prompt][] = [
  [/gemini-embedding-2|embeddinggemma/, { document: 'title: none | text: ', query: 'task: search result | query: ' }],
  [/nomic-embed-text/, { document: 'search_document: ', query: 'search_query: ' }],
  [/\be5-(small|base|large)(?!.*instruct)/, { document: 'passage: ', query: 'query: ' }],
  [/mxbai-embed-large/, { document: '', query: 'Represent this sentence for searching relevant passages: ' }],
];

/** A text with the prefix of its model and use; most models have none. */
export function prompted(model: string, text: string, use: Use): string {
  const prompt = PROMPTS.find(([models]) => models.test(model))?.[1];
  return prompt === undefined ? text : prompt[use] + text;
}
