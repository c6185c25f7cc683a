import type { Use } from './model.ts';

type Prompt = Record<Use, string>;

/** From the models' documentation. Servers do not add them; without them search finds far less. */
const PROMPTS: [RegExp, Prompt][] = [
  [/gemini-embedding-2|embeddinggemma/, { document: 'title: none | text: ', query: 'task: search result | query: ' }],
  [/nomic-embed-text/, { document: 'search_document: ', query: 'search_query: ' }],
  [/\be5-(small|base|large)(?!.*instruct)/, { document: 'passage: ', query: 'query: ' }],
  [/mxbai-embed-large/, { document: '', query: 'Represent this sentence for searching relevant passages: ' }],
];

export function prompted(model: string, text: string, use: Use): string {
  const prompt = PROMPTS.find(([models]) => models.test(model))?.[1];
  return prompt === undefined ? text : prompt[use] + text;
}
